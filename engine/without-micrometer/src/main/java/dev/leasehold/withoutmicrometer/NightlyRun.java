package dev.leasehold.withoutmicrometer;

import com.mongodb.client.MongoClient;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseEngine;
import java.time.Duration;

/** Work that one process at a time may do. */
final class NightlyRun {

    private NightlyRun() {}

    /** Does the work if nobody else does, and returns the token under which it was done. */
    static long run(MongoClient client, String database, Runnable work) throws InterruptedException {
        try (LeaseEngine engine =
                LeaseEngine.builder(client).database(database).namespace("billing").build()) {
            Tenure tenure = engine.claim("nightly", "worker", Duration.ofMinutes(1)).orElseThrow();
            work.run();
            engine.release(tenure).orElseThrow();
            return tenure.token();
        }
    }
}
