package dev.leasehold.examples;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseEngine;
import java.time.Duration;
import org.bson.Document;

/** Everything once: an engine, a lease, and a transaction that commits only while the lease is held. */
final class TenLinesExample {

    private TenLinesExample() {}

    static void run(MongoClient client, String database, MongoCollection<Document> invoices, Document invoice)
            throws InterruptedException {
        // example:start ten-lines
        try (LeaseEngine engine = LeaseEngine.builder(client).database(database).namespace("billing").build();
                ClientSession session = client.startSession()) {
            Tenure tenure = engine.claim("invoices", "billing-7", Duration.ofSeconds(60)).orElseThrow();
            LeaseAssertion assertion = engine.assertion(tenure);
            session.withTransaction(() -> {
                assertion.check(session);
                return invoices.insertOne(session, invoice);
            });
            engine.release(tenure);
        }
        // example:end ten-lines
    }
}
