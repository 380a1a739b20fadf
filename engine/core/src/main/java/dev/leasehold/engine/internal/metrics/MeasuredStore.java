package dev.leasehold.engine.internal.metrics;

import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.ForwardingStore;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.internal.time.EngineClock;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A store whose transactions, heartbeats and single writes of leases are measured from outside; the rest passes through. */
public final class MeasuredStore extends ForwardingStore {

    private final EngineClock clock;
    private final EngineMetrics metrics;

    public MeasuredStore(LeaseStore store, EngineClock clock, EngineMetrics metrics) {
        super(store);
        this.clock = clock;
        this.metrics = metrics;
    }

    @Override
    public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        Course course = new Course(mayCommit);
        WriteOutcome outcome = super.commit(transaction, course);
        metrics.transaction(outcome.verdict(), transaction.writes().size());
        course.ended();
        return outcome;
    }

    /**
     * The course of one transaction. The question comes after its update was answered and all guards held: from then on it
     * certainly has the clock document. When the server took it for the transaction is not known, only that it was not
     * before the update was sent.
     */
    private final class Course implements BooleanSupplier {

        private final BooleanSupplier mayCommit;
        private final long beganNanos = clock.monotonicNanos();
        private boolean hasClock;
        private boolean committing;
        private long commitBeganNanos;

        Course(BooleanSupplier mayCommit) {
            this.mayCommit = mayCommit;
        }

        @Override
        public boolean getAsBoolean() {
            hasClock = true;
            committing = mayCommit.getAsBoolean();
            commitBeganNanos = clock.monotonicNanos();
            return committing;
        }

        void ended() {
            long endedNanos = clock.monotonicNanos();
            if (hasClock) {
                metrics.clockHeld(endedNanos - beganNanos);
            }
            if (committing) {
                metrics.commitEnded(endedNanos - commitBeganNanos);
            }
        }
    }

    @Override
    public WriteOutcome commitAgain() {
        long beganNanos = clock.monotonicNanos();
        WriteOutcome outcome = super.commitAgain();
        metrics.commitEnded(clock.monotonicNanos() - beganNanos);
        return outcome;
    }

    @Override
    public WriteOutcome writeClock(ClockWrite write) {
        WriteOutcome outcome = super.writeClock(write);
        if (write instanceof ClockWrite.Heartbeat) {
            metrics.heartbeat(outcome.verdict() == Verdict.APPLIED);
        }
        return outcome;
    }

    @Override
    public WriteOutcome writeLeases(String writer, List<LeaseWrite.Replace> writes) {
        long beganNanos = clock.monotonicNanos();
        WriteOutcome outcome = super.writeLeases(writer, writes);
        metrics.leasesWritten(outcome.verdict(), clock.monotonicNanos() - beganNanos);
        return outcome;
    }
}
