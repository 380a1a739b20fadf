package dev.leasehold.bench.row;

import com.mongodb.client.MongoClient;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.bench.contest.Access;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Sample;
import dev.leasehold.bench.measure.Timings;
import dev.leasehold.engine.LeaseEngine;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/** The claim of a lease with a term, alone: it is released without being measured. */
final class TermClaim implements Entrant, AutoCloseable {

    static final String NAME = "Leasehold, term claim alone";

    private static final Duration TERM = Duration.ofSeconds(30);

    private final MongoClient client;
    private final LeaseEngine engine;

    TermClaim(Access access, String namespace) {
        this.client = access.newClient();
        this.engine = LeaseEngine.builder(client)
                .database(access.place().database())
                .namespace(namespace)
                .build();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Role role() {
        return Role.OURS;
    }

    @Override
    public String remark() {
        return "one transaction on the clock document; the release is not counted";
    }

    @Override
    public void warmUp(Duration duration) throws InterruptedException {
        measure(duration);
    }

    @Override
    public Sample measure(Duration duration) throws InterruptedException {
        Histogram latencies = Timings.newHistogram();
        long sumNanos = 0;
        long endNanos = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() < endNanos) {
            long beforeNanos = System.nanoTime();
            Tenure tenure = engine.claim("claimed", "benchmark", TERM).orElseThrow();
            long tookNanos = System.nanoTime() - beforeNanos;
            engine.release(tenure).orElseThrow();
            latencies.recordValue(tookNanos);
            sumNanos += tookNanos;
        }
        return new Timings(latencies, sumNanos);
    }

    @Override
    public void close() {
        engine.close();
        client.close();
    }
}
