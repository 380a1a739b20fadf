package dev.leasehold.engine.meters;

import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.store.ClockSurvey;
import dev.leasehold.engine.store.WriteOutcome.Verdict;
import dev.leasehold.engine.store.WriterEntry;
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
public final class QuietMeters implements EngineMeters {

    private static final Logger LOG = LoggerFactory.getLogger(QuietMeters.class);

    private final String namespace;
    private final EngineMeters meters;
    private final AtomicBoolean told = new AtomicBoolean();

    private QuietMeters(String namespace, EngineMeters meters) {
        this.namespace = namespace;
        this.meters = meters;
    }

    /**
     * Meters that never throw; none at all if they cannot even be made.
     *
     * @param namespace of the engine, for the log
     * @param making makes those behind
     */
    public static EngineMeters of(String namespace, Supplier<EngineMeters> making) {
        try {
            return new QuietMeters(namespace, making.get());
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
    public void operation(String kind, String lease, Outcome outcome, @Nullable LeaseStatus prior, long waitedNanos) {
        quietly(() -> meters.operation(kind, lease, outcome, prior, waitedNanos));
    }

    @Override
    public void transaction(Verdict verdict, int operations) {
        quietly(() -> meters.transaction(verdict, operations));
    }

    @Override
    public void clockHeld(long nanos) {
        quietly(() -> meters.clockHeld(nanos));
    }

    @Override
    public void commitEnded(long nanos) {
        quietly(() -> meters.commitEnded(nanos));
    }

    @Override
    public void resolved(Resolution resolution) {
        quietly(() -> meters.resolved(resolution));
    }

    @Override
    public void stuckTransactionEnded() {
        quietly(meters::stuckTransactionEnded);
    }

    @Override
    public void clockBlocked() {
        quietly(meters::clockBlocked);
    }

    @Override
    public void viewRead(long nanos) {
        quietly(() -> meters.viewRead(nanos));
    }

    @Override
    public void writersSeen(String partition, String own, Collection<WriterEntry> entries, long readEndedNanos) {
        quietly(() -> meters.writersSeen(partition, own, entries, readEndedNanos));
    }

    @Override
    public void surveyed(String partition, ClockSurvey survey) {
        quietly(() -> meters.surveyed(partition, survey));
    }

    @Override
    public void leasesWritten(Verdict verdict, long nanos) {
        quietly(() -> meters.leasesWritten(verdict, nanos));
    }

    @Override
    public void heartbeat(boolean acknowledged) {
        quietly(() -> meters.heartbeat(acknowledged));
    }

    @Override
    public void lost(LeaseLoss.Reason reason) {
        quietly(() -> meters.lost(reason));
    }

    @Override
    public void handedOver(long nanos) {
        quietly(() -> meters.handedOver(nanos));
    }

    @Override
    public void holdings(IntSupplier held, IntSupplier waiting) {
        quietly(() -> meters.holdings(held, waiting));
    }

    @Override
    public void close() {
        quietly(meters::close);
    }
}
