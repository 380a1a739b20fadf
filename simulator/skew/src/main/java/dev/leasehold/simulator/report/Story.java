package dev.leasehold.simulator.report;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A history as spans instead of instants: what a picture shows. All instants are true time; {@link Long#MAX_VALUE} is the end of what never
 * ended.
 *
 * @param runs when engines were running
 * @param calls what was asked of them
 * @param beliefs what they said about tenures
 * @param faults what befell machines and the database
 * @param marks single instants of machines
 * @param stored what lease documents said
 * @param commits writes that the primary carried out
 * @param healedNanos when the faults were over; MAX_VALUE if they never were
 */
record Story(
        List<Run> runs,
        List<Call> calls,
        List<Belief> beliefs,
        List<Event.Fault> faults,
        List<Mark> marks,
        List<Stored> stored,
        List<Commit> commits,
        long healedNanos) {

    /** An engine from its start to its end. */
    record Run(int machine, int incarnation, long fromNanos, long toNanos, boolean crashed) {}

    /**
     * A call.
     *
     * @param answer null if it never returned
     * @param resolution what became of it after an unknown answer; null if nobody found out
     */
    record Call(
            int number,
            int machine,
            Operation operation,
            long fromNanos,
            long toNanos,
            @Nullable Answer answer,
            @Nullable Answer resolution,
            long resolvedNanos) {}

    /**
     * A machine's belief in a tenure.
     *
     * @param ended how, in a word
     */
    record Belief(int machine, HeldTenure tenure, long fromNanos, long toNanos, String ended) {}

    /** Something at an instant: a lost message, a loss that was reported, an error. */
    record Mark(int machine, long atNanos, String label, String text) {}

    /**
     * What the document of a lease said for a while.
     *
     * @param row null when there was no document
     * @param author null where it is what a fail-over left
     * @param takenBack whether a fail-over ended it
     */
    record Stored(
            String lease,
            @Nullable LeaseRow row,
            @Nullable Author author,
            long version,
            long fromNanos,
            long toNanos,
            boolean takenBack) {}

    /** A write. */
    record Commit(
            long version, Author author, List<Change> changes, long atNanos, long majorityNanos, long takenBackNanos) {

        boolean isTakenBack() {
            return takenBackNanos != Long.MAX_VALUE;
        }
    }
}
