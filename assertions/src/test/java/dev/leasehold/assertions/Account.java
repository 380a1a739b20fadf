package dev.leasehold.assertions;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import org.bson.Document;

/** A document of the caller's own, that a transaction writes under a lease. */
final class Account {

    private final MongoCollection<Document> collection;
    private final String id;

    Account(MongoDatabase database, String id) {
        this.collection = database.getCollection("accounts");
        this.id = id;
        collection.insertOne(new Document("_id", id).append("balance", 0));
    }

    void deposit(ClientSession session) {
        collection.updateOne(session, eq("_id", id), inc("balance", 1));
    }

    int balance() {
        return collection.find(eq("_id", id)).first().getInteger("balance");
    }
}
