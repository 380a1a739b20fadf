package dev.leasehold.engine.internal.mongo;

import com.mongodb.MongoException;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.UpdateOptions;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.store.Partition;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * Checks the deployment and creates the clock document if there is none. Runs once, before any other use of the store.
 */
final class StoreInitializer {

    private static final BsonDocument HELLO = new BsonDocument("hello", new BsonInt32(1));

    private final MongoClient client;
    private final MongoCollection<BsonDocument> collection;
    private final StoreSessions sessions;
    private final ErrorMapper errorMapper;
    private final DeploymentCheck check;

    StoreInitializer(
            MongoClient client,
            MongoCollection<BsonDocument> collection,
            StoreSessions sessions,
            ErrorMapper errorMapper) {
        this.client = client;
        this.collection = collection;
        this.sessions = sessions;
        this.errorMapper = errorMapper;
        this.check = new DeploymentCheck(collection.getNamespace());
    }

    /**
     * Runs all checks and creates the clock document. Does not read its content.
     *
     * @return the server's reply to {@code hello}
     */
    BsonDocument open(Partition partition) {
        check.judgeDriver(MongoCollection.class);
        try {
            BsonDocument hello = checkServer();
            checkCollection();
            createClock(partition);
            return hello;
        } catch (LeaseException e) {
            throw e;
        } catch (RuntimeException e) {
            throw errorMapper.ofRead(e);
        }
    }

    private BsonDocument checkServer() {
        BsonDocument hello =
                database().runCommand(sessions.reading(), HELLO, ReadPreference.primary(), BsonDocument.class);
        check.judgeServer(hello, client.getClusterDescription().getConnectionMode());
        return hello;
    }

    private void checkCollection() {
        BsonString name = new BsonString(collection.getNamespace().getCollectionName());
        BsonDocument listed = database()
                .listCollections(sessions.reading(), BsonDocument.class)
                .filter(new BsonDocument("name", name))
                .first();
        if (listed != null) {
            check.judgeCollection(listed);
        }
    }

    /** Two engines may do this at once; the one that finds an existing document succeeds too. */
    private void createClock(Partition partition) {
        try {
            collection.updateOne(
                    sessions.writing(),
                    Guards.clockId(partition.id()),
                    Updates.clockIfNone(partition),
                    new UpdateOptions().upsert(true));
        } catch (MongoException e) {
            if (ErrorKind.of(e) != ErrorKind.DUPLICATE_KEY) {
                throw e;
            }
        }
    }

    private MongoDatabase database() {
        return client.getDatabase(collection.getNamespace().getDatabaseName())
                .withCodecRegistry(collection.getCodecRegistry());
    }
}
