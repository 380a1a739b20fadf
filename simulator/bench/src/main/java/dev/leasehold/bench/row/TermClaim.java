package dev.leasehold.bench.row;

import com.mongodb.client.MongoClient;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.bench.adapters.Access;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Sample;
import dev.leasehold.bench.measure.Timings;
import dev.leasehold.engine.LeaseEngine;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/** The claim of a lease with a term, alone: it is released without being measured. */
final class TermClaim extends Entrant {

    static final String NAME = "Leasehold, claim";

    private static final Duration TERM = Duration.ofSeconds(30);

    private static final Duration SETTLING = Duration.ofMillis(500);
    private static final Duration LEAST_WARM_UP = Duration.ofSeconds(3);

    private final Access access;
    private final String namespace;

    TermClaim(Access access, String namespace) {
        super(NAME, Role.OURS, "one transaction on the clock document; the release is not counted");
        this.access = access;
        this.namespace = namespace;
    }

    @Override
    void warmUp(Duration duration) throws InterruptedException {
        measure(Plan.atLeast(LEAST_WARM_UP, duration));
    }

    @Override
    Sample measure(Duration duration) throws InterruptedException {
        try (MongoClient client = access.newClient();
                LeaseEngine engine = access.place().newEngine(client, namespace)) {
            claim(engine, SETTLING);
            return claim(engine, duration);
        }
    }

    private static Sample claim(LeaseEngine engine, Duration duration) throws InterruptedException {
        Histogram latencies = Timings.newHistogram();
        long sumNanos = 0;
        long endNanos = System.nanoTime() + duration.toNanos();
        do {
            long beforeNanos = System.nanoTime();
            Tenure tenure = engine.tenures().claim("claimed", "benchmark", TERM).orElseThrow();
            long tookNanos = System.nanoTime() - beforeNanos;
            engine.tenures().release(tenure).orElseThrow();
            latencies.recordValue(tookNanos);
            sumNanos += tookNanos;
        } while (System.nanoTime() < endNanos);
        return Timings.ofAll(latencies, sumNanos);
    }
}
