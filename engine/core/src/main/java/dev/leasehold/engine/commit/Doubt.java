package dev.leasehold.engine.commit;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.store.ClockWrite;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.store.Snapshot;
import dev.leasehold.engine.store.StoredLease;
import dev.leasehold.engine.store.WriteOutcome;
import dev.leasehold.engine.store.WriterEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transaction whose commit was sent and not answered, and how its outcome is found out. Used by the engine's own thread
 * alone.
 *
 * <p>First the commit is sent again. If that is not answered either, a barrier makes sure that the transaction is over.
 * Then the writer's entry tells: a writer's transactions run one after the other, and only they set {@code txn}, so it
 * holds the stamp of this one if and only if this one landed, whatever others wrote since.
 */
final class Doubt {

    /** What is known after a step. */
    enum Finding {
        /** The transaction was committed, by a majority. */
        LANDED,
        /** It was not, and never will be. */
        NOT_LANDED,
        /** Still in doubt. */
        OPEN,
        /** The entry that would tell is gone, and the leases do not show the write: nobody will ever know. */
        LOST
    }

    private static final int REPEATED_COMMITS = 1;

    private final Planned planned;
    private LeaseException cause;
    private int steps;

    Doubt(Planned planned, LeaseException cause) {
        this.planned = planned;
        this.cause = cause;
    }

    Planned planned() {
        return planned;
    }

    /** Why it is in doubt. */
    LeaseException cause() {
        return cause;
    }

    /** How many steps were taken in vain, and the first commit. */
    int failures() {
        return steps + 1;
    }

    /** One attempt to find out. */
    Finding step(LeaseStore store) {
        return ++steps <= REPEATED_COMMITS ? commitAgain(store) : lookBehindBarrier(store);
    }

    private Finding commitAgain(LeaseStore store) {
        WriteOutcome outcome = store.commitAgain();
        return switch (outcome.verdict()) {
            case APPLIED -> Finding.LANDED;
            case UNKNOWN -> open(outcome.cause());
            default -> Finding.NOT_LANDED;
        };
    }

    private Finding lookBehindBarrier(LeaseStore store) {
        WriteOutcome outcome = store.writeClock(new ClockWrite.Barrier(planned.at().writer()));
        return switch (outcome.verdict()) {
            case APPLIED -> look(store);
            // It matches any clock document: there is none any more.
            case MISSED -> Finding.LOST;
            default -> open(outcome.cause());
        };
    }

    private Finding look(LeaseStore store) {
        try {
            return judge(store.read(planned.names(), planned.at().writer()));
        } catch (LeaseException e) {
            return open(e);
        }
    }

    private Finding judge(Snapshot snapshot) {
        WriterEntry entry = snapshot.clock().writers().get(planned.at().writer());
        if (entry instanceof WriterEntry.Sound sound) {
            Long newest = sound.transactionNanos();
            return newest != null && newest == planned.at().stampNanos() ? Finding.LANDED : Finding.NOT_LANDED;
        }
        return showsMyWrite(snapshot.leases()) ? Finding.LANDED : Finding.LOST;
    }

    /** Without the entry, a lease that nobody wrote since tells the same; all of a batch landed, or none. */
    private boolean showsMyWrite(List<StoredLease> leases) {
        return leases.stream()
                .anyMatch(lease -> lease instanceof StoredLease.Sound sound
                        && sound.document().writer().equals(planned.at().writer())
                        && sound.document().writtenNanos() == planned.at().stampNanos());
    }

    private Finding open(@Nullable LeaseException trouble) {
        cause = trouble == null ? cause : trouble;
        return Finding.OPEN;
    }
}
