package dev.leasehold.engine.internal.mongo;

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
import java.util.Set;
import java.util.regex.Pattern;

/** What kind of failure an exception of the driver reports. What follows from it depends on what was sent. */
enum ErrorKind {
    /** Another transaction is writing one of the documents. The server did not carry the command out. */
    CONFLICT,
    /** A document of that id is there already. The server did not carry the statement out. */
    DUPLICATE_KEY,
    /** The transaction does not exist, and a majority of the servers knows: it can never be committed. */
    NO_SUCH_TRANSACTION,
    /** No server or connection was to be had, so the command was not sent. It may be another time. */
    NOT_SENT,
    /** The server gave the command up after the time that it was given. It was not carried out. */
    OUT_OF_TIME,
    /** Network, fail-over, a time limit, no majority: it goes away. The command may have been carried out. */
    PASSING,
    /** The command is refused and was not carried out. It will be refused again. */
    REFUSED,
    /** Anything else. Whether the command was carried out cannot be told. */
    UNCLEAR;

    static final int UNAUTHORIZED = 13;

    private static final Pattern REQUEST = Pattern.compile("(to execute command) \\{\\s*(\\w+):.*", Pattern.DOTALL);
    private static final int WRITE_CONFLICT = 112;
    private static final int DUPLICATE = 11000;
    private static final int NO_TRANSACTION = 251;

    /** What a server says that changes its role or shuts down, or that was told to end an operation. */
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
            9001, // SocketException
            10107, // NotWritablePrimary
            11600, // InterruptedAtShutdown
            11601, // Interrupted
            11602, // InterruptedDueToReplStateChange
            13388, // StaleConfig
            13435, // NotPrimaryNoSecondaryOk
            13436 // NotPrimaryOrSecondary
            );

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

    static ErrorKind of(RuntimeException exception) {
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
            case DUPLICATE -> isPassing(failure) ? PASSING : DUPLICATE_KEY;
            default -> ofServer(failure);
        };
    }

    /** What the driver found out by itself. */
    private static ErrorKind ofClient(MongoException failure) {
        if (failure instanceof MongoSecurityException || failure instanceof MongoIncompatibleDriverException) {
            return failure.getCause() instanceof MongoException cause && isPassing(cause) ? NOT_SENT : REFUSED;
        }
        if (failure instanceof MongoTimeoutException && !(failure instanceof MongoOperationTimeoutException)) {
            return NOT_SENT;
        }
        return isPassing(failure) ? PASSING : UNCLEAR;
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

    /** The statement itself was carried out then; only its acknowledgement is missing. */
    private static boolean hasWriteConcernError(MongoException failure) {
        return failure instanceof MongoWriteConcernException
                || failure instanceof UpdateException update && !update.isRefused()
                || failure instanceof MongoBulkWriteException bulk
                        && bulk.getWriteErrors().isEmpty()
                        && bulk.getWriteConcernError() != null;
    }

    /**
     * A new primary says so before a majority follows it. One that comes after it may know the transaction, and carry it out yet. The
     * server leaves its label of a transaction that may be begun anew away for the same reason.
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

    /** The driver's own number for a bulk write says nothing; the server's is inside. */
    static int code(MongoException failure) {
        return failure instanceof MongoBulkWriteException bulk
                        && !bulk.getWriteErrors().isEmpty()
                ? bulk.getWriteErrors().get(0).getCode()
                : failure.getCode();
    }

    /** The driver has no type for it, only words. */
    static boolean isClosedClient(RuntimeException exception) {
        return exception instanceof IllegalStateException
                && String.valueOf(exception.getMessage()).matches("state should be: .*\\bopen");
    }

    /** What the server or the driver said about it, without the parts that repeat the request. */
    static String words(RuntimeException exception) {
        return exception instanceof MongoCommandException command
                ? withoutRequest(command.getErrorMessage()) + " (" + command.getErrorCode() + " "
                        + command.getErrorCodeName() + ")"
                : String.valueOf(exception.getMessage());
    }

    /** A missing right is told with the whole command that needed it, of which the name says enough. */
    private static String withoutRequest(String message) {
        return REQUEST.matcher(message).replaceFirst("$1 $2");
    }
}
