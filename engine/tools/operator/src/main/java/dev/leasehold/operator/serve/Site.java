package dev.leasehold.operator.serve;

import org.jspecify.annotations.Nullable;

/**
 * A namespace on the page.
 *
 * @param observer sees it
 * @param orders what may be done there; null for nothing
 */
public record Site(Observer observer, @Nullable Orders orders) {}
