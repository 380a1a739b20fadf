package dev.leasehold.bench.row;

import static dev.leasehold.bench.measure.Quantity.BYTES;
import static dev.leasehold.bench.measure.Quantity.MAX;
import static dev.leasehold.bench.measure.Quantity.P50;

import com.mongodb.client.MongoClient;
import dev.leasehold.bench.adapters.ServerAddresses;
import dev.leasehold.bench.measure.Goal;
import dev.leasehold.bench.measure.Peer;
import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Sample;
import dev.leasehold.bench.measure.Timings;
import dev.leasehold.bench.process.WorkerProcess;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** How long an engine takes to start in a great namespace and to acquire its first lease, and what it keeps in mind of all the others. */
final class Start implements Row {

    private static final int LEASES = 100_000;
    private static final String NAMESPACE = "start";
    private static final String STARTED = "start of an engine, and its first lease";
    private static final int REMEMBERED = 10_000;
    private static final String VIEWED = "heap of a view that holds all of 10,000 leases";
    private static final double LONGEST_NANOS = 2e9;
    private static final double GREATEST_BYTES = 500;
    private static final int HEAP_MEGABYTES = 512;
    private static final Duration EXPECTED = Duration.ofSeconds(12);

    @Override
    public Heading heading() {
        return new Heading(
                "start",
                String.format(Locale.ROOT, "An engine in a namespace of %,d held leases", LEASES),
                List.of(P50, MAX, BYTES),
                Quantity.P50,
                "",
                List.of(
                        Goal.atMost(STARTED, MAX, 1, Peer.fixed(LONGEST_NANOS)),
                        Goal.atMost(VIEWED, BYTES, 1, Peer.fixed(GREATEST_BYTES))));
    }

    @Override
    public void open(Arena arena, Lineup lineup) throws Exception {
        ServerAddresses place = arena.freshPlace(NAMESPACE);
        new FilledNamespace(arena.client(), place, NAMESPACE).plantSeed().addLeases(LEASES);
        lineup.add(STARTED, () -> new Started(arena.client(), place));
        ServerAddresses smaller = arena.freshPlace(NAMESPACE + "_smaller");
        new FilledNamespace(arena.client(), smaller, NAMESPACE).plantSeed().addLeases(REMEMBERED);
        lineup.add(VIEWED, () -> new Viewed(smaller));
    }

    @Override
    public Duration expected(Plan plan) {
        return EXPECTED;
    }

    private static final class Started extends Entrant {

        private final MongoClient client;
        private final ServerAddresses place;

        Started(MongoClient client, ServerAddresses place) {
            super(STARTED, Role.OURS, "");
            this.client = client;
            this.place = place;
        }

        @Override
        void warmUp(Duration duration) throws InterruptedException {
            measure(duration);
        }

        @Override
        Sample measure(Duration duration) throws InterruptedException {
            long startNanos = System.nanoTime();
            try (LeaseEngine engine = place.newEngine(client, NAMESPACE)) {
                engine.acquire(LeaseRequest.of("first").waitAtMost(Duration.ofMinutes(1)))
                        .close();
                long tookNanos = System.nanoTime() - startNanos;
                Histogram latencies = Timings.newHistogram();
                latencies.recordValue(tookNanos);
                return Timings.ofAll(latencies, tookNanos);
            }
        }
    }

    private static final class Viewed extends Entrant {

        private final ServerAddresses place;

        Viewed(ServerAddresses place) {
            super(VIEWED, Role.OURS, "after a listing, in a process of its own");
            this.place = place;
        }

        @Override
        void warmUp(Duration duration) {
            // Bytes do not get fewer in a warm process.
        }

        @Override
        Sample measure(Duration duration) throws Exception {
            try (WorkerProcess worker = WorkerProcess.start(place, HEAP_MEGABYTES)) {
                return new Sample(Map.of(BYTES, WorkerProcess.await(worker.viewBytesPerLease(NAMESPACE))), 1);
            }
        }
    }
}
