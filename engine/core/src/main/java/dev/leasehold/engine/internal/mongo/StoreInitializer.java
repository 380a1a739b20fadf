package dev.leasehold.engine.internal.mongo;

import com.mongodb.MongoException;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOptions;
import dev.leasehold.engine.LeaseException;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * Checks the deployment and creates the clock document if there is none. Runs once, before any other use of the store.
 */
final class StoreInitializer {

    static final BsonDocument HELLO = new BsonDocument("hello", new BsonInt32(1));

    private final StoreContext context;
    private final StoreSessions sessions;
    private final DeploymentCheck check;

    StoreInitializer(StoreContext context, StoreSessions sessions) {
        this.context = context;
        this.sessions = sessions;
        this.check = new DeploymentCheck(context.place());
    }

    /**
     * Runs all checks and creates the clock document. Does not read its content.
     *
     * @return the server's reply to {@code hello}
     */
    BsonDocument open() {
        check.judgeDriver(MongoCollection.class);
        try {
            BsonDocument hello = checkServer();
            checkCollection();
            createClock();
            return hello;
        } catch (LeaseException e) {
            throw e;
        } catch (RuntimeException e) {
            throw context.errorMapper().ofRead(e);
        }
    }

    private BsonDocument checkServer() {
        BsonDocument hello =
                context.database().runCommand(sessions.reading(), HELLO, ReadPreference.primary(), BsonDocument.class);
        check.judgeServer(hello, context.client().getClusterDescription().getConnectionMode());
        return hello;
    }

    private void checkCollection() {
        BsonDocument listed = context.database()
                .listCollections(sessions.reading(), BsonDocument.class)
                .filter(new BsonDocument("name", new BsonString(context.place().getCollectionName())))
                .first();
        if (listed != null) {
            check.judgeCollection(listed);
        }
    }

    /** Two engines may do this at once; the one that finds an existing document succeeds too. */
    private void createClock() {
        try {
            context.collection()
                    .updateOne(
                            sessions.writing(),
                            Guards.clockId(context.namespace()),
                            Updates.clockIfNone(context.partition()),
                            new UpdateOptions().upsert(true));
        } catch (MongoException e) {
            if (ErrorKind.of(e) != ErrorKind.DUPLICATE_KEY) {
                throw e;
            }
        }
    }
}
