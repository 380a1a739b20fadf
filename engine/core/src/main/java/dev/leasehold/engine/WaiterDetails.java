package dev.leasehold.engine;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One ticket in the wait queue of a lease.
 *
 * @param position in the order in which the waiters are served, from 1
 * @param writer the engine that waits, as {@link WriterState#writer} names it
 * @param holder for which it waits
 * @param priority the higher one goes first
 * @param comment what the lease is wanted for; null for nothing
 * @param since when its ticket was made, by the wall clock of the engine that waits
 * @param present whether that engine has an entry in the clock document; one without never gets the lease
 * @param waited how long it has waited as far as is known: by the time of its engine, from its ticket to the newest sign of life; null without an entry
 */
public record WaiterDetails(
        int position,
        String writer,
        String holder,
        int priority,
        @Nullable String comment,
        Instant since,
        boolean present,
        @Nullable Duration waited) {

    /** {@return the instance of the engine that waits, with {@code ~} for each dot} */
    public String instance() {
        return writer.substring(0, Math.max(0, writer.lastIndexOf('#')));
    }
}
