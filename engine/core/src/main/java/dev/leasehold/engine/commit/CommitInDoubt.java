package dev.leasehold.engine.commit;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.store.Snapshot;
import dev.leasehold.engine.store.WriteOutcome;
import dev.leasehold.engine.store.WriterEntry;
import dev.leasehold.engine.time.StampClock;

/**
 * A transaction whose commit was sent and not answered.
 *
 * <p>First the commit is sent again. If that is not answered either, a barrier makes sure that the transaction is over.
 * Then the writer's entry tells: a writer's transactions run one after the other, and only they set {@code txn}, so it
 * holds the stamp of this one if and only if this one landed, whatever others wrote since. Without the entry, a lease that
 * nobody wrote since tells the same, and so does one that is still what it was before; all of a batch landed, or none.
 */
final class CommitInDoubt extends Doubt {

    private static final int REPEATED_COMMITS = 1;

    private final StampClock clock;

    CommitInDoubt(Planned planned, LeaseException cause, StampClock clock) {
        super(planned, cause);
        this.clock = clock;
    }

    @Override
    Finding step(LeaseStore store, int number) {
        return number <= REPEATED_COMMITS && !planned().mayBeForgotten(clock)
                ? commitAgain(store)
                : lookBehindBarrier(store);
    }

    private Finding commitAgain(LeaseStore store) {
        WriteOutcome outcome = store.commitAgain();
        return switch (outcome.verdict()) {
            case APPLIED -> all();
            case UNKNOWN -> open(outcome.cause());
            default -> planned().mayBeForgotten(clock) ? open(outcome.cause()) : none();
        };
    }

    @Override
    Finding judge(Snapshot snapshot) {
        WriterEntry entry = snapshot.clock().writers().get(planned().at().writer());
        if (entry instanceof WriterEntry.Sound sound) {
            Long newest = sound.transactionNanos();
            return newest != null && newest == planned().at().stampNanos() ? all() : none();
        }
        if (!planned().shownBy(snapshot.leases()).isEmpty()) {
            return all();
        }
        return planned().untouchedIn(snapshot.leases()).isEmpty() ? Finding.LOST : none();
    }

    private Finding all() {
        return known(planned());
    }

    private Finding none() {
        return known(planned().none());
    }
}
