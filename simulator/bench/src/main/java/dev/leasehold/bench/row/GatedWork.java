package dev.leasehold.bench.row;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.leasehold.bench.adapters.Held;
import dev.leasehold.bench.adapters.Locks;
import java.util.function.Consumer;
import org.bson.Document;

/** A transaction that writes two documents of its own, and then does what is to be compared. */
final class GatedWork implements Locks {

    private final MongoClient client;
    private final MongoCollection<Document> collection;
    private final Consumer<ClientSession> last;

    GatedWork(MongoClient client, String database, Consumer<ClientSession> last) {
        this.client = client;
        this.collection = client.getDatabase(database).getCollection("gated-work");
        this.last = last;
    }

    @Override
    public Held acquire(String name) {
        try (ClientSession session = client.startSession()) {
            session.withTransaction(() -> {
                write(session, name);
                last.accept(session);
                return true;
            });
        }
        return () -> {};
    }

    /** Writes the two documents, in a transaction. */
    void write(ClientSession session, String name) {
        increment(session, name + "/first");
        increment(session, name + "/second");
    }

    private void increment(ClientSession session, String document) {
        collection.updateOne(session, Filters.eq(document), Updates.inc("count", 1L), new UpdateOptions().upsert(true));
    }

    @Override
    public void close() {}
}
