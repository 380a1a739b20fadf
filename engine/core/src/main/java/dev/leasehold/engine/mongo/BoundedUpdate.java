package dev.leasehold.engine.mongo;

import com.mongodb.MongoException;
import com.mongodb.MongoNamespace;
import com.mongodb.MongoSocketException;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoDatabase;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The update of a single document, as a retryable write that the server itself gives up after a time.
 *
 * <p>The driver's own {@code updateOne} has no such limit: behind a transaction that nobody finishes it would wait for as
 * long as the server lets that stay. And it is retryable only if the application left that switched on, while the write
 * here always has a transaction number of its own, by which the server ends whatever the session had left open.
 *
 * <p>The limit of the command is always later than that of its write concern. A majority that is late for the first is told
 * in a way which the driver takes for a sign that the primary is failing: nobody could use the client for up to ten seconds.
 */
final class BoundedUpdate {

    /** A majority that is not slow has it by then; a slow one is waited for apart. */
    private static final long USUAL_MAJORITY_MILLIS = 250;

    /** How long a command that is sent again may wait behind others. */
    private static final long REPEATED_WAIT_MILLIS = 1_000;

    private final MongoDatabase database;
    private final String collection;
    private final long majorityLimitMillis;

    /** With a write concern of majority, for which one write waits for at most so long. */
    BoundedUpdate(MongoDatabase database, MongoNamespace collection, long majorityLimitMillis) {
        this.database = database.withCodecRegistry(MongoLeaseStore.PLAIN_BSON);
        this.collection = collection.getCollectionName();
        this.majorityLimitMillis = majorityLimitMillis;
    }

    /**
     * Sends it, and once more if the answer was lost, or a majority was slow to have it. By its number the server knows
     * whether the first one was carried out.
     *
     * @param waitMillis how long it may wait behind others
     * @return whether a document matched
     */
    boolean send(ClientSession session, BsonDocument guard, BsonDocument change, long waitMillis) {
        BsonDocument command = command(guard, change)
                .append("txnNumber", new BsonInt64(session.getServerSession().advanceTransactionNumber()));
        try {
            return matched(run(session, limited(command, waitMillis, USUAL_MAJORITY_MILLIS)));
        } catch (MongoSocketException e) {
            return matchedAfterAll(session, command, e);
        } catch (UpdateException e) {
            if (e.isRefused()) {
                throw e;
            }
            return matchedAfterAll(session, command, e);
        }
    }

    /** The first one may also still be waiting on the server, so that no failure of the second is the last word. */
    private boolean matchedAfterAll(ClientSession session, BsonDocument command, MongoException first) {
        try {
            return matched(run(session, limited(command, REPEATED_WAIT_MILLIS, majorityLimitMillis)));
        } catch (RuntimeException e) {
            first.addSuppressed(e);
            throw first;
        }
    }

    private BsonDocument run(ClientSession session, BsonDocument command) {
        return database.runCommand(session, command, BsonDocument.class);
    }

    private BsonDocument command(BsonDocument guard, BsonDocument change) {
        return new BsonDocument("update", new BsonString(collection))
                .append("updates", new BsonArray(List.of(new BsonDocument("q", guard).append("u", change))));
    }

    /** A timeout that the application has set on its client becomes the limit of the command, and there cannot be two. */
    private BsonDocument limited(BsonDocument command, long waitMillis, long majorityMillis) {
        command.append(
                "writeConcern",
                WriteConcern.MAJORITY.withWTimeout(majorityMillis, TimeUnit.MILLISECONDS).asDocument());
        return database.getTimeout(TimeUnit.MILLISECONDS) == null
                ? command.append("maxTimeMS", new BsonInt64(waitMillis + majorityMillis))
                : command;
    }

    private static boolean matched(BsonDocument answer) {
        if (answer.containsKey("writeErrors")) {
            throw UpdateException.refused(answer.getArray("writeErrors").get(0).asDocument());
        }
        BsonValue unacknowledged = answer.get("writeConcernError");
        if (unacknowledged != null) {
            throw UpdateException.unacknowledged(unacknowledged.asDocument());
        }
        return answer.getNumber("n").intValue() == 1;
    }
}
