package dev.leasehold.engine.internal.metrics;

import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.internal.metrics.EngineEvent.ClockBlocked;
import dev.leasehold.engine.internal.metrics.EngineEvent.ClockHeld;
import dev.leasehold.engine.internal.metrics.EngineEvent.ClockSurveyed;
import dev.leasehold.engine.internal.metrics.EngineEvent.CommitEnded;
import dev.leasehold.engine.internal.metrics.EngineEvent.HandOverAcknowledged;
import dev.leasehold.engine.internal.metrics.EngineEvent.HandOverKind;
import dev.leasehold.engine.internal.metrics.EngineEvent.HandedOver;
import dev.leasehold.engine.internal.metrics.EngineEvent.HeartbeatEnded;
import dev.leasehold.engine.internal.metrics.EngineEvent.LeasesRead;
import dev.leasehold.engine.internal.metrics.EngineEvent.LeasesWritten;
import dev.leasehold.engine.internal.metrics.EngineEvent.OperationEnded;
import dev.leasehold.engine.internal.metrics.EngineEvent.QueueViewed;
import dev.leasehold.engine.internal.metrics.EngineEvent.Resolution;
import dev.leasehold.engine.internal.metrics.EngineEvent.StuckTransactionEnded;
import dev.leasehold.engine.internal.metrics.EngineEvent.TenureLost;
import dev.leasehold.engine.internal.metrics.EngineEvent.TransactionTried;
import dev.leasehold.engine.internal.metrics.EngineEvent.UnknownResolved;
import dev.leasehold.engine.internal.metrics.EngineEvent.WritersRead;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Meters in a Micrometer registry. Every meter whose tags are known beforehand is registered at once with a count of zero, so that
 * the first event of a rare kind shows as a change.
 *
 * <p>What the registry throws is caught, so that no meter fails an operation: a commit that was acknowledged stays granted. That is any
 * exception, of code in other languages too, and an error of linkage: what Micrometer needs for histograms may be left out.
 */
public final class MicrometerMetrics implements EngineMetrics {

    private static final Logger LOG = LoggerFactory.getLogger(MicrometerMetrics.class);

    private final MeterRegistry registry;
    private final String namespace;
    private final Tags tags;
    private final boolean leaseNames;
    private final ClockProbeGauges probeGauges;
    private final Map<OperationKey, Timer> operationTimers = new ConcurrentHashMap<>();

    /** One for each type of event; Java 17 has no switch over sealed types yet. */
    private final Map<Class<? extends EngineEvent>, Consumer<EngineEvent>> handlers = new HashMap<>();

    private final AtomicBoolean failureLogged = new AtomicBoolean();
    private volatile @Nullable HeldLeaseGauges heldLeaseGauges;

    /** What tells the timers of {@code leasehold.operations} apart; the lease is empty if its name is no tag. */
    private record OperationKey(
            String kind, OperationOutcome outcome, @Nullable LeaseStatus prior, String lease) {}

    /**
     * Meters of one namespace; {@link EngineMetrics#NONE} if they cannot be made.
     *
     * @param leaseNames whether the lease is a tag of its operations
     */
    public static EngineMetrics of(MeterRegistry registry, String namespace, boolean leaseNames) {
        try {
            return new MicrometerMetrics(registry, namespace, leaseNames);
        } catch (Exception | LinkageError e) {
            LOG.warn("namespace '{}': the meters could not be made, and nothing is measured", namespace, e);
            return NONE;
        }
    }

    MicrometerMetrics(MeterRegistry registry, String namespace, boolean leaseNames) {
        this.registry = registry;
        this.namespace = namespace;
        this.tags = Tags.of("lease.namespace", namespace);
        this.leaseNames = leaseNames;
        this.probeGauges = new ClockProbeGauges(registry, tags);
        on(OperationEnded.class, this::onOperation);
        handleTransactions();
        handleClock();
        handleLeases();
    }

    private void onOperation(OperationEnded ended) {
        OperationKey key =
                new OperationKey(ended.kind(), ended.outcome(), ended.prior(), leaseNames ? ended.lease() : "");
        operationTimers.computeIfAbsent(key, this::operationTimer).record(ended.waitedNanos(), TimeUnit.NANOSECONDS);
    }

    private void handleTransactions() {
        Function<Verdict, Counter> transactions =
                each(Verdict.class, "verdict", all -> counter("leasehold.transactions", "Transactions tried", all));
        DistributionSummary groupSize = summary("leasehold.group.size", "Operations that shared one transaction");
        on(TransactionTried.class, tried -> {
            transactions.apply(tried.verdict()).increment();
            groupSize.record(tried.operations());
        });
        time(CommitEnded.class, CommitEnded::nanos, "leasehold.commit", "From sending a commit to its answer");
        Function<Resolution, Counter> resolutions = each(
                Resolution.class,
                "resolution",
                all -> counter("leasehold.unknown.resolved", "Unknown outcomes that were resolved", all));
        on(UnknownResolved.class, it -> resolutions.apply(it.resolution()).increment());
        count(StuckTransactionEnded.class, "leasehold.stuck.transactions", "Stuck transactions of other engines ended");
    }

    private void handleClock() {
        time(
                ClockHeld.class,
                ClockHeld::nanos,
                "leasehold.clock.hold",
                "From sending a transaction whose guards held to its end");
        count(
                ClockBlocked.class,
                "leasehold.clock.blocked",
                "Attempts to free a clock document that was blocked for a second");
        on(WritersRead.class, probeGauges::onWritersRead);
        on(ClockSurveyed.class, probeGauges::onSurveyed);
        Counter acknowledged = heartbeats("acknowledged");
        Counter failed = heartbeats("failed");
        on(HeartbeatEnded.class, ended -> (ended.acknowledged() ? acknowledged : failed).increment());
    }

    private void handleLeases() {
        time(
                LeasesRead.class,
                LeasesRead::nanos,
                "leasehold.read.window",
                "Reads from which waits for an expiry are counted");
        Function<Verdict, Timer> writes = each(
                Verdict.class,
                "verdict",
                all -> timer("leasehold.lease.writes", "Writes of leases without a transaction", all));
        on(LeasesWritten.class, it -> writes.apply(it.verdict()).record(it.nanos(), TimeUnit.NANOSECONDS));
        Function<LeaseLoss.Reason, Counter> losses = each(
                LeaseLoss.Reason.class,
                "reason",
                all -> counter("leasehold.losses", "Tenures that ended without their holder's doing", all));
        on(TenureLost.class, it -> losses.apply(it.reason()).increment());
        handleQueues();
    }

    private void handleQueues() {
        Function<HandOverKind, Counter> kinds = each(
                HandOverKind.class,
                "kind",
                all -> counter("leasehold.handovers", "What became of leases that were waited for", all));
        on(HandedOver.class, it -> kinds.apply(it.kind()).increment());
        time(
                HandOverAcknowledged.class,
                HandOverAcknowledged::nanos,
                "leasehold.handover",
                "From the begin of a release until it is acknowledged, if it has begun the next tenure");
        DistributionSummary length = summary("leasehold.queue.length", "Tickets in the queues that were read");
        on(QueueViewed.class, it -> length.record(it.tickets()));
    }

    private <E extends EngineEvent> void on(Class<E> type, Consumer<E> handler) {
        handlers.put(type, event -> handler.accept(type.cast(event)));
    }

    private <E extends EngineEvent> void count(Class<E> type, String name, String description) {
        Counter counter = counter(name, description, tags);
        on(type, event -> counter.increment());
    }

    private <E extends EngineEvent> void time(Class<E> type, ToLongFunction<E> nanos, String name, String description) {
        Timer timer = timer(name, description, tags);
        on(type, event -> timer.record(nanos.applyAsLong(event), TimeUnit.NANOSECONDS));
    }

    /** One meter for each constant, which is the value of the tag. */
    private <K extends Enum<K>, M> Function<K, M> each(Class<K> keys, String tag, Function<Tags, M> meter) {
        Map<K, M> meters = new EnumMap<>(keys);
        for (K key : keys.getEnumConstants()) {
            meters.put(key, meter.apply(tags.and(tag, word(key))));
        }
        return key -> Objects.requireNonNull(meters.get(key));
    }

    private Timer operationTimer(OperationKey key) {
        String status = key.prior() == null ? "unknown" : word(key.prior());
        Tags all = tags.and("operation", key.kind(), "outcome", word(key.outcome()), "status", status);
        Tags withLease = leaseNames ? all.and("lease", key.lease()) : all;
        return timer("leasehold.operations", "Operations, as long as their callers waited", withLease);
    }

    private Counter heartbeats(String outcome) {
        return counter("leasehold.heartbeats", "Heartbeats sent", tags.and("outcome", outcome));
    }

    /** Without a base unit, like all counts: Prometheus would make it part of the name. */
    private Counter counter(String name, String description, Tags tags) {
        return Counter.builder(name).description(description).tags(tags).register(registry);
    }

    private Timer timer(String name, String description, Tags tags) {
        return Timer.builder(name).description(description).tags(tags).register(registry);
    }

    private DistributionSummary summary(String name, String description) {
        return DistributionSummary.builder(name)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The types of event that have a handler. */
    Set<Class<? extends EngineEvent>> handled() {
        return Set.copyOf(handlers.keySet());
    }

    @Override
    public void record(EngineEvent event) {
        guarded(() -> Objects.requireNonNull(handlers.get(event.getClass())).accept(event));
    }

    @Override
    public void registerGauges(IntSupplier held, IntSupplier waiting, IntSupplier tickets) {
        guarded(() -> {
            HeldLeaseGauges gauges = new HeldLeaseGauges(registry, tags, held, waiting, tickets);
            gauges.open();
            heldLeaseGauges = gauges;
        });
    }

    @Override
    public void close() {
        guarded(() -> {
            HeldLeaseGauges gauges = heldLeaseGauges;
            if (gauges != null) {
                gauges.close();
            }
            probeGauges.close();
        });
    }

    private void guarded(Runnable meter) {
        try {
            meter.run();
        } catch (Exception | LinkageError e) {
            if (failureLogged.compareAndSet(false, true)) {
                LOG.warn("namespace '{}': a meter failed; the engine goes on, and does not say so again", namespace, e);
            }
        }
    }
}
