package dev.leasehold.engine.internal.metrics;

import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what goes wrong in a meter away from the engine: a commit that was acknowledged stays a yes, whatever a registry
 * throws. The first failure is logged, the others are not.
 */
public final class SafeMetrics implements EngineMetrics {

    private static final Logger LOG = LoggerFactory.getLogger(SafeMetrics.class);

    private final String namespace;
    private final EngineMetrics metrics;
    private final AtomicBoolean told = new AtomicBoolean();

    private SafeMetrics(String namespace, EngineMetrics metrics) {
        this.namespace = namespace;
        this.metrics = metrics;
    }

    /**
     * Meters that never throw; none at all if they cannot even be made.
     *
     * @param namespace of the engine, for the log
     * @param making makes those behind
     */
    public static EngineMetrics of(String namespace, Supplier<EngineMetrics> making) {
        try {
            return new SafeMetrics(namespace, making.get());
        } catch (RuntimeException e) {
            LOG.warn("namespace '{}': the meters could not be made, and nothing is measured", namespace, e);
            return NONE;
        }
    }

    private void quietly(Runnable measuring) {
        try {
            measuring.run();
        } catch (RuntimeException e) {
            if (told.compareAndSet(false, true)) {
                LOG.warn("namespace '{}': a meter failed; the engine goes on, and does not say so again", namespace, e);
            }
        }
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
        quietly(() -> metrics.operation(kind, lease, operationOutcome, prior, waitedNanos));
    }

    @Override
    public void transaction(Verdict verdict, int operations) {
        quietly(() -> metrics.transaction(verdict, operations));
    }

    @Override
    public void clockHeld(long nanos) {
        quietly(() -> metrics.clockHeld(nanos));
    }

    @Override
    public void commitEnded(long nanos) {
        quietly(() -> metrics.commitEnded(nanos));
    }

    @Override
    public void unknownResolved(Resolution resolution) {
        quietly(() -> metrics.unknownResolved(resolution));
    }

    @Override
    public void stuckTransactionEnded() {
        quietly(metrics::stuckTransactionEnded);
    }

    @Override
    public void clockBlocked() {
        quietly(metrics::clockBlocked);
    }

    @Override
    public void viewRead(long nanos) {
        quietly(() -> metrics.viewRead(nanos));
    }

    @Override
    public void writersSeen(String partition, String own, Collection<WriterEntry> entries, long readEndedNanos) {
        quietly(() -> metrics.writersSeen(partition, own, entries, readEndedNanos));
    }

    @Override
    public void clockProbed(String partition, ClockSurvey survey) {
        quietly(() -> metrics.clockProbed(partition, survey));
    }

    @Override
    public void leasesWritten(Verdict verdict, long nanos) {
        quietly(() -> metrics.leasesWritten(verdict, nanos));
    }

    @Override
    public void heartbeat(boolean acknowledged) {
        quietly(() -> metrics.heartbeat(acknowledged));
    }

    @Override
    public void lost(LeaseLoss.Reason reason) {
        quietly(() -> metrics.lost(reason));
    }

    @Override
    public void handedOver(long nanos) {
        quietly(() -> metrics.handedOver(nanos));
    }

    @Override
    public void holdings(IntSupplier held, IntSupplier waiting) {
        quietly(() -> metrics.holdings(held, waiting));
    }

    @Override
    public void close() {
        quietly(metrics::close);
    }
}
