package dev.leasehold.assertions;

import com.mongodb.MongoNamespace;
import com.mongodb.client.model.Projections;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Says in words what a lease document shows. For messages alone, so that it copes with any document. */
final class FoundLease {

    static final Bson PROJECTION = Projections.include(LeaseFields.HOLDER, LeaseFields.TOKEN, LeaseFields.COMMENT);

    private FoundLease() {}

    /** With the collection where there is none: a caller may have given another one than that of the leases. */
    static String describe(@Nullable BsonDocument lease, MongoNamespace collection) {
        if (lease == null) {
            return "there is no such lease in collection " + Quoted.of(collection.getFullName());
        }
        return holder(lease) + ", " + token(lease) + comment(lease);
    }

    private static String holder(BsonDocument lease) {
        BsonValue holder = lease.get(LeaseFields.HOLDER, BsonNull.VALUE);
        if (holder.isNull()) {
            return "it is vacant";
        }
        return holder.isString() ? "it is held by " + quoted(holder) : "its holder is a " + holder.getBsonType();
    }

    private static String token(BsonDocument lease) {
        BsonValue token = lease.get(LeaseFields.TOKEN, BsonNull.VALUE);
        return token.isInt64() ? "token " + token.asInt64().getValue() : "its token is a " + token.getBsonType();
    }

    private static String comment(BsonDocument lease) {
        BsonValue comment = lease.get(LeaseFields.COMMENT, BsonNull.VALUE);
        return comment.isString() ? ", comment " + quoted(comment) : "";
    }

    private static String quoted(BsonValue text) {
        return Quoted.of(text.asString().getValue());
    }
}
