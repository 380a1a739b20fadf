package dev.leasehold.examples;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.LeaseAssertion;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.Document;

/** A gated transaction without {@code withTransaction}, and what is left of it when its end was lost. */
final class OpenedByHandExample {

    private OpenedByHandExample() {}

    static void deposit(
            ClientSession session, LeaseAssertion assertion, MongoCollection<Document> accounts, int amount) {
        while (true) { // in the same session each time
            session.startTransaction();
            try {
                assertion.check(session);
                accounts.updateOne(session, eq("_id", "till"), inc("balance", amount));
                session.commitTransaction();
                return;
            } catch (MongoException e) {
                if (session.hasActiveTransaction()) {
                    session.abortTransaction(); // may be lost, and does not say so
                }
                if (!e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)) {
                    throw e;
                }
            }
        }
    }

    static void end(MongoClient client, ClientSession session) {
        BsonDocument left = session.getServerSession().getIdentifier();
        client.getDatabase("admin").runCommand(new Document("killSessions", new BsonArray(List.of(left))));
    }
}
