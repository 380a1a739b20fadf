package dev.leasehold.engine.mongo;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.MongoWriteException;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.store.WriteOutcome;

/** What the driver's exceptions say about a write or a read. */
final class DriverErrors {

    private static final int UNAUTHORIZED = 13;
    private static final int WRITE_CONFLICT = 112;
    private static final int NO_SUCH_TRANSACTION = 251;
    private static final int DUPLICATE_KEY = 11000;

    private final String namespace;

    DriverErrors(String namespace) {
        this.namespace = namespace;
    }

    /** The update of a transaction threw. Its commit was never sent, so it cannot commit. */
    WriteOutcome ofUpdate(RuntimeException e) {
        if (isDuplicateKey(e)) {
            return WriteOutcome.MISSED;
        }
        if (e instanceof MongoException error && error.getCode() == WRITE_CONFLICT) {
            return WriteOutcome.conflict(
                    new LeaseContentionException(inNamespace("another transaction is writing the same documents"), e));
        }
        return isTransient(e) ? WriteOutcome.unavailable(unavailable(e)) : WriteOutcome.failed(failed(e));
    }

    /** A commit threw. One code alone says that it never happened; labels do not help, some applied commits have none. */
    WriteOutcome ofCommit(RuntimeException e) {
        return e instanceof MongoException error && error.getCode() == NO_SUCH_TRANSACTION
                ? WriteOutcome.unavailable(unavailable(e))
                : WriteOutcome.unknown(unknown(e));
    }

    /** A single write threw. Unless the server refused it, or it was never sent, it may have been applied. */
    WriteOutcome ofSingleWrite(RuntimeException e) {
        if (e instanceof MongoNotPrimaryException || e instanceof MongoNodeIsRecoveringException || wasNotSent(e)) {
            return WriteOutcome.unavailable(unavailable(e));
        }
        boolean refused = e instanceof MongoWriteException || isPlainRefusal(e) || !(e instanceof MongoException);
        return refused ? WriteOutcome.failed(failed(e)) : WriteOutcome.unknown(unknown(e));
    }

    /** A read threw. */
    LeaseException ofRead(RuntimeException e) {
        boolean passing = isTransient(e)
                || e instanceof MongoSocketException
                || e instanceof MongoTimeoutException
                || e instanceof MongoExecutionTimeoutException
                || e instanceof MongoNotPrimaryException
                || e instanceof MongoNodeIsRecoveringException
                || e instanceof MongoException error && error.hasErrorLabel("RetryableReadError");
        return passing ? unavailable(e) : failed(e);
    }

    private static boolean isDuplicateKey(RuntimeException e) {
        return e instanceof MongoBulkWriteException bulk
                && bulk.getWriteErrors().stream().anyMatch(error -> error.getCode() == DUPLICATE_KEY);
    }

    private static boolean isTransient(RuntimeException e) {
        return e instanceof MongoException error && error.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
    }

    /** No server was found, or the client could not log in. */
    private static boolean wasNotSent(RuntimeException e) {
        return e instanceof MongoTimeoutException || e instanceof MongoSecurityException;
    }

    private static boolean isPlainRefusal(RuntimeException e) {
        return e instanceof MongoCommandException error
                && !(e instanceof MongoExecutionTimeoutException)
                && !error.hasErrorLabel("RetryableWriteError")
                && error.getErrorCode() == UNAUTHORIZED;
    }

    private LeaseException unavailable(RuntimeException e) {
        return new LeaseUnavailableException(inNamespace("the database could not do it now: " + e.getMessage()), e);
    }

    private LeaseException unknown(RuntimeException e) {
        return new LeaseOutcomeUnknownException(inNamespace("the database's answer was lost: " + e.getMessage()), e);
    }

    private LeaseException failed(RuntimeException e) {
        return new LeaseStoreException(inNamespace(reason(e)), e);
    }

    private static String reason(RuntimeException e) {
        if (e instanceof MongoException error && error.getCode() == UNAUTHORIZED) {
            return "missing rights: an engine needs find, insert, update and remove on the collection of the leases, and"
                    + " listCollections on its database, as the role readWrite has them: " + e.getMessage();
        }
        if (e instanceof MongoSecurityException) {
            return "the client could not log in: " + e.getMessage();
        }
        if (e instanceof MongoInterruptedException) {
            return "the engine's thread was interrupted: " + e.getMessage();
        }
        if (e instanceof IllegalStateException) {
            return "the MongoClient was closed before its engine: " + e.getMessage();
        }
        return "the database refused: " + e.getMessage();
    }

    private String inNamespace(String what) {
        return "namespace '" + namespace + "': " + what;
    }
}
