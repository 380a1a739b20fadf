package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseGuard;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes whose outcome is unknown, and how it is resolved. A barrier write ensures that they are no longer under way; a
 * read after it shows which of them landed. Engine thread only.
 *
 * <p>A transaction landed as a whole or not at all. The first step sends its commit again. Then these decide, in order:
 *
 * <ol>
 *   <li>The writer's entry, if it exists. A writer's transactions run one after the other, and only they set {@code txn}.
 *       So {@code txn} is the stamp of this transaction if and only if it landed, whatever other engines wrote since.
 *   <li>One lease that shows its write proves that the transaction landed.
 *   <li>One lease that is as it was before proves that it did not.
 *   <li>Otherwise the outcome will never be known.
 * </ol>
 *
 * <p>Of single writes each lease shows its own outcome. One that another engine has written since shows nothing, but then
 * the tenure in question is over, and the next decision on the operation finds that.
 */
final class UnknownOutcome {

    enum Evidence {
        LANDED,
        /** It did not land and never will. */
        NOT_LANDED,
        /** Nothing, since another engine wrote the lease later. */
        OVERWRITTEN,
        /** Nothing, for ever: the clock document is gone, or the lease document is damaged and may reappear repaired. */
        LOST
    }

    private final WriteBatch writeBatch;
    private final StampClock clock;
    private final boolean transaction;
    private final boolean mayBeUnderWay;
    /** What each lease shows by itself; empty if none was read. */
    private final Map<String, Evidence> shown = new HashMap<>();
    /** What is known of all writes together; null if each has what its lease shows. */
    private @Nullable Evidence ofAll;

    private LeaseException cause;
    private int steps;

    private UnknownOutcome(
            WriteBatch writeBatch, LeaseException cause, StampClock clock, boolean transaction, boolean mayBeUnderWay) {
        this.writeBatch = writeBatch;
        this.cause = cause;
        this.clock = clock;
        this.transaction = transaction;
        this.mayBeUnderWay = mayBeUnderWay;
    }

    /** A transaction whose commit was sent and not answered. */
    static UnknownOutcome ofTransaction(WriteBatch writeBatch, LeaseException cause, StampClock clock) {
        return new UnknownOutcome(writeBatch, cause, clock, true, true);
    }

    /**
     * Single writes sent in one command, each of which may have landed or not.
     *
     * @param mayBeUnderWay whether the server may still be executing the command; then a barrier is needed before the read
     */
    static UnknownOutcome ofWrites(
            WriteBatch writeBatch, LeaseException cause, StampClock clock, boolean mayBeUnderWay) {
        return new UnknownOutcome(writeBatch, cause, clock, false, mayBeUnderWay);
    }

    WriteBatch writeBatch() {
        return writeBatch;
    }

    boolean isTransaction() {
        return transaction;
    }

    LeaseException cause() {
        return cause;
    }

    /** The writes of which this is known; none as long as the outcome is unknown. */
    WriteBatch having(Evidence kind) {
        return ofAll == null ? showing(kind) : writeBatch.filter(step -> ofAll == kind);
    }

    /** The writes of which the lease shows this by itself, whatever else is known. */
    WriteBatch showing(Evidence kind) {
        return writeBatch.filter(step -> shown.get(step.operation().name()) == kind);
    }

    /** Failures so far: the original attempt and each step. */
    int failures() {
        return steps + 1;
    }

    /** One attempt to resolve it. Returns whether all is known now that ever will be. */
    boolean resolve(LeaseStore store) {
        steps++;
        if (transaction && steps == 1 && !writeBatch.mayBeForgottenByServer(clock)) {
            return commitAgain(store);
        }
        return mayBeUnderWay ? readAfterBarrier(store) : readBack(store);
    }

    private boolean commitAgain(LeaseStore store) {
        WriteOutcome outcome = store.commitAgain();
        return switch (outcome.verdict()) {
            case APPLIED -> all(Evidence.LANDED);
            case UNKNOWN -> open(outcome.cause());
            default -> writeBatch.mayBeForgottenByServer(clock) ? open(outcome.cause()) : all(Evidence.NOT_LANDED);
        };
    }

    private boolean readAfterBarrier(LeaseStore store) {
        WriteOutcome outcome =
                store.writeClock(new ClockWrite.Barrier(writeBatch.at().writer()));
        return switch (outcome.verdict()) {
            case APPLIED -> readBack(store);
            // A barrier matches any clock document, so there is none any more.
            case MISSED -> all(Evidence.LOST);
            default -> open(outcome.cause());
        };
    }

    private boolean readBack(LeaseStore store) {
        try {
            Snapshot snapshot = store.read(writeBatch.names(), writeBatch.at().writer());
            compareLeases(snapshot);
            return transaction ? all(ofTransaction(snapshot)) : true;
        } catch (LeaseException e) {
            return open(e);
        }
    }

    private Evidence ofTransaction(Snapshot snapshot) {
        if (snapshot.clock().writers().get(writeBatch.at().writer()) instanceof WriterEntry.Sound entry) {
            return Objects.equals(entry.transactionNanos(), writeBatch.at().stampNanos())
                    ? Evidence.LANDED
                    : Evidence.NOT_LANDED;
        }
        if (shown.containsValue(Evidence.LANDED)) {
            return Evidence.LANDED;
        }
        return shown.containsValue(Evidence.NOT_LANDED) ? Evidence.NOT_LANDED : Evidence.LOST;
    }

    private void compareLeases(Snapshot snapshot) {
        Map<String, StoredLease> found = new HashMap<>();
        snapshot.leases().forEach(lease -> found.put(lease.name(), lease));
        for (WriteBatch.Step step : writeBatch.steps()) {
            LeaseWrite write = step.decision().write();
            shown.put(write.name(), compare(write, found.get(write.name())));
        }
    }

    private static Evidence compare(LeaseWrite write, @Nullable StoredLease found) {
        if (found instanceof StoredLease.Corrupt) {
            return Evidence.LOST;
        }
        LeaseGuard guard =
                found instanceof StoredLease.Sound sound ? sound.document().guard() : null;
        if (write instanceof LeaseWrite.OfQueue) {
            // Done twice it does no harm.
            return Evidence.NOT_LANDED;
        }
        // A removal leaves no lease, and a pin does not show which write set it.
        if (write instanceof LeaseWrite.Insert insert) {
            return insert.document().guard().equals(guard) ? Evidence.LANDED : Evidence.OVERWRITTEN;
        }
        if (write instanceof LeaseWrite.Replace replace) {
            return replace.document().guard().equals(guard)
                    ? Evidence.LANDED
                    : replace.guard().equals(guard) ? Evidence.NOT_LANDED : Evidence.OVERWRITTEN;
        }
        return Evidence.OVERWRITTEN;
    }

    private boolean all(Evidence kind) {
        ofAll = kind;
        return true;
    }

    private boolean open(@Nullable LeaseException failure) {
        cause = failure == null ? cause : failure;
        return false;
    }
}
