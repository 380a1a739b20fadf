package dev.leasehold.assertions;

import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.jspecify.annotations.Nullable;

/**
 * Makes a caller's transaction one that can only be rolled back, because its assertion failed. The driver has no such thing: an abort
 * would leave the session without a transaction, and what a body that goes on writes in it would be stored at once.
 *
 * <p>So the transaction is aborted, and the session is put into another one whose commit throws the assertion's failure before anything
 * is sent. The failure being what it is, {@code withTransaction} treats it as if the body had thrown it.
 */
final class RollbackOnly {

    /** Longer than a transaction lives. Set at all, it makes the driver look at the write concern before it takes a connection. */
    private static final long TIMEOUT_HOURS = 24;

    private RollbackOnly() {}

    /**
     * For a failure after which the driver may run the body again: the server never hears of the transaction that the session is in from
     * now on, and refuses its statements as it refuses those of one that it has ended. Sends nothing but the abort, since the server may be
     * out of reach.
     */
    static void untilRetried(ClientSession session, RuntimeException failure) {
        Refusal refusal = new Refusal(session, failure, false);
        replace(session, refusal);
        refusal.begins();
    }

    /**
     * For a failure that is final. Statements of a body that goes on are carried out, and rolled back: refused by the server, they would
     * fail with the label that makes the driver run the body again.
     *
     * @param begin sends any statement, which begins the transaction on the server
     */
    static void forGood(ClientSession session, RuntimeException failure, Runnable begin) {
        Refusal refusal = new Refusal(session, failure, true);
        replace(session, refusal);
        try {
            begin.run();
        } catch (RuntimeException ignored) {
            // The commit is refused all the same, and the failure of the assertion is what the caller has to hear of.
        }
        refusal.begins();
    }

    private static void replace(ClientSession session, Refusal refusal) {
        TransactionOptions options = session.getTransactionOptions();
        session.abortTransaction();
        session.startTransaction(TransactionOptions.merge(
                TransactionOptions.builder()
                        .writeConcern(refusal)
                        .timeout(timeoutHours(options), TimeUnit.HOURS)
                        .build(),
                options));
    }

    /** None of ours where the transaction has one, which then does the same. */
    private static @Nullable Long timeoutHours(TransactionOptions options) {
        return options.getTimeout(TimeUnit.MILLISECONDS) == null ? TIMEOUT_HOURS : null;
    }

    /**
     * What the driver has to ask before it can send a commit. The number of nodes is more than a server accepts, so that it would refuse
     * the commit of a driver that asked in another way.
     */
    private static final class Refusal extends WriteConcern {

        private static final long serialVersionUID = 1;
        private static final int NODES_REFUSED = 51;

        private final transient ClientSession session;
        private final RuntimeException failure;

        /** Whether the server knows of the transaction, and has to be told of its end. */
        private boolean toAbort;

        private boolean refuses;

        private final boolean retried;
        private boolean refused;

        Refusal(ClientSession session, RuntimeException failure, boolean toAbort) {
            super(NODES_REFUSED);
            this.session = session;
            this.failure = failure;
            this.toAbort = toAbort;
            this.retried = !toAbort;
        }

        /** Without a message sent the driver would take a commit for one of an empty transaction, and send nothing. */
        void begins() {
            session.notifyMessageSent();
            refuses = true;
        }

        /**
         * Some versions of the driver ask once more after a commit that has failed, before they look whether to run the body again. What is
         * thrown there would be thrown by {@code withTransaction}.
         */
        @Override
        public @Nullable Integer getWTimeout(TimeUnit unit) {
            if (!retried || !refused) {
                refuse();
            }
            return null;
        }

        @Override
        public BsonDocument asDocument() {
            refuse();
            return new BsonDocument("w", new BsonInt32(1));
        }

        /** An abort asks as a commit does. It passes over what is thrown, having been carried out here. */
        private void refuse() {
            if (!refuses) {
                return;
            }
            if (toAbort) {
                toAbort = false;
                refuses = false;
                session.abortTransaction();
                refuses = true;
            }
            refused = true;
            throw failure;
        }
    }
}
