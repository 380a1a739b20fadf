package dev.leasehold.simulator.history;

import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** What a write changed. */
public sealed interface Change {

    /**
     * A lease document. At least one of the two is there.
     *
     * @param before null when there was none
     * @param after null when there is none any more
     */
    record OfLease(
            String lease,
            @Nullable LeaseRow before,
            @Nullable LeaseRow after) implements Change {}

    /**
     * A gate stripe.
     *
     * @param after null when it is removed
     */
    record OfStripe(String lease, int stripe, @Nullable StripeRow after) implements Change {}

    /**
     * A clock document.
     *
     * @param partition which one, from 0
     * @param before what it was; that of one that was just made is empty
     */
    record OfClock(int partition, ClockRow before, ClockRow after) implements Change {

        /** That of the first partition. */
        public OfClock(ClockRow before, ClockRow after) {
            this(0, before, after);
        }
    }

    /**
     * The record of an occurrence of the work of a lease.
     *
     * @param holder that did it; null when the record is removed
     */
    record OfOccurrence(
            String lease, String occurrence, @Nullable String holder, long token) implements Change {}

    /**
     * A queue document.
     *
     * @param tickets those that stand in it now, in their order
     */
    record OfQueue(String lease, List<TicketRow> tickets) implements Change {

        public OfQueue {
            tickets = List.copyOf(tickets);
        }
    }

    /** A document of a caller's own. */
    record OfCaller(String document, long value) implements Change {}

    /**
     * A lease document.
     *
     * @param holder null when it is vacant
     * @param writer the engine that wrote it last
     * @param writtenNanos that engine's stamp
     * @param expiryNanos on that engine's clock; null without a term
     * @param gates how many assertions were made
     * @param sound false for a damaged one, of which the rest means nothing
     */
    record LeaseRow(
            @Nullable String holder,
            long token,
            String writer,
            long writtenNanos,
            @Nullable Long expiryNanos,
            long gates,
            Set<String> pins,
            boolean sound) {}

    /**
     * A gate stripe.
     *
     * @param holder null when its lease is vacant
     * @param gates how many assertions were made on it
     */
    record StripeRow(@Nullable String holder, long token, long gates) {}

    /**
     * A ticket. The writer and its stamp name it for ever.
     *
     * @param holder that it is to hold the lease for
     */
    record TicketRow(String writer, long stampNanos, String holder, int priority) {}

    /**
     * The clock document.
     *
     * @param ticks +1 at every write
     * @param tokenFloor a new lease document starts above it
     * @param writers all entries, by name
     */
    record ClockRow(long ticks, long tokenFloor, SortedMap<String, WriterRow> writers) {}

    /**
     * An entry of the clock document.
     *
     * @param timeNanos its newest stamp
     * @param transactionNanos the stamp of its newest transaction; null before the first
     * @param sessionNanos the length of its session; null without one
     */
    record WriterRow(
            long timeNanos,
            @Nullable Long transactionNanos,
            @Nullable Long sessionNanos) {}
}
