package dev.leasehold.simulator.store;

import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ServerAddress;
import dev.leasehold.simulator.world.SimulatedNetwork.NetworkFault;
import org.jspecify.annotations.Nullable;

/**
 * The exceptions that the driver throws, with their codes and labels. An error of a server is a plain one: the driver's type for that
 * writes its answer as JSON, which takes longer than the rest of a command.
 */
final class DriverErrors {

    static final int DUPLICATE_KEY = 11000;

    static final ServerAddress SERVER = new ServerAddress("simulated", 27017);

    private DriverErrors() {}

    /** For an answer that says that nothing was done, or not all. */
    static MongoException of(WriteResult result) {
        return switch (result.kind()) {
            case CONFLICT -> transientError(new MongoException(112, "WriteConflict"));
            case REFUSED -> new MongoException(result.errors().get(0).code(), "refused");
            case OUT_OF_TIME -> new MongoExecutionTimeoutException(50, "operation exceeded time limit");
            case INTERRUPTED -> new MongoException(11601, "Interrupted");
            case NO_SUCH_TRANSACTION -> noSuchTransaction();
            case DONE, NO_MAJORITY -> throw new IllegalArgumentException("no error: " + result);
        };
    }

    static MongoException noSuchTransaction() {
        return transientError(new MongoException(251, "NoSuchTransaction"));
    }

    /** For a write whose number is lower than that of its session. */
    static MongoException tooOld() {
        return new MongoException(225, "TransactionTooOld");
    }

    static MongoException noChangeStreams() {
        return new MongoException(40573, "The $changeStream stage is only supported on replica sets");
    }

    /** For a statement of a transaction: nothing of it is ever written without a commit. */
    static MongoException inTransaction(@Nullable NetworkFault fault) {
        return transientError(of(fault));
    }

    static MongoException atCommit(@Nullable NetworkFault fault) {
        MongoException exception = of(fault);
        exception.addLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL);
        return exception;
    }

    static MongoException of(@Nullable NetworkFault fault) {
        if (fault == NetworkFault.NOT_SENT) {
            return new MongoTimeoutException("no server to send it to");
        }
        return fault == NetworkFault.PASSING_ERROR
                ? new MongoException(91, "ShutdownInProgress")
                : new MongoSocketReadException("no answer", SERVER);
    }

    private static MongoException transientError(MongoException exception) {
        exception.addLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
        return exception;
    }
}
