package dev.leasehold.mergequeue.metrics;

import dev.leasehold.mergequeue.config.Configuration;
import dev.leasehold.mergequeue.config.ConfiguredProvider;
import dev.leasehold.mergequeue.queue.EndedHold;
import dev.leasehold.mergequeue.queue.EndedWait;
import dev.leasehold.mergequeue.queue.Hold;
import dev.leasehold.mergequeue.queue.QueueState;
import dev.leasehold.mergequeue.replica.DecisionListener;
import dev.leasehold.mergequeue.replica.ProviderKey;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/**
 * The meters of a replica. What is counted of a provider is counted by the replica that serves it, so a dashboard adds the replicas up. No
 * caller makes meters: providers are named as in the configuration, so that all branches of a pattern are one, and of methods there are
 * only so many. Safe for use by many threads.
 */
public final class ServiceMetrics implements DecisionListener, AutoCloseable {

    private static final String PREFIX = "leasehold.merge.queue.";
    private static final String PROVIDER = "provider";
    private static final String OUTCOME = "outcome";
    private static final String NONE = "none";
    private static final Set<String> METHODS = Set.of("GET", "POST", "DELETE");
    private static final double[] SIZES = {1, 2, 3, 4, 5, 6, 7, 10, 15, 20};
    private static final Duration[] ANSWERS = {
        Duration.ofMillis(25),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10)
    };
    private static final Duration[] WAITS = {
        Duration.ofSeconds(10),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        Duration.ofMinutes(10),
        Duration.ofMinutes(20),
        Duration.ofMinutes(30),
        Duration.ofHours(1),
        Duration.ofHours(2),
        Duration.ofHours(6)
    };

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Configuration configuration;
    private final Map<String, Served> served = new ConcurrentHashMap<>();
    private final Set<String> gauged = ConcurrentHashMap.newKeySet();
    private final JvmGcMetrics gc = new JvmGcMetrics();

    /**
     * Meters for the providers of a configuration.
     *
     * @param configuration of the service
     */
    public ServiceMetrics(Configuration configuration) {
        this.configuration = configuration;
    }

    private record Served(String entry, int waiting, int holding, double heldSeconds, int longHolds) {}

    /** Adds what is measured of the process: its memory, threads, processors, and time. */
    public void measureProcess() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        gc.bindTo(registry);
    }

    /** {@return where further meters of this process go, such as those of its lease engine} */
    public MeterRegistry registry() {
        return registry;
    }

    @Override
    public void committed(String provider, List<EndedHold> ended, List<EndedWait> waits, int events) {
        String name = entry(provider).map(ConfiguredProvider::id).orElse(NONE);
        DistributionSummary.builder(PREFIX + "write.events")
                .description("Requests that shared a write")
                .tag(PROVIDER, name)
                .register(registry)
                .record(events);
        ended.forEach(one -> count(name, one));
        waits.forEach(wait -> time(
                "wait",
                "From the registration of a request until its wait was over",
                name,
                wait.outcome().name(),
                wait.waitedNanos()));
    }

    @Override
    public void serves(String provider, QueueState state) {
        Optional<ConfiguredProvider> entry = entry(provider);
        String name = entry.map(ConfiguredProvider::id).orElse(NONE);
        gauges(name);
        Hold hold = state.holder();
        long heldNanos = hold == null ? 0 : state.clockNanos() - hold.acquiredNanos();
        boolean isLong = hold != null
                && entry.map(one -> one.settings().isLongHold(heldNanos)).orElse(false);
        served.put(
                provider,
                new Served(name, state.waiting().size(), hold == null ? 0 : 1, heldNanos / 1e9, isLong ? 1 : 0));
    }

    private Optional<ConfiguredProvider> entry(String provider) {
        return ProviderKey.parse(provider)
                .flatMap(key -> configuration.provider(key.owner(), key.repo(), key.baseRef()));
    }

    private void gauges(String entry) {
        if (!gauged.add(entry)) {
            return;
        }
        gauge("waiting", "Requests that wait", entry, one -> sum(one, Served::waiting));
        gauge("holding", "Requests that hold: 0 or 1 for each branch", entry, one -> sum(one, Served::holding));
        gauge(
                "held",
                "For how long the oldest present hold has lasted, as of the last write, in seconds",
                entry,
                this::longest);
        gauge(
                "long.holds",
                "Holds that have lasted for longer than long-hold says",
                entry,
                one -> sum(one, Served::longHolds));
    }

    private void gauge(String name, String description, String entry, ToDoubleFunction<String> value) {
        Gauge.builder(PREFIX + name, () -> value.applyAsDouble(entry))
                .description(description)
                .tag(PROVIDER, entry)
                .register(registry);
    }

    private double sum(String entry, ToDoubleFunction<Served> value) {
        return served.values().stream()
                .filter(one -> one.entry().equals(entry))
                .mapToDouble(value)
                .sum();
    }

    private double longest(String entry) {
        return served.values().stream()
                .filter(one -> one.entry().equals(entry))
                .mapToDouble(Served::heldSeconds)
                .max()
                .orElse(0);
    }

    private void count(String entry, EndedHold hold) {
        registry.counter(
                        PREFIX + "outcomes",
                        PROVIDER,
                        entry,
                        OUTCOME,
                        lower(hold.outcome().name()))
                .increment();
        DistributionSummary.builder(PREFIX + "round.size")
                .description("Requests that an outcome was for, the holder included")
                .tag(PROVIDER, entry)
                .serviceLevelObjectives(SIZES)
                .register(registry)
                .record(hold.size());
        time("hold", "For how long a request held", entry, hold.outcome().name(), hold.heldNanos());
    }

    private void time(String name, String description, String entry, String outcome, long nanos) {
        Timer.builder(PREFIX + name)
                .description(description)
                .tags(PROVIDER, entry, OUTCOME, lower(outcome))
                .serviceLevelObjectives(WAITS)
                .register(registry)
                .record(Duration.ofNanos(nanos));
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    @Override
    public void left(String provider) {
        served.remove(provider);
    }

    /**
     * Counts a request that was answered.
     *
     * @param method of the request; those that no route has are counted as one
     * @param route that served it, not its path, so that there are few
     * @param status of the answer
     * @param error the code of the refusal, or "none"
     * @param duration until it was there
     */
    public void answered(String method, String route, int status, String error, Duration duration) {
        Timer.builder("http.server.requests")
                .description("Requests over HTTP")
                .tags(
                        "method",
                        METHODS.contains(method) ? method : "other",
                        "route",
                        route,
                        "status",
                        Integer.toString(status),
                        "error",
                        error)
                .serviceLevelObjectives(ANSWERS)
                .register(registry)
                .record(duration);
    }

    /** {@return all of it, in the text format of Prometheus} */
    public String scrape() {
        return registry.scrape();
    }

    @Override
    public void close() {
        gc.close();
        registry.close();
    }
}
