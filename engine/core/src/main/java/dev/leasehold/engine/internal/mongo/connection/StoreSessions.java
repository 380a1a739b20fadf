package dev.leasehold.engine.internal.mongo.connection;

import com.mongodb.ClientSessionOptions;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import dev.leasehold.engine.internal.mongo.errors.ErrorKind;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two driver sessions of a store.
 *
 * <p>All writes run in one of them, one after the other: the server ends a transaction that was left open in it as soon
 * as the next one begins. Reads run in the other, because a command in the first would make it impossible to resend a
 * commit with an unknown outcome.
 */
public final class StoreSessions implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StoreSessions.class);
    private static final ClientSessionOptions CAUSAL =
            ClientSessionOptions.builder().causallyConsistent(true).build();
    /** The driver begins no transaction if the client's write concern is unacknowledged. */
    private static final TransactionOptions ACKNOWLEDGED =
            TransactionOptions.builder().writeConcern(WriteConcern.MAJORITY).build();

    private final String namespace;
    private final ClientSession writing;
    private final ClientSession reading;
    private final UUID writingId;

    private String writer = "-";
    private boolean listed;
    private boolean listedForEver;

    public StoreSessions(MongoClient client, String namespace) {
        this.namespace = namespace;
        this.writing = client.startSession(CAUSAL);
        this.reading = client.startSession(CAUSAL);
        this.writingId =
                writing.getServerSession().getIdentifier().getBinary("id").asUuid();
    }

    /** The server's id of the writing session; known before its first use. */
    public UUID writingId() {
        return writingId;
    }

    /** Sets the current writer, for the log. */
    public void usedBy(String writer) {
        this.writer = writer;
    }

    public ClientSession writing() {
        return writing;
    }

    /**
     * The session for reads. They see at least what the latest write saw, including what made it fail: a majority read
     * alone may show the older version, and the same write would be retried in vain.
     */
    public ClientSession reading() {
        reading.advanceClusterTime(writing.getClusterTime());
        reading.advanceOperationTime(writing.getOperationTime());
        return reading;
    }

    /**
     * Makes the driver forget the last transaction. Otherwise it would count the time since its begin against a timeout
     * set on the client, and refuse a write of a session that was idle for as long. Sends nothing.
     */
    public void forgetLastTransaction() {
        abortOpenTransaction();
        quietly(() -> {
            writing.startTransaction(ACKNOWLEDGED);
            writing.abortTransaction();
        });
    }

    /** Records whether the clock document may name the writing session, which must then not return to the driver's pool. */
    public void wrote(ClockWrite write, Verdict verdict) {
        if (write instanceof ClockWrite.Register || write instanceof ClockWrite.Join) {
            listed = true;
            // If either is not answered, the engine continues as a new writer, and the entry of this one is
            // never unlisted.
            listedForEver |= verdict == Verdict.UNKNOWN;
        } else if ((write instanceof ClockWrite.Unlist || write instanceof ClockWrite.Leave)
                && verdict == Verdict.APPLIED) {
            // A miss proves nothing: a clock document of a newer schema is left unchanged.
            listed = false;
        }
    }

    /** Aborts the transaction if one is open. Never throws: a missing reply changes nothing. */
    public void abortOpenTransaction() {
        quietly(() -> {
            if (writing.hasActiveTransaction()) {
                writing.abortTransaction();
            }
        });
    }

    @Override
    public void close() {
        abortOpenTransaction();
        quietly(reading::close);
        // Closing returns the session to the driver's pool; the application's transactions in it would be taken
        // for an engine's.
        if (!listed && !listedForEver) {
            quietly(writing::close);
        }
    }

    private void quietly(Runnable ending) {
        try {
            ending.run();
        } catch (RuntimeException e) {
            LOG.debug(
                    "namespace '{}', writer '{}': a driver session could not be ended; the server does so in time: {}",
                    namespace,
                    writer,
                    ErrorKind.words(e));
        }
    }
}
