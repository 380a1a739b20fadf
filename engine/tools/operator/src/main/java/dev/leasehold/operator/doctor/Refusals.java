package dev.leasehold.operator.doctor;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoQueryException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import java.util.regex.Pattern;

/** What a server says when it does not do something. */
final class Refusals {

    private static final int UNAUTHORIZED = 13;

    private static final Pattern REQUEST = Pattern.compile("(to execute command) \\{ (\\w+):.*", Pattern.DOTALL);

    private Refusals() {}

    /** Whether the servers, or a way to them, did not answer. */
    static boolean isSilence(MongoException thrown) {
        return thrown instanceof MongoSocketException
                || thrown instanceof MongoTimeoutException
                || thrown instanceof MongoExecutionTimeoutException;
    }

    private static String withoutRequest(String message) {
        return REQUEST.matcher(message).replaceFirst("$1 $2");
    }

    static boolean isForLackOfRights(MongoException thrown) {
        return thrown.getCode() == UNAUTHORIZED;
    }

    /** Without hosts and documents: the message about a missing right repeats the whole command, with times and signatures. */
    static String describe(MongoException thrown) {
        if (thrown instanceof MongoCommandException refused) {
            return withoutRequest(refused.getErrorMessage()) + " (" + refused.getErrorCode() + ")";
        }
        if (thrown instanceof MongoQueryException refused) {
            return withoutRequest(refused.getErrorMessage()) + " (" + refused.getErrorCode() + ")";
        }
        if (isSilence(thrown)) {
            return "no answer in time (" + thrown.getClass().getSimpleName() + ")";
        }
        return thrown instanceof MongoSecurityException
                ? "the servers do not accept the user and password"
                : thrown.getClass().getSimpleName() + " (" + thrown.getCode() + ")";
    }
}
