package dev.leasehold.engine.internal.mongo;

import com.mongodb.MongoException;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** The errors of single updates inside a reply that is otherwise ok, as the driver reports them for its own updates. */
final class UpdateException extends MongoException {

    private static final long serialVersionUID = 1;

    private final boolean refused;
    private final boolean partial;

    private UpdateException(BsonDocument error, boolean refused, boolean partial) {
        super(
                error.getNumber("code", new BsonInt32(-1)).intValue(),
                error.getString("errmsg", new BsonString("no message")).getValue());
        this.refused = refused;
        this.partial = partial;
    }

    /**
     * A statement was not applied.
     *
     * @param partial whether other statements may have been applied
     */
    static UpdateException refused(BsonDocument writeError, boolean partial) {
        return new UpdateException(writeError, true, partial);
    }

    /** The statements were applied, but a majority has not acknowledged them yet. */
    static UpdateException unacknowledged(BsonDocument writeConcernError) {
        return new UpdateException(writeConcernError, false, false);
    }

    boolean isRefused() {
        return refused;
    }

    boolean isPartial() {
        return partial;
    }
}
