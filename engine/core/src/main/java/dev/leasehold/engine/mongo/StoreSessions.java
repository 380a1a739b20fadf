package dev.leasehold.engine.mongo;

import com.mongodb.ClientSessionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import java.util.List;
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

    private final ClientSession writing;
    private final ClientSession reading;
    private final UUID writingId;

    StoreSessions(MongoClient client) {
        this.writing = client.startSession(CAUSAL);
        this.reading = client.startSession(CAUSAL);
        this.writingId = writing.getServerSession().getIdentifier().getBinary("id").asUuid();
    }

    /** The id by which the server knows the session of the writes; known before it is used. */
    UUID writingId() {
        return writingId;
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
        for (ClientSession session : List.of(writing, reading)) {
            quietly(session::close);
        }
    }

    private static void quietly(Runnable ending) {
        try {
            ending.run();
        } catch (RuntimeException e) {
            LOG.debug("a driver session could not be ended; the server does so in time", e);
        }
    }
}
