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
 * Updates single documents in one command, as a retryable write that the server cancels after a time limit.
 *
 * <p>The driver's {@code updateOne} has no such limit: behind an open transaction it would wait as long as the server
 * lets that transaction stay open. Also, it is retryable only if the application left that option on; this write always
 * has a transaction number of its own, by which the server ends any transaction left open in the session.
 *
 * <p>The server applies the statements independently, one after the other. If it cancels one, those before it stay
 * applied, and those after it never will be.
 *
 * <p>The time limit of the command is later than that of its write concern, unless a statement has waited for longer
 * than it was allowed to. If the command's limit passed first, the driver would take the reply for a sign that the
 * primary is failing, and the client would be unusable for up to ten seconds.
 */
final class BoundedUpdate {

    /** A healthy majority acknowledges within this time; a slow one gets a second attempt with a longer limit. */
    private static final long USUAL_MAJORITY_MILLIS = 250;

    private final MongoDatabase database;
    private final String collection;
    private final long majorityLimitMillis;

    /** With write concern majority, and the given limit for it per write. */
    BoundedUpdate(MongoDatabase database, MongoNamespace collection, long majorityLimitMillis) {
        this.database = database.withCodecRegistry(MongoLeaseStore.PLAIN_BSON);
        this.collection = collection.getCollectionName();
        this.majorityLimitMillis = majorityLimitMillis;
    }

    /** An update of the document that matches the guard, if any. */
    record Statement(BsonDocument guard, BsonDocument change) {

        private BsonDocument asBson() {
            return new BsonDocument("q", guard).append("u", change);
        }
    }

    /**
     * Sends the statements, and resends them once if the reply was lost or the majority was slow. By the transaction
     * number the server knows which of them were applied the first time.
     *
     * @param waitMillis the limit for all of them together to wait for other transactions
     * @return whether every statement matched its document
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
            return retryAfter(e, () -> matchedByMajority(session, command, waitMillis));
        }
    }

    /** Waits longer only for a missing majority, never for other transactions. */
    private int matchedByMajority(ClientSession session, BsonDocument command, long waitMillis) {
        try {
            return run(session, limited(command, waitMillis, USUAL_MAJORITY_MILLIS));
        } catch (UpdateException e) {
            if (e.isRefused()) {
                throw e;
            }
            return retryAfter(e, () -> run(session, limited(command, waitMillis, majorityLimitMillis)));
        }
    }

    /** The first attempt may still be waiting on the server, so a failure of the second is not final. */
    private static int retryAfter(MongoException first, IntSupplier second) {
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

    /** A timeout on the client becomes the limit of the command, and a command cannot have two. */
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
