package dev.leasehold.bench.adapters;

import com.mongodb.MongoCommandException;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import java.util.Optional;
import org.bson.Document;
import org.bson.conversions.Bson;

/** The driver's own commands: the least that any lock needs. */
final class BareLocks implements Locks {

    private static final int DUPLICATE_KEY = 11_000;
    /** The field that a held lock has. */
    static final String HOLDER = "holder";

    private final MongoClient client;
    private final MongoCollection<Document> collection;
    private final Way way;

    /** What is sent. */
    enum Way {
        ONE_WRITE,
        TWO_WRITES,
        ONE_TRANSACTION
    }

    BareLocks(Access access, String namespace, Way way) {
        this.client = access.newClient();
        this.collection = collection(client, access, namespace);
        this.way = way;
    }

    /** Where the locks of a namespace are. */
    static MongoCollection<Document> collection(MongoClient client, Access access, String namespace) {
        return client.getDatabase(access.database())
                .getCollection("bare-" + namespace)
                .withWriteConcern(WriteConcern.MAJORITY);
    }

    @Override
    public Held acquire(String name) throws InterruptedException {
        return switch (way) {
            case ONE_WRITE -> count(name);
            case TWO_WRITES -> take(name);
            case ONE_TRANSACTION -> countTwice(name);
        };
    }

    private Held count(String name) {
        collection.findOneAndUpdate(
                Filters.eq(name), Updates.inc("count", 1L), new FindOneAndUpdateOptions().upsert(true));
        return () -> {};
    }

    private Held take(String name) throws InterruptedException {
        return Polling.until(() -> tryTake(collection, name));
    }

    /** Takes a lock if it is free. */
    static Optional<Held> tryTake(MongoCollection<Document> collection, String name) {
        Bson mine = Filters.and(Filters.eq(name), Filters.eq(HOLDER, "me"));
        Bson free = Filters.and(Filters.eq(name), Filters.exists(HOLDER, false));
        try {
            collection.findOneAndUpdate(free, Updates.set(HOLDER, "me"), new FindOneAndUpdateOptions().upsert(true));
            return Optional.of(() -> collection.findOneAndUpdate(mine, Updates.unset(HOLDER)));
        } catch (MongoCommandException e) {
            if (e.getErrorCode() == DUPLICATE_KEY) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Held countTwice(String name) {
        Bson count = Updates.inc("count", 1L);
        UpdateOptions upsert = new UpdateOptions().upsert(true);
        try (ClientSession session = client.startSession()) {
            session.withTransaction(() -> {
                collection
                        .withWriteConcern(WriteConcern.ACKNOWLEDGED)
                        .updateOne(session, Filters.eq(name), count, upsert);
                collection
                        .withWriteConcern(WriteConcern.ACKNOWLEDGED)
                        .updateOne(session, Filters.eq(name + "-2"), count, upsert);
                return true;
            });
        }
        return () -> {};
    }

    @Override
    public void close() {
        client.close();
    }
}
