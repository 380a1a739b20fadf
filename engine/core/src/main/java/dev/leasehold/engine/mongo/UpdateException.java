package dev.leasehold.engine.mongo;

import com.mongodb.MongoException;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** What a server says of an update inside an answer that is otherwise ok, as the driver says it of its own updates. */
final class UpdateException extends MongoException {

    private static final long serialVersionUID = 1;

    private final boolean refused;

    private UpdateException(BsonDocument error, boolean refused) {
        super(
                error.getNumber("code", new BsonInt32(-1)).intValue(),
                error.getString("errmsg", new BsonString("no message")).getValue());
        this.refused = refused;
    }

    /** The statement was not carried out. */
    static UpdateException refused(BsonDocument writeError) {
        return new UpdateException(writeError, true);
    }

    /** The statement was carried out, and no majority has it yet. */
    static UpdateException unacknowledged(BsonDocument writeConcernError) {
        return new UpdateException(writeConcernError, false);
    }

    boolean isRefused() {
        return refused;
    }
}
