package dev.leasehold.engine.internal.mongo;

import com.mongodb.MongoException;
import com.mongodb.MongoNamespace;
import com.mongodb.MongoSocketException;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoDatabase;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Updates of single documents in one command, as a retryable write that the server itself gives up after a time.
 *
 * <p>The driver's own {@code updateOne} has no such limit: behind a transaction that nobody finishes it would wait for as
 * long as the server lets that stay. And it is retryable only if the application left that switched on, while the write
 * here always has a transaction number of its own, by which the server ends whatever the session had left open.
 *
 * <p>The server carries one statement out after the other, each for itself. When it gives up at one, those before it stay
 * carried out, and those behind it never will be.
 *
 * <p>The limit of the command is later than that of its write concern, unless a statement has waited behind others for longer than it was
 * given. A majority that is late for the first is told in a way which the driver takes for a sign that the primary is failing: nobody could
 * use the client for up to ten seconds.
 */
final class BoundedUpdate {

    /** A majority that is not slow has it by then; a slow one is waited for apart. */
    private static final long USUAL_MAJORITY_MILLIS = 250;

    private final MongoDatabase database;
    private final String collection;
    private final long majorityLimitMillis;

    /** With a write concern of majority, for which one write waits for at most so long. */
    BoundedUpdate(MongoDatabase database, MongoNamespace collection, long majorityLimitMillis) {
        this.database = database.withCodecRegistry(MongoLeaseStore.PLAIN_BSON);
        this.collection = collection.getCollectionName();
        this.majorityLimitMillis = majorityLimitMillis;
    }

    /** One document, if it is found, and what becomes of it. */
    record Statement(BsonDocument guard, BsonDocument change) {

        private BsonDocument asBson() {
            return new BsonDocument("q", guard).append("u", change);
        }
    }

    /**
     * Sends them, and once more if the answer was lost, or a majority was slow to have it. By its number the server knows
     * which of them were carried out the first time.
     *
     * @param waitMillis how long all of them together may wait behind others
     * @return whether every statement found its document
     */
    boolean send(ClientSession session, List<Statement> statements, long waitMillis) {
        BsonDocument command = command(statements)
                .append("txnNumber", new BsonInt64(session.getServerSession().advanceTransactionNumber()));
        return matched(session, command, waitMillis) == statements.size();
    }

    private int matched(ClientSession session, BsonDocument command, long waitMillis) {
        try {
            return matchedByMajority(session, command, waitMillis);
        } catch (MongoSocketException e) {
            return afterAll(e, () -> matchedByMajority(session, command, waitMillis));
        }
    }

    /** Waits longer for a majority only where nothing but the majority is missing: it is no time to wait behind others. */
    private int matchedByMajority(ClientSession session, BsonDocument command, long waitMillis) {
        try {
            return run(session, limited(command, waitMillis, USUAL_MAJORITY_MILLIS));
        } catch (UpdateException e) {
            if (e.isRefused()) {
                throw e;
            }
            return afterAll(e, () -> run(session, limited(command, waitMillis, majorityLimitMillis)));
        }
    }

    /** The first one may also still be waiting on the server, so that no failure of the second is the last word. */
    private static int afterAll(MongoException first, IntSupplier second) {
        try {
            return second.getAsInt();
        } catch (RuntimeException e) {
            first.addSuppressed(e);
            throw first;
        }
    }

    private int run(ClientSession session, BsonDocument command) {
        return matched(database.runCommand(session, command, BsonDocument.class), command);
    }

    private BsonDocument command(List<Statement> statements) {
        return new BsonDocument("update", new BsonString(collection))
                .append(
                        "updates",
                        new BsonArray(statements.stream().map(Statement::asBson).toList()))
                .append("ordered", BsonBoolean.FALSE);
    }

    /** A timeout that the application has set on its client becomes the limit of the command, and there cannot be two. */
    private BsonDocument limited(BsonDocument command, long waitMillis, long majorityMillis) {
        command.append(
                "writeConcern",
                WriteConcern.MAJORITY
                        .withWTimeout(majorityMillis, TimeUnit.MILLISECONDS)
                        .asDocument());
        return ClientTimeout.millis(database.getTimeout(TimeUnit.MILLISECONDS)) == null
                ? command.append("maxTimeMS", new BsonInt64(waitMillis + majorityMillis))
                : command;
    }

    private static int matched(BsonDocument answer, BsonDocument command) {
        BsonArray refused = answer.getArray("writeErrors", new BsonArray());
        if (!refused.isEmpty()) {
            boolean partial = refused.size() < command.getArray("updates").size();
            throw UpdateException.refused(refused.get(0).asDocument(), partial);
        }
        BsonValue unacknowledged = answer.get("writeConcernError");
        if (unacknowledged != null) {
            throw UpdateException.unacknowledged(unacknowledged.asDocument());
        }
        return answer.getNumber("n").intValue();
    }
}
