package dev.leasehold.withoutmicrometer;

import com.mongodb.client.MongoClient;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import java.time.Duration;

/** Work that one process at a time may do. */
final class NightlyRun {

    private NightlyRun() {}

    /** Does the work as soon as no other process does, and returns the token under which it was done. */
    static long runWhileHeld(MongoClient client, String database, Runnable work) throws InterruptedException {
        try (LeaseEngine engine = LeaseEngine.builder(client)
                        .database(database)
                        .namespace("billing")
                        .build();
                Lease lease = engine.acquire(LeaseRequest.of("nightly").waitAtMost(Duration.ofMinutes(1)))) {
            work.run();
            return lease.token();
        }
    }

    /** Does the work if no other process does, for a minute at most, and returns the token under which it was done. */
    static long runForATerm(MongoClient client, String database, Runnable work) throws InterruptedException {
        try (LeaseEngine engine = LeaseEngine.builder(client)
                .database(database)
                .namespace("billing")
                .build()) {
            Tenure tenure = engine.tenures()
                    .claim("nightly", "worker", Duration.ofMinutes(1))
                    .orElseThrow();
            work.run();
            engine.tenures().release(tenure).orElseThrow();
            return tenure.token();
        }
    }
}
