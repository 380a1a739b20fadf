package dev.leasehold.engine.meters;

import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.store.ClockSurvey;
import dev.leasehold.engine.store.WriteOutcome.Verdict;
import dev.leasehold.engine.store.WriterEntry;
import java.util.Collection;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Hands everything on to other meters, for those that leave a little out. */
abstract class ForwardingMeters implements EngineMeters {

    private final EngineMeters meters;

    ForwardingMeters(EngineMeters meters) {
        this.meters = meters;
    }

    @Override
    public boolean measures() {
        return meters.measures();
    }

    @Override
    public void operation(String kind, String lease, Outcome outcome, @Nullable LeaseStatus prior, long waitedNanos) {
        meters.operation(kind, lease, outcome, prior, waitedNanos);
    }

    @Override
    public void transaction(Verdict verdict, int operations) {
        meters.transaction(verdict, operations);
    }

    @Override
    public void clockHeld(long nanos) {
        meters.clockHeld(nanos);
    }

    @Override
    public void commitEnded(long nanos) {
        meters.commitEnded(nanos);
    }

    @Override
    public void resolved(Resolution resolution) {
        meters.resolved(resolution);
    }

    @Override
    public void stuckTransactionEnded() {
        meters.stuckTransactionEnded();
    }

    @Override
    public void clockBlocked() {
        meters.clockBlocked();
    }

    @Override
    public void viewRead(long nanos) {
        meters.viewRead(nanos);
    }

    @Override
    public void writersSeen(String own, Collection<WriterEntry> entries, long readEndedNanos) {
        meters.writersSeen(own, entries, readEndedNanos);
    }

    @Override
    public void surveyed(ClockSurvey survey) {
        meters.surveyed(survey);
    }

    @Override
    public void leasesWritten(Verdict verdict, long nanos) {
        meters.leasesWritten(verdict, nanos);
    }

    @Override
    public void heartbeat(boolean acknowledged) {
        meters.heartbeat(acknowledged);
    }

    @Override
    public void lost(LeaseLoss.Reason reason) {
        meters.lost(reason);
    }

    @Override
    public void handedOver(long nanos) {
        meters.handedOver(nanos);
    }

    @Override
    public void holdings(IntSupplier held, IntSupplier waiting) {
        meters.holdings(held, waiting);
    }

    @Override
    public void close() {
        meters.close();
    }
}
