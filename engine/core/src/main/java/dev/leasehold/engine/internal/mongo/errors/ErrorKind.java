package dev.leasehold.engine.internal.mongo.errors;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoIncompatibleDriverException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoServerUnavailableException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.MongoWriteException;
import dev.leasehold.assertions.LeaseNames;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The kind of failure that an exception of the driver reports. Its consequence depends on the command; see {@link
 * ErrorMapper}.
 */
public enum ErrorKind {
    /** Another transaction is writing one of the documents. The command was not applied. */
    CONFLICT,
    /** A document with that id exists already. The statement was not applied. A foreign unique index is {@link #REFUSED}. */
    DUPLICATE_KEY,
    /** The transaction does not exist, as a majority of the servers confirms: it can never be committed. */
    NO_SUCH_TRANSACTION,
    /** No server or connection was available, so the command was not sent. A retry may succeed. */
    NOT_SENT,
    /** The server turned the command away before it began, since it has too much to do. A retry may succeed. */
    TURNED_AWAY,
    /** The server cancelled the command at its time limit. It was not applied. */
    OUT_OF_TIME,
    /** Transient: network, fail-over, time limit, no majority. The command may have been applied. */
    PASSING,
    /** The command was refused and not applied. A retry is refused too. */
    REFUSED,
    /** Anything else. Whether the command was applied is unknown. */
    UNCLEAR;

    public static final int UNAUTHORIZED = 13;

    private static final Pattern REQUEST = Pattern.compile("(to execute command) \\{\\s*(\\w+):.*", Pattern.DOTALL);
    private static final int WRITE_CONFLICT = 112;
    private static final int DUPLICATE = 11000;
    private static final int NO_TRANSACTION = 251;

    /** A server that sheds load rejects so what is beyond its rate, before it looks at the command. */
    private static final int RATE_EXCEEDED = 462;

    /** Since it exists in some versions only, and under numbers of their own. */
    private static final String TOO_MANY_TRANSACTIONS = "TooManyOpenTransactions";

    /** What a server that sheds load promises of a command that it has applied nothing of. */
    private static final String NO_WRITES = "NoWritesPerformed";

    /** Of an index by its name; older servers put the collection before it. That of a clustered collection is not named. */
    private static final Pattern INDEX = Pattern.compile("\\bindex: (?:\\S+\\.\\$)?(.+?) +dup key");

    /** Codes of servers that change their role, shut down or were asked to cancel an operation. */
    private static final Set<Integer> PASSING_CODES = Set.of(
            6, // HostUnreachable
            7, // HostNotFound
            24, // LockTimeout
            43, // CursorNotFound
            50, // MaxTimeMSExpired
            64, // WriteConcernTimeout
            79, // UnknownReplWriteConcern, while a node joins
            89, // NetworkTimeout
            91, // ShutdownInProgress
            133, // FailedToSatisfyReadPreference: a router found no primary
            134, // ReadConcernMajorityNotAvailableYet
            175, // QueryPlanKilled
            189, // PrimarySteppedDown
            202, // NetworkInterfaceExceededTimeLimit
            237, // CursorKilled
            246, // SnapshotUnavailable
            262, // ExceededTimeLimit
            365, // TemporarilyUnavailable: the storage engine is short of room
            433, // AdmissionQueueOverflow
            449, // RateLimitExceeded
            450, // PooledConnectionAcquisitionRejected
            RATE_EXCEEDED,
            463, // of servers that shed load, like the last
            9001, // SocketException
            10107, // NotWritablePrimary
            11600, // InterruptedAtShutdown
            11601, // Interrupted
            11602, // InterruptedDueToReplStateChange
            13388, // StaleConfig
            13435, // NotPrimaryNoSecondaryOk
            13436 // NotPrimaryOrSecondary
            );

    private static final Set<Integer> OVERLOAD_CODES = Set.of(433, 449, 450, RATE_EXCEEDED, 463);

    private static final Set<Integer> REFUSING_CODES = Set.of(
            UNAUTHORIZED,
            2, // BadValue
            9, // FailedToParse
            14, // TypeMismatch
            18, // AuthenticationFailed
            20, // IllegalOperation
            26, // NamespaceNotFound
            28, // PathNotViable
            59, // CommandNotFound
            121, // DocumentValidationFailure
            166, // CommandNotSupportedOnView
            323, // APIStrictError
            40573 // a change stream on a server that is no member of a replica set
            );

    public static ErrorKind of(RuntimeException exception) {
        if (isClosedClient(exception)) {
            return REFUSED;
        }
        return exception instanceof MongoException failure ? ofDriver(failure) : UNCLEAR;
    }

    private static ErrorKind ofDriver(MongoException failure) {
        if (hasWriteConcernError(failure)) {
            return PASSING;
        }
        if (failure instanceof MongoExecutionTimeoutException) {
            return OUT_OF_TIME;
        }
        if (failure instanceof MongoClientException || failure instanceof MongoIncompatibleDriverException) {
            return ofClient(failure);
        }
        return switch (code(failure)) {
            case WRITE_CONFLICT -> CONFLICT;
            case NO_TRANSACTION -> isOfAMinority(failure) ? PASSING : NO_SUCH_TRANSACTION;
            case DUPLICATE -> isPassing(failure) ? PASSING : foreignIndex(failure) == null ? DUPLICATE_KEY : REFUSED;
            default -> isTurnedAway(failure) ? TURNED_AWAY : ofServer(failure);
        };
    }

    /** Failures that the driver detects itself. */
    private static ErrorKind ofClient(MongoException failure) {
        if (failure instanceof MongoSecurityException || failure instanceof MongoIncompatibleDriverException) {
            return failure.getCause() instanceof MongoException cause && isPassing(cause) ? NOT_SENT : REFUSED;
        }
        if (failure instanceof MongoTimeoutException && !(failure instanceof MongoOperationTimeoutException)) {
            return NOT_SENT;
        }
        return isPassing(failure) ? PASSING : UNCLEAR;
    }

    /**
     * Whether the server certainly did nothing of it. Not if the error stands beside a statement that it refused: others
     * may have been applied.
     */
    private static boolean isTurnedAway(MongoException failure) {
        return failure instanceof MongoCommandException command
                && (code(failure) == RATE_EXCEEDED
                        || command.getErrorCodeName().equals(TOO_MANY_TRANSACTIONS)
                        || failure.hasErrorLabel(NO_WRITES) && isPassing(failure));
    }

    /** Whether the server says that it has too much to do: then a retry should wait for longer each time. */
    static boolean isOverload(RuntimeException exception) {
        return exception instanceof MongoException failure
                && (failure.hasErrorLabel(MongoException.SYSTEM_OVERLOADED_ERROR_LABEL)
                        || OVERLOAD_CODES.contains(code(failure))
                        || failure instanceof MongoCommandException command
                                && command.getErrorCodeName().equals(TOO_MANY_TRANSACTIONS));
    }

    /** The unique index that refused the document, if it is not that of {@code _id}; null otherwise. */
    static @Nullable String foreignIndex(RuntimeException exception) {
        Matcher index = INDEX.matcher(message(exception));
        return exception instanceof MongoException failure
                        && code(failure) == DUPLICATE
                        && index.find()
                        && !index.group(1).equals("_id_")
                ? index.group(1)
                : null;
    }

    private static String message(RuntimeException exception) {
        return exception instanceof MongoBulkWriteException bulk
                        && !bulk.getWriteErrors().isEmpty()
                ? bulk.getWriteErrors().get(0).getMessage()
                : String.valueOf(exception.getMessage());
    }

    private static ErrorKind ofServer(MongoException failure) {
        if (isPassing(failure)) {
            return PASSING;
        }
        return isWriteError(failure) || REFUSING_CODES.contains(code(failure)) ? REFUSED : UNCLEAR;
    }

    private static boolean isPassing(MongoException failure) {
        return hasPassingLabel(failure) || isPassingType(failure) || PASSING_CODES.contains(code(failure));
    }

    private static boolean hasPassingLabel(MongoException failure) {
        return failure.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)
                || failure.hasErrorLabel(MongoException.SYSTEM_OVERLOADED_ERROR_LABEL)
                || failure.hasErrorLabel(MongoException.RETRYABLE_ERROR_LABEL)
                || failure.hasErrorLabel("RetryableWriteError");
    }

    private static boolean isPassingType(MongoException failure) {
        return failure instanceof MongoSocketException
                || failure instanceof MongoOperationTimeoutException
                || failure instanceof MongoInterruptedException
                || failure instanceof MongoConnectionPoolClearedException
                || failure instanceof MongoServerUnavailableException;
    }

    /** The statement was applied; only the acknowledgement by a majority is missing. */
    private static boolean hasWriteConcernError(MongoException failure) {
        return failure instanceof MongoWriteConcernException
                || failure instanceof UpdateException update && !update.isRefused()
                || failure instanceof MongoBulkWriteException bulk
                        && bulk.getWriteErrors().isEmpty()
                        && bulk.getWriteConcernError() != null;
    }

    /**
     * Whether a new primary reported the missing transaction before a majority followed it. A later primary may know
     * the transaction and still commit it. For the same reason the server omits the label of a transient transaction
     * error.
     */
    private static boolean isOfAMinority(MongoException failure) {
        return failure instanceof MongoCommandException command
                && command.getResponse().containsKey("writeConcernError");
    }

    private static boolean isWriteError(MongoException failure) {
        return failure instanceof MongoWriteException
                || failure instanceof UpdateException update && update.isRefused()
                || failure instanceof MongoBulkWriteException bulk
                        && !bulk.getWriteErrors().isEmpty();
    }

    /** The driver's own code of a bulk write is meaningless; the server's code is inside. */
    public static int code(MongoException failure) {
        return failure instanceof MongoBulkWriteException bulk
                        && !bulk.getWriteErrors().isEmpty()
                ? bulk.getWriteErrors().get(0).getCode()
                : failure.getCode();
    }

    /** The driver has no exception type for a closed client, only a message. */
    static boolean isClosedClient(RuntimeException exception) {
        return exception instanceof IllegalStateException
                && String.valueOf(exception.getMessage()).matches("state should be: .*\\bopen");
    }

    /** The message of the server or the driver, in one line and without the parts that repeat the request. */
    public static String words(RuntimeException exception) {
        return LeaseNames.visible(
                exception instanceof MongoCommandException command
                        ? withoutRequest(command.getErrorMessage()) + " (" + command.getErrorCode() + " "
                                + command.getErrorCodeName() + ")"
                        : String.valueOf(exception.getMessage()));
    }

    /** The message about a missing right repeats the whole command; its name is enough. */
    private static String withoutRequest(String message) {
        return REQUEST.matcher(message).replaceFirst("$1 $2");
    }
}
