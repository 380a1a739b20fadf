package dev.leasehold.simulator.store;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ServerAddress;
import dev.leasehold.simulator.world.NetworkFault;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/** The exceptions that the driver throws at callers, with their codes and labels. */
final class DriverErrors {

    private static final ServerAddress SERVER = new ServerAddress("simulated", 27017);

    private DriverErrors() {}

    static MongoException conflict() {
        return labelled(command(112, "WriteConflict"), MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
    }

    static MongoException duplicateKey() {
        return command(11000, "DuplicateKey");
    }

    static MongoException noSuchTransaction() {
        return labelled(command(251, "NoSuchTransaction"), MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
    }

    /** For a statement of a transaction: nothing of it is ever written without a commit. */
    static MongoException inTransaction(@Nullable NetworkFault networkFault) {
        return labelled(of(networkFault), MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
    }

    static MongoException atCommit(@Nullable NetworkFault networkFault) {
        return labelled(of(networkFault), MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL);
    }

    private static MongoException of(@Nullable NetworkFault networkFault) {
        if (networkFault == NetworkFault.NOT_SENT) {
            return new MongoTimeoutException("no server to send it to");
        }
        return networkFault == NetworkFault.PASSING_ERROR
                ? command(91, "ShutdownInProgress")
                : new MongoSocketReadException("no answer", SERVER);
    }

    private static MongoException labelled(MongoException exception, String label) {
        exception.addLabel(label);
        return exception;
    }

    private static MongoException command(int code, String name) {
        return new MongoCommandException(
                new BsonDocument("ok", new BsonInt32(0))
                        .append("code", new BsonInt32(code))
                        .append("codeName", new BsonString(name))
                        .append("errmsg", new BsonString(name)),
                SERVER);
    }
}
