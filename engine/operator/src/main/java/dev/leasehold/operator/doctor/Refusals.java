package dev.leasehold.operator.doctor;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoQueryException;
import com.mongodb.MongoSecurityException;

/** What a server says when it does not do something. */
final class Refusals {

    private static final int UNAUTHORIZED = 13;

    private Refusals() {}

    static boolean isForLackOfRights(MongoException thrown) {
        return thrown.getCode() == UNAUTHORIZED;
    }

    /** Without hosts and documents. */
    static String words(MongoException thrown) {
        if (thrown instanceof MongoCommandException refused) {
            return refused.getErrorMessage() + " (" + refused.getErrorCode() + ")";
        }
        if (thrown instanceof MongoQueryException refused) {
            return refused.getErrorMessage() + " (" + refused.getErrorCode() + ")";
        }
        return thrown instanceof MongoSecurityException
                ? "the servers do not accept the user and password"
                : thrown.getClass().getSimpleName() + " (" + thrown.getCode() + ")";
    }
}
