package dev.leasehold.engine.internal.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.IntSupplier;

/**
 * Gauges of the tenures that one engine holds and of the acquisitions that wait in it.
 *
 * <p>A registry keeps one gauge for a name and tags. So engines of one namespace that share a registry share the gauges,
 * which show their sum: the first engine registers them, the last to close removes them.
 */
final class HeldLeaseGauges {

    private static final String HELD = "leasehold.held.leases";
    private static final String WAITERS = "leasehold.waiters";
    private static final String TICKETS = "leasehold.tickets";

    /** Of open engines. Static, since engines that share only a registry have to find each other. */
    private static final Map<GaugeKey, List<HeldLeaseGauges>> OPEN = new ConcurrentHashMap<>();

    private record GaugeKey(MeterRegistry registry, Tags tags) {}

    private final GaugeKey key;
    private final IntSupplier held;
    private final IntSupplier waiting;
    private final IntSupplier tickets;

    HeldLeaseGauges(MeterRegistry registry, Tags tags, IntSupplier held, IntSupplier waiting, IntSupplier tickets) {
        this.tickets = tickets;
        this.key = new GaugeKey(registry, tags);
        this.held = held;
        this.waiting = waiting;
    }

    void open() {
        OPEN.compute(key, (here, others) -> {
            List<HeldLeaseGauges> all = others == null ? new CopyOnWriteArrayList<>() : others;
            if (others == null) {
                register(here, HELD, "Tenures held", engine -> engine.held);
                register(here, WAITERS, "Acquisitions that wait for a lease", engine -> engine.waiting);
                register(here, TICKETS, "Tickets that are open, or may still be granted", engine -> engine.tickets);
            }
            all.add(this);
            return all;
        });
    }

    /** The gauge refers to the key and to no engine, since it may outlive the engine that registered it. */
    private static void register(
            GaugeKey key, String name, String description, Function<HeldLeaseGauges, IntSupplier> number) {
        Gauge.builder(name, () -> sum(key, number))
                .description(description)
                .tags(key.tags())
                .register(key.registry());
    }

    private static int sum(GaugeKey key, Function<HeldLeaseGauges, IntSupplier> number) {
        return OPEN.getOrDefault(key, List.of()).stream()
                .mapToInt(engine -> number.apply(engine).getAsInt())
                .sum();
    }

    void close() {
        OPEN.computeIfPresent(key, (here, engines) -> {
            engines.remove(this);
            if (!engines.isEmpty()) {
                return engines;
            }
            unregister(HELD);
            unregister(WAITERS);
            unregister(TICKETS);
            return null;
        });
    }

    private void unregister(String name) {
        key.registry().removeByPreFilterId(new Meter.Id(name, key.tags(), null, null, Meter.Type.GAUGE));
    }
}
