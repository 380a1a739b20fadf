package dev.leasehold.simulator.checker;

import org.jspecify.annotations.Nullable;

/**
 * A broken guarantee.
 *
 * @param guarantee which one
 * @param atNanos when it was broken, in true time
 * @param lease of which lease; null where it is about none
 * @param sentence what was guaranteed to which holder until when, and what broke it at which instant
 */
public record Violation(
        Guarantee guarantee, long atNanos, @Nullable String lease, String sentence) {}
