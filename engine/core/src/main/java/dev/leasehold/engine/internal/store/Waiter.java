package dev.leasehold.engine.internal.store;

import org.jspecify.annotations.Nullable;

/**
 * A ticket: the entry of one waiting acquisition in the queue document of its lease. Section 4 of the specification shows it.
 *
 * @param writer the engine that waits
 * @param stampNanos that engine's stamp of the round that sent it first; with {@code writer} it names the ticket for ever
 * @param holder for which the lease is wanted
 * @param priority the higher one goes first
 * @param comment text for people
 * @param stripes the minimum number of gate stripes of the tenure
 * @param payload what the holder will publish; null for nothing
 */
public record Waiter(
        String writer,
        long stampNanos,
        String holder,
        int priority,
        @Nullable String comment,
        int stripes,
        @Nullable String payload) {}
