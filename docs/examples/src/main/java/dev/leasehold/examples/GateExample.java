package dev.leasehold.examples;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOneModel;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import java.time.Duration;
import java.util.List;
import org.bson.Document;

/** Transactions of a caller's own that commit only under a tenure that stands. */
final class GateExample {

    private GateExample() {}

    static void transfer(MongoClient client, Lease lease, MongoCollection<Document> accounts, int amount) {
        // example:start transfer
        try (ClientSession session = client.startSession()) {
            lease.inTransaction(session, s -> {
                accounts.updateOne(s, eq("_id", "safe"), inc("balance", -amount));
                return accounts.updateOne(s, eq("_id", "till"), inc("balance", amount));
            });
        }
        // example:end transfer
    }

    static Lease manyAtOnce(LeaseEngine engine, Duration wait) throws InterruptedException {
        // example:start stripes
        Lease lease = engine.acquire(LeaseRequest.of("ledger").gateStripes(16).waitAtMost(wait));
        // example:end stripes
        return lease;
    }

    static void transferAtTheEnd(MongoClient client, Lease lease, MongoCollection<Document> accounts, int amount) {
        // example:start check
        LeaseAssertion assertion = lease.assertion();
        try (ClientSession session = client.startSession()) {
            session.withTransaction(() -> {
                accounts.updateOne(session, eq("_id", "safe"), inc("balance", -amount));
                accounts.updateOne(session, eq("_id", "till"), inc("balance", amount));
                assertion.check(session);
                return amount;
            });
        }
        // example:end check
    }

    static void underSeveral(
            ClientSession session,
            List<Lease> held,
            MongoCollection<Document> leases,
            MongoCollection<Document> orders,
            Document order) {
        // example:start bulk
        List<LeaseAssertion> assertions = held.stream().map(Lease::assertion).toList();
        session.withTransaction(() -> {
            List<UpdateOneModel<Document>> models = assertions.stream()
                    .map(LeaseAssertion::<Document>asWriteModel)
                    .toList();
            if (leases.bulkWrite(session, models).getMatchedCount() < models.size()) {
                assertions.forEach(assertion -> assertion.check(session)); // throws for the one that missed
            }
            return orders.insertOne(session, order);
        });
        // example:end bulk
    }
}
