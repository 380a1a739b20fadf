package dev.leasehold.engine.internal.mongo.errors;

import com.mongodb.MongoException;
import com.mongodb.MongoIncompatibleDriverException;
import com.mongodb.MongoNamespace;
import com.mongodb.MongoSecurityException;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.UnsupportedDeploymentException;
import dev.leasehold.engine.internal.store.WriteOutcome;

/**
 * Maps an exception of the driver to a {@link WriteOutcome} or a {@link LeaseException}, for each kind of command that
 * the store sends.
 */
public final class ErrorMapper {

    private final String where;
    private final String rights;
    private final String watchRights;

    public ErrorMapper(String namespace, MongoNamespace collection) {
        this.where = "namespace '" + namespace + "' in '" + collection.getFullName() + "': ";
        this.rights = "the database user lacks a right. Needed are find, insert, update, remove, changeStream and"
                + " listCollections, as in the role readWrite on database '" + collection.getDatabaseName() + "': ";
        this.watchRights =
                "the database user may not watch the collection. Needed are changeStream and find on it, as in the"
                        + " role readWrite on database '" + collection.getDatabaseName() + "': ";
    }

    /** A read can be retried, unless it is refused. What a check of the answer threw stays as it is. */
    public LeaseException ofRead(RuntimeException exception) {
        if (exception instanceof LeaseException known) {
            return known;
        }
        return switch (ErrorKind.of(exception)) {
            case CONFLICT, NO_SUCH_TRANSACTION, NOT_SENT, TURNED_AWAY, OUT_OF_TIME, PASSING -> unavailable(exception);
            case DUPLICATE_KEY, REFUSED, UNCLEAR -> refused(exception);
        };
    }

    /** Like {@link #ofRead}, of a removal that can be repeated: after what is not understood, it may be done too. */
    public LeaseException ofRemoval(RuntimeException exception) {
        return ErrorKind.of(exception) == ErrorKind.UNCLEAR ? unknown(exception) : ofRead(exception);
    }

    /** Before the commit is sent, nothing of the transaction is written, whatever the failure. */
    public WriteOutcome beforeCommit(RuntimeException exception) {
        return switch (ErrorKind.of(exception)) {
            case CONFLICT -> WriteOutcome.conflict(conflict(exception));
            case DUPLICATE_KEY -> WriteOutcome.MISSED;
            case NO_SUCH_TRANSACTION, NOT_SENT, TURNED_AWAY, OUT_OF_TIME, PASSING ->
                WriteOutcome.unavailable(unavailable(exception));
            case REFUSED, UNCLEAR -> WriteOutcome.failed(refused(exception));
        };
    }

    /** Like {@link #beforeCommit}, but after the clock document was written: a conflict is then on a lease. */
    public WriteOutcome afterClockStatement(RuntimeException exception) {
        return ErrorKind.of(exception) == ErrorKind.CONFLICT
                ? WriteOutcome.leaseConflict(leaseConflict(exception))
                : beforeCommit(exception);
    }

    /**
     * Only a transaction that does not exist was certainly not committed. After any other failure the server may have
     * committed, or still may: the driver may have sent the commit twice and report the second failure.
     */
    public WriteOutcome ofCommit(RuntimeException exception) {
        return ErrorKind.of(exception) == ErrorKind.NO_SUCH_TRANSACTION
                ? WriteOutcome.unavailable(unavailable(exception))
                : WriteOutcome.unknown(unknown(exception));
    }

    /**
     * A single write that was sent and not answered may be applied long after. A write that the server cancelled was
     * not: it waited for another transaction. A missing majority is reported in another way.
     */
    public WriteOutcome ofClockWrite(RuntimeException exception) {
        return switch (ErrorKind.of(exception)) {
            case CONFLICT, OUT_OF_TIME -> WriteOutcome.conflict(conflict(exception));
            case NOT_SENT, TURNED_AWAY -> WriteOutcome.unavailable(unavailable(exception));
            case DUPLICATE_KEY, REFUSED -> WriteOutcome.failed(refused(exception));
            case NO_SUCH_TRANSACTION, PASSING, UNCLEAR -> WriteOutcome.unknown(unknown(exception));
        };
    }

    /**
     * Like {@link #ofClockWrite}, for updates of leases. Updates before the one that waited are applied, and so are
     * those beside a refused one.
     */
    public WriteOutcome ofLeaseWrites(RuntimeException exception) {
        return switch (ErrorKind.of(exception)) {
            case CONFLICT, OUT_OF_TIME -> WriteOutcome.conflict(leaseConflict(exception));
            case DUPLICATE_KEY, REFUSED ->
                isPartial(exception)
                        ? WriteOutcome.conflict(refused(exception))
                        : WriteOutcome.failed(refused(exception));
            case NOT_SENT, TURNED_AWAY, NO_SUCH_TRANSACTION, PASSING, UNCLEAR -> ofClockWrite(exception);
        };
    }

    private static boolean isPartial(RuntimeException exception) {
        return exception instanceof UpdateException update && update.isPartial();
    }

    /** A change stream can be reopened, unless it would fail in the same way. */
    public LeaseException ofWatch(RuntimeException exception) {
        if (exception instanceof LeaseException known) {
            return known;
        }
        return switch (ErrorKind.of(exception)) {
            case REFUSED ->
                lacksRight(exception)
                        ? new LeaseStoreException(where + watchRights + ErrorKind.words(exception), exception)
                        : refused(exception);
            case CONFLICT, DUPLICATE_KEY, NO_SUCH_TRANSACTION, NOT_SENT, TURNED_AWAY, OUT_OF_TIME, PASSING, UNCLEAR ->
                unavailable(exception);
        };
    }

    /** The change stream ends with the collection. */
    public LeaseException watchEnded() {
        return new LeaseUnavailableException(
                where + "the server has ended the watch, as it does when the collection is dropped or renamed", null);
    }

    /** The transaction with the unknown outcome is over, because a later write used its driver session. */
    public WriteOutcome commitCannotBeRepeated() {
        return WriteOutcome.unknown(new LeaseOutcomeUnknownException(
                where
                        + "a later write took the driver session, so the commit with the unknown outcome cannot be sent again",
                null));
    }

    private LeaseException conflict(RuntimeException exception) {
        return new LeaseContentionException(
                where + "another transaction is writing the clock document or one of the leases: "
                        + ErrorKind.words(exception),
                exception);
    }

    private LeaseException leaseConflict(RuntimeException exception) {
        return new LeaseContentionException(
                where + "another transaction has written one of the leases and is still open. It may be a caller's that"
                        + " asserts the lease, also one whose caller died: the server ends that after its"
                        + " transactionLifetimeLimitSeconds, 60 s if not set: " + ErrorKind.words(exception),
                exception);
    }

    private LeaseException unavailable(RuntimeException exception) {
        boolean overloaded = ErrorKind.isOverload(exception);
        String what = overloaded ? "the database has too much to do: " : "the database could not do it now: ";
        return new LeaseUnavailableException(where + what + ErrorKind.words(exception), exception, overloaded);
    }

    private LeaseException unknown(RuntimeException exception) {
        return new LeaseOutcomeUnknownException(
                where + "the write was sent, and its outcome is not known: " + ErrorKind.words(exception), exception);
    }

    private LeaseException refused(RuntimeException exception) {
        if (exception instanceof MongoIncompatibleDriverException) {
            return new UnsupportedDeploymentException(
                    where + "server and driver do not fit together: " + ErrorKind.words(exception), exception);
        }
        return new LeaseStoreException(where + refusal(exception), exception);
    }

    private String refusal(RuntimeException exception) {
        if (ErrorKind.isClosedClient(exception)) {
            return "the MongoClient was closed before its engine";
        }
        if (exception instanceof MongoSecurityException) {
            return "the database does not accept the client's credentials: " + ErrorKind.words(exception);
        }
        String index = ErrorKind.foreignIndex(exception);
        if (index != null) {
            return "the unique index '" + index
                    + "' of the collection refused a document of a lease. Drop that index, or keep"
                    + " leases in a collection of their own: " + ErrorKind.words(exception);
        }
        return (lacksRight(exception) ? rights : "the database refused: ") + ErrorKind.words(exception);
    }

    private static boolean lacksRight(RuntimeException exception) {
        return exception instanceof MongoException failure && ErrorKind.code(failure) == ErrorKind.UNAUTHORIZED;
    }
}
