package dev.leasehold.engine.internal.metrics;

import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.internal.store.WriterEntry;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Meters in a Micrometer registry. All whose tags are known beforehand are there from the start, with a count of zero, so
 * that the first event of a rare kind is seen as a change.
 */
public final class MicrometerMetrics implements EngineMetrics {

    private final MeterRegistry registry;
    private final Tags tags;
    private final boolean leaseNames;

    private final Map<Verdict, Counter> transactions;
    private final Map<Resolution, Counter> resolutions;
    private final DistributionSummary groupSize;
    private final Timer clockHold;
    private final Timer commit;
    private final Timer readWindow;
    private final Counter stuckTransactions;
    private final Counter clockBlocked;
    private final Map<Verdict, Timer> leaseWrites;
    private final Counter heartbeatsAcknowledged;
    private final Counter heartbeatsFailed;
    private final Map<LeaseLoss.Reason, Counter> losses;
    private final Timer handover;
    private final ClockProbeGauges gauges;
    private volatile @Nullable HeldLeaseGauges holdings;

    /**
     * Meters of one namespace.
     *
     * @param registry where they are kept
     * @param namespace a tag of all of them
     * @param leaseNames whether the lease is a tag of its operations
     */
    public MicrometerMetrics(MeterRegistry registry, String namespace, boolean leaseNames) {
        this.registry = registry;
        this.tags = Tags.of("namespace", namespace);
        this.leaseNames = leaseNames;
        transactions = each(
                Verdict.class,
                verdict -> counter("leasehold.transactions", "Transactions tried", tags.and("verdict", word(verdict))));
        resolutions = each(
                Resolution.class,
                resolution -> counter(
                        "leasehold.unknown.resolved",
                        "Unknown outcomes that were resolved",
                        tags.and("resolution", word(resolution))));
        groupSize = DistributionSummary.builder("leasehold.group.size")
                .description("Operations that shared one transaction")
                .tags(tags)
                .register(registry);
        clockHold = timer("leasehold.clock.hold", "From sending a transaction whose guards held to its end", tags);
        commit = timer("leasehold.commit", "From sending a commit to its answer", tags);
        readWindow = timer("leasehold.read.window", "Reads from which waits for an expiry are counted", tags);
        stuckTransactions = counter("leasehold.stuck.transactions", "Stuck transactions of other engines ended", tags);
        clockBlocked = counter("leasehold.clock.blocked", "Times the clock document was blocked for a second", tags);
        leaseWrites = each(
                Verdict.class,
                verdict -> timer(
                        "leasehold.lease.writes",
                        "Writes of leases without a transaction",
                        tags.and("verdict", word(verdict))));
        heartbeatsAcknowledged = heartbeats("acknowledged");
        heartbeatsFailed = heartbeats("failed");
        losses = each(
                LeaseLoss.Reason.class,
                reason -> counter(
                        "leasehold.losses",
                        "Tenures that ended without their holder's doing",
                        tags.and("reason", word(reason))));
        handover =
                timer("leasehold.handover", "From waking a waiter of a released lease until it holds the lease", tags);
        gauges = new ClockProbeGauges(registry, tags);
    }

    private static <K extends Enum<K>, M> Map<K, M> each(Class<K> keys, Function<K, M> meter) {
        Map<K, M> meters = new EnumMap<>(keys);
        for (K key : keys.getEnumConstants()) {
            meters.put(key, meter.apply(key));
        }
        return meters;
    }

    private Counter heartbeats(String outcome) {
        return counter("leasehold.heartbeats", "Heartbeats sent", tags.and("outcome", outcome));
    }

    /** Without a base unit, as all counts: Prometheus would make it part of the name. */
    private Counter counter(String name, String description, Tags tags) {
        return Counter.builder(name).description(description).tags(tags).register(registry);
    }

    private Timer timer(String name, String description, Tags tags) {
        return Timer.builder(name).description(description).tags(tags).register(registry);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
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
        Tags all = tags.and(
                "operation",
                kind,
                "outcome",
                word(operationOutcome),
                "status",
                prior == null ? "unknown" : word(prior));
        Timer.builder("leasehold.operations")
                .description("Operations, as long as their callers waited")
                .tags(leaseNames ? all.and("lease", lease) : all)
                .register(registry)
                .record(waitedNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void transaction(Verdict verdict, int operations) {
        Objects.requireNonNull(transactions.get(verdict)).increment();
        groupSize.record(operations);
    }

    @Override
    public void clockHeld(long nanos) {
        clockHold.record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void commitEnded(long nanos) {
        commit.record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void unknownResolved(Resolution resolution) {
        Objects.requireNonNull(resolutions.get(resolution)).increment();
    }

    @Override
    public void stuckTransactionEnded() {
        stuckTransactions.increment();
    }

    @Override
    public void clockBlocked() {
        clockBlocked.increment();
    }

    @Override
    public void viewRead(long nanos) {
        readWindow.record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void writersSeen(String partition, String own, Collection<WriterEntry> entries, long readEndedNanos) {
        gauges.seen(partition, own, entries, readEndedNanos);
    }

    @Override
    public void clockProbed(String partition, ClockSurvey survey) {
        gauges.surveyed(partition, survey);
    }

    @Override
    public void leasesWritten(Verdict verdict, long nanos) {
        Objects.requireNonNull(leaseWrites.get(verdict)).record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void heartbeat(boolean acknowledged) {
        (acknowledged ? heartbeatsAcknowledged : heartbeatsFailed).increment();
    }

    @Override
    public void lost(LeaseLoss.Reason reason) {
        Objects.requireNonNull(losses.get(reason)).increment();
    }

    @Override
    public void handedOver(long nanos) {
        handover.record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void holdings(IntSupplier held, IntSupplier waiting) {
        HeldLeaseGauges shown = new HeldLeaseGauges(registry, tags, held, waiting);
        shown.open();
        holdings = shown;
    }

    @Override
    public void close() {
        HeldLeaseGauges shown = holdings;
        if (shown != null) {
            shown.close();
        }
        gauges.close();
    }
}
