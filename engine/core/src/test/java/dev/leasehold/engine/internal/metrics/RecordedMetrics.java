package dev.leasehold.engine.internal.metrics;

import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Writes every report down in words; after it is broken, every report throws. */
public final class RecordedMetrics implements EngineMetrics {

    private final List<String> reports = new ArrayList<>();
    private boolean broken;

    public List<String> reports() {
        return reports;
    }

    public void breakDown() {
        broken = true;
    }

    private void report(Object... words) {
        if (broken) {
            throw new IllegalStateException("scripted failure of a meter");
        }
        List<String> texts = new ArrayList<>();
        for (Object word : words) {
            texts.add(String.valueOf(word));
        }
        reports.add(String.join(" ", texts));
    }

    @Override
    public boolean measures() {
        return true;
    }

    @Override
    public void operation(
            String kind,
            String lease,
            OperationOutcome operationOutcome,
            @Nullable LeaseStatus prior,
            long waitedNanos) {
        report(kind, lease, operationOutcome, prior, waitedNanos);
    }

    @Override
    public void transaction(Verdict verdict, int operations) {
        report("transaction", verdict, operations);
    }

    @Override
    public void clockHeld(long nanos) {
        report("held", nanos);
    }

    @Override
    public void commitEnded(long nanos) {
        report("commit", nanos);
    }

    @Override
    public void unknownResolved(Resolution resolution) {
        report("resolved", resolution);
    }

    @Override
    public void stuckTransactionEnded() {
        report("stuck");
    }

    @Override
    public void clockBlocked() {
        report("blocked");
    }

    @Override
    public void viewRead(long nanos) {
        report("read", nanos);
    }

    @Override
    public void writersSeen(String partition, String own, Collection<WriterEntry> entries, long readEndedNanos) {
        report(
                "seen",
                partition,
                own,
                entries.stream().map(WriterEntry::writer).sorted().toList(),
                readEndedNanos);
    }

    @Override
    public void clockProbed(String partition, ClockSurvey survey) {
        report("surveyed", partition, survey.sizeBytes());
    }

    @Override
    public void leasesWritten(Verdict verdict, long nanos) {
        report("leases", verdict, nanos);
    }

    @Override
    public void heartbeat(boolean acknowledged) {
        report("heartbeat", acknowledged);
    }

    @Override
    public void lost(LeaseLoss.Reason reason) {
        report("lost", reason);
    }

    @Override
    public void handedOver(long nanos) {
        report("handed over", nanos);
    }

    @Override
    public void holdings(IntSupplier held, IntSupplier waiting) {
        report("holdings", held.getAsInt(), waiting.getAsInt());
    }

    @Override
    public void close() {
        report("close");
    }
}
