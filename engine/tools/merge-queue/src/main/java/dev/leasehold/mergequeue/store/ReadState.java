package dev.leasehold.mergequeue.store;

import org.jspecify.annotations.Nullable;

/**
 * A state as it was read for people.
 *
 * @param stored what stands in the database; that of a provider that was never asked if it cannot be read
 * @param damage why the document cannot be read; null if it can
 */
public record ReadState(StoredState stored, @Nullable String damage) {}
