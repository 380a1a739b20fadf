package dev.leasehold.examples;

// example:start imports
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import java.time.Duration;
import org.bson.Document;
// example:end imports

/** Everything once: an engine, a lease, and a transaction that commits only while the lease is held. */
final class TenLinesExample {

    /** Work that can be told to stop. */
    interface Job {
        void stop();
    }

    private TenLinesExample() {}

    static void run(MongoClient client, String database, Job job, MongoCollection<Document> invoices, Document invoice)
            throws InterruptedException {
        // example:start ten-lines
        LeaseRequest request = LeaseRequest.of("nightly-invoices").waitAtMost(Duration.ofMinutes(1));
        try (LeaseEngine engine = LeaseEngine.builder(client)
                        .database(database)
                        .namespace("billing")
                        .build();
                Lease lease = engine.acquire(request); // waits up to a minute
                ClientSession session = client.startSession()) {
            lease.onLost(loss -> job.stop());
            session.withTransaction(() -> {
                lease.assertion().check(session); // no commit unless the lease is still held
                return invoices.insertOne(session, invoice);
            });
        }
        // example:end ten-lines
    }
}
