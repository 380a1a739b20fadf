package dev.leasehold.examples.quickstart;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Sorts.ascending;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.engine.internal.time.LocalInstant;
import dev.leasehold.replicaset.TestDatabase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.Document;

/** The documents of the story as they are in the database. */
final class StoredDocuments {

    private final MongoCollection<Document> leases;
    private final MongoCollection<Document> orders;

    StoredDocuments(TestDatabase database) {
        this.leases = leases(database.client(), database.name());
        this.orders = orders(database.client(), database.name());
    }

    static MongoCollection<Document> leases(MongoClient client, String database) {
        return client.getDatabase(database).getCollection("leases");
    }

    static MongoCollection<Document> orders(MongoClient client, String database) {
        return client.getDatabase(database).getCollection("orders");
    }

    /** All orders, by number. */
    List<Document> orders() {
        return orders.find().sort(ascending("_id")).into(new ArrayList<>());
    }

    Document order(int number) {
        return document(orders, number);
    }

    Document clock() {
        return document(leases, OrderService.NAMESPACE);
    }

    Document lease() {
        return document(leases, LeaseIds.leaseId(OrderService.NAMESPACE, OrderService.LEASE));
    }

    /** When the lease runs out, on the clock of the service that holds it, unless that gives another sign of life. */
    Instant sessionEnd() {
        Document entry = clock().getEmbedded(List.of("writers", lease().getString("writer")), Document.class);
        return LocalInstant.of(entry.getLong("time") + entry.getLong("session"));
    }

    private static Document document(MongoCollection<Document> collection, Object id) {
        return Objects.requireNonNull(collection.find(eq("_id", id)).first(), () -> "there is no document " + id);
    }
}
