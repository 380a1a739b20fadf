package dev.leasehold.mergequeue.metrics;

import dev.leasehold.mergequeue.queue.EndedHold;
import dev.leasehold.mergequeue.queue.QueueState;
import dev.leasehold.mergequeue.replica.DecisionListener;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The meters of a replica. What is counted of a provider is counted by the replica that serves it, so a dashboard adds the replicas up.
 * Safe for use by many threads.
 */
public final class ServiceMetrics implements DecisionListener {

    private static final String PREFIX = "leasehold.merge.queue.";
    private static final String PROVIDER = "provider";
    private static final double[] SIZES = {1, 2, 3, 4, 5, 6, 7, 10, 15, 20};

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<String, Gauges> served = new ConcurrentHashMap<>();

    private record Gauges(AtomicInteger waiting, AtomicInteger holding, List<Meter.Id> meters) {}

    @Override
    public void committed(String provider, QueueState state, List<EndedHold> ended, int events) {
        Gauges gauges = served.computeIfAbsent(provider, this::gauges);
        gauges.waiting().set(state.waiting().size());
        gauges.holding().set(state.hold().isPresent() ? 1 : 0);
        DistributionSummary.builder(PREFIX + "write.events")
                .description("Requests that shared a write")
                .register(registry)
                .record(events);
        ended.forEach(hold -> count(provider, hold));
    }

    private Gauges gauges(String provider) {
        AtomicInteger waiting = new AtomicInteger();
        AtomicInteger holding = new AtomicInteger();
        return new Gauges(
                waiting,
                holding,
                List.of(
                        Gauge.builder(PREFIX + "waiting", waiting, AtomicInteger::get)
                                .description("Requests that wait")
                                .tag(PROVIDER, provider)
                                .register(registry)
                                .getId(),
                        Gauge.builder(PREFIX + "holding", holding, AtomicInteger::get)
                                .description("Requests that hold: 0 or 1")
                                .tag(PROVIDER, provider)
                                .register(registry)
                                .getId()));
    }

    private void count(String provider, EndedHold hold) {
        registry.counter(
                        PREFIX + "outcomes",
                        PROVIDER,
                        provider,
                        "outcome",
                        hold.outcome().name().toLowerCase(Locale.ROOT))
                .increment();
        DistributionSummary.builder(PREFIX + "round.size")
                .description("Requests that an outcome was for, the holder included")
                .tag(PROVIDER, provider)
                .serviceLevelObjectives(SIZES)
                .register(registry)
                .record(hold.size());
    }

    @Override
    public void left(String provider) {
        Gauges gauges = served.remove(provider);
        if (gauges != null) {
            gauges.meters().forEach(registry::remove);
        }
    }

    /**
     * Counts a request that was answered.
     *
     * @param method of the request
     * @param route that served it, not its path, so that there are few
     * @param status of the answer
     * @param duration until it was there
     */
    public void answered(String method, String route, int status, Duration duration) {
        Timer.builder("http.server.requests")
                .description("Requests over HTTP")
                .tags("method", method, "route", route, "status", Integer.toString(status))
                .publishPercentileHistogram()
                .register(registry)
                .record(duration);
    }

    /** {@return all of it, in the text format of Prometheus} */
    public String scrape() {
        return registry.scrape();
    }
}
