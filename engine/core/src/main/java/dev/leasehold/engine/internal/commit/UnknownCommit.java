package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.StampClock;

/**
 * A transaction whose commit was sent and not answered.
 *
 * <p>The first step sends the commit again. If that is not answered either, a barrier ensures that the transaction is
 * over, and a read decides. All writes of a transaction landed, or none:
 *
 * <ol>
 *   <li>The writer's entry decides if it exists. A writer's transactions run one after the other, and only they set
 *       {@code txn}. So {@code txn} is the stamp of this transaction if and only if it landed, whatever other engines
 *       wrote since.
 *   <li>Without the entry, one lease that shows its write proves that the transaction landed.
 *   <li>Otherwise, one lease that is as it was before proves that it did not.
 *   <li>Otherwise the outcome will never be known.
 * </ol>
 */
final class UnknownCommit extends UnknownOutcome {

    private static final int REPEATED_COMMITS = 1;

    private final StampClock clock;

    UnknownCommit(WriteBatch writeBatch, LeaseException cause, StampClock clock) {
        super(writeBatch, cause);
        this.clock = clock;
    }

    @Override
    Finding step(LeaseStore store, int number) {
        return number <= REPEATED_COMMITS && !writeBatch().mayBeForgottenByServer(clock)
                ? commitAgain(store)
                : readAfterBarrier(store);
    }

    private Finding commitAgain(LeaseStore store) {
        WriteOutcome outcome = store.commitAgain();
        return switch (outcome.verdict()) {
            case APPLIED -> all();
            case UNKNOWN -> open(outcome.cause());
            default -> writeBatch().mayBeForgottenByServer(clock) ? open(outcome.cause()) : none();
        };
    }

    @Override
    Finding judge(Snapshot snapshot) {
        WriterEntry entry = snapshot.clock().writers().get(writeBatch().at().writer());
        if (entry instanceof WriterEntry.Sound sound) {
            Long newest = sound.transactionNanos();
            return newest != null && newest == writeBatch().at().stampNanos() ? all() : none();
        }
        if (!writeBatch().shownBy(snapshot.leases()).isEmpty()) {
            return all();
        }
        return writeBatch().untouchedIn(snapshot.leases()).isEmpty() ? Finding.FOREVER_UNKNOWN : none();
    }

    private Finding all() {
        return known(writeBatch());
    }

    private Finding none() {
        return known(writeBatch().none());
    }
}
