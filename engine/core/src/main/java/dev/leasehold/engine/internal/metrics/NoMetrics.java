package dev.leasehold.engine.internal.metrics;

import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.Collection;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Measures nothing. */
final class NoMetrics implements EngineMetrics {

    @Override
    public boolean measures() {
        return false;
    }

    @Override
    public void operation(
            String kind,
            String lease,
            OperationOutcome operationOutcome,
            @Nullable LeaseStatus prior,
            long waitedNanos) {}

    @Override
    public void transaction(Verdict verdict, int operations) {}

    @Override
    public void clockHeld(long nanos) {}

    @Override
    public void commitEnded(long nanos) {}

    @Override
    public void unknownResolved(Resolution resolution) {}

    @Override
    public void stuckTransactionEnded() {}

    @Override
    public void clockBlocked() {}

    @Override
    public void viewRead(long nanos) {}

    @Override
    public void writersSeen(String partition, String own, Collection<WriterEntry> entries, long readEndedNanos) {}

    @Override
    public void clockProbed(String partition, ClockSurvey survey) {}

    @Override
    public void leasesWritten(Verdict verdict, long nanos) {}

    @Override
    public void heartbeat(boolean acknowledged) {}

    @Override
    public void lost(LeaseLoss.Reason reason) {}

    @Override
    public void handedOver(long nanos) {}

    @Override
    public void holdings(IntSupplier held, IntSupplier waiting) {}

    @Override
    public void close() {}
}
