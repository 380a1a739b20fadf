package dev.leasehold.assertions;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCluster;
import com.mongodb.client.MongoCollection;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The end of a transaction that failed, for the case that the server still has it open: the driver's abort has no reliable answer, and where
 * it was lost, what the transaction wrote stays blocked until the server ends it by itself.
 *
 * <p>The server ends whatever is open in a session as soon as a command with a later transaction number arrives there, and from then on refuses
 * those with an earlier one. So this takes the next number of the session at once, without I/O, and {@link #end} sends a write with it that
 * changes nothing. Later transactions of the session have later numbers, and are not touched.
 *
 * <p>Safe for use by many threads. The session may be used and closed meanwhile.
 */
public final class AbandonedTransaction {

    /** The driver begins no transaction if the client's write concern is unacknowledged. */
    private static final TransactionOptions ACKNOWLEDGED =
            TransactionOptions.builder().writeConcern(WriteConcern.MAJORITY).build();

    private static final long LIMIT_MILLIS = 1_000;

    private static final int TRANSACTION_TOO_OLD = 225;

    private final MongoCollection<BsonDocument> leases;
    private final BsonDocument nothing;
    private final BsonDocument touch;
    private final @Nullable MongoCluster client;
    private final BsonDocument session;
    private final long number;

    /**
     * Takes the next number of the session.
     *
     * @param leases of the session's client
     * @param nothing a filter that no document passes, with the id of a document near those that the transaction wrote
     * @param touch a change that the rights of the client allow
     * @param session whose transaction has failed
     */
    AbandonedTransaction(
            MongoCollection<BsonDocument> leases, BsonDocument nothing, BsonDocument touch, ClientSession session) {
        // Sends nothing. Without it a commit that the caller repeats by hand would be sent with the number of this.
        session.startTransaction(ACKNOWLEDGED);
        session.abortTransaction();
        // Whatever the client has: the driver refuses a write without an answer in a session.
        this.leases = leases.withWriteConcern(WriteConcern.MAJORITY);
        this.nothing = nothing;
        this.touch = touch;
        // What the driver keeps of a session is for one thread at a time, so a session of its own sends the write.
        this.client = session.getOriginator() instanceof MongoCluster cluster ? cluster : null;
        this.session = session.getServerSession().getIdentifier();
        this.number = session.getServerSession().getTransactionNumber();
    }

    /**
     * Makes the server end the transaction, if it has it. One round trip, within a second. Repeat it after a while until it has returned
     * true. Without effect where the client has retryable writes turned off, and for sessions of a database in memory: then the
     * server ends the transaction in its own time.
     *
     * @return whether the transaction is certainly over, or need not be asked for again; otherwise the server has not answered
     */
    public boolean end() {
        if (client == null) {
            return true;
        }
        try (ClientSession own = client.startSession()) {
            leases.withTimeout(LIMIT_MILLIS, TimeUnit.MILLISECONDS)
                    .updateOne(NumberedSession.of(own, session, number), nothing, touch);
            return true;
        } catch (MongoCommandException e) {
            // Too old: a later transaction of the session has ended it.
            return e.getErrorCode() == TRANSACTION_TOO_OLD;
        } catch (MongoException e) {
            return false;
        }
    }
}
