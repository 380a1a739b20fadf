package dev.leasehold.examples;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOneModel;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseEngine;
import java.util.List;
import org.bson.Document;

/** Transactions of a caller's own that commit only under a tenure that stands. */
final class GateExample {

    private GateExample() {}

    static void transfer(
            MongoClient client, LeaseEngine engine, Tenure tenure, MongoCollection<Document> accounts, int amount) {
        // example:start transfer
        LeaseAssertion assertion = engine.assertion(tenure); // once: the body below may run again
        try (ClientSession session = client.startSession()) {
            session.withTransaction(() -> {
                assertion.check(session);
                accounts.updateOne(session, eq("_id", "safe"), inc("balance", -amount));
                return accounts.updateOne(session, eq("_id", "till"), inc("balance", amount));
            });
        }
        // example:end transfer
    }

    static void underSeveral(
            ClientSession session,
            LeaseEngine engine,
            List<Tenure> tenures,
            MongoCollection<Document> leases,
            MongoCollection<Document> orders,
            Document order) {
        // example:start bulk
        List<LeaseAssertion> assertions = tenures.stream().map(engine::assertion).toList();
        session.withTransaction(() -> {
            List<UpdateOneModel<Document>> models =
                    assertions.stream().map(LeaseAssertion::<Document>asWriteModel).toList();
            if (leases.bulkWrite(session, models).getMatchedCount() < models.size()) {
                assertions.forEach(assertion -> assertion.check(session)); // throws for the one that missed
            }
            return orders.insertOne(session, order);
        });
        // example:end bulk
    }
}
