package dev.leasehold.engine.internal.mongo;

import com.mongodb.ClientSessionOptions;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two driver sessions of a store, for as long as it lives.
 *
 * <p>All writes run in one, one after the other: the server ends a transaction that was left open in it as soon as the
 * next one begins. Reads run in another, since any command in the first would take away the chance to send a commit in
 * doubt again.
 */
final class StoreSessions implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StoreSessions.class);
    private static final ClientSessionOptions CAUSAL =
            ClientSessionOptions.builder().causallyConsistent(true).build();
    /** The driver begins no transaction with the write concern of a client that asks for no acknowledgement. */
    private static final TransactionOptions ACKNOWLEDGED =
            TransactionOptions.builder().writeConcern(WriteConcern.MAJORITY).build();

    private final String namespace;
    private final ClientSession writing;
    private final ClientSession reading;
    private final UUID writingId;

    private String writer = "-";
    private boolean listed;
    private boolean listedForEver;

    StoreSessions(MongoClient client, String namespace) {
        this.namespace = namespace;
        this.writing = client.startSession(CAUSAL);
        this.reading = client.startSession(CAUSAL);
        this.writingId =
                writing.getServerSession().getIdentifier().getBinary("id").asUuid();
    }

    /** The id by which the server knows the session of the writes; known before it is used. */
    UUID writingId() {
        return writingId;
    }

    /** Who writes from now on, for the log. */
    void usedBy(String writer) {
        this.writer = writer;
    }

    ClientSession writing() {
        return writing;
    }

    /**
     * For reads that see at least what the latest write saw, be it that the write failed on it: a majority read alone
     * may show the older version, and the write would be tried in vain again.
     */
    ClientSession reading() {
        reading.advanceClusterTime(writing.getClusterTime());
        reading.advanceOperationTime(writing.getOperationTime());
        return reading;
    }

    /**
     * Takes the driver's mind off the last transaction. It would count the time since its begin against the timeout that the
     * application may have set on its client, and refuse a write of a session that was idle for as long. Sends nothing.
     */
    void forgetLastTransaction() {
        abortOpenTransaction();
        quietly(() -> {
            writing.startTransaction(ACKNOWLEDGED);
            writing.abortTransaction();
        });
    }

    /**
     * The clock document names the writing session from now on, or may do so.
     *
     * @param unknown whether that may also become true later, when nobody looks any more
     */
    void mayBeListed(boolean unknown) {
        listed = true;
        listedForEver |= unknown;
    }

    /** It certainly names it no longer. */
    void unlisted() {
        listed = false;
    }

    /** Ends the transaction if there is one open. Never throws: an answer that fails to come changes nothing. */
    void abortOpenTransaction() {
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
        // Closing hands it on to the application, whose transactions would be taken for an engine's.
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
