package dev.leasehold.engine.internal.mongo.errors;

import com.mongodb.MongoException;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** An error inside the reply to an {@code update} that is otherwise ok, as the driver reports it for its own updates. */
public final class UpdateException extends MongoException {

    private static final long serialVersionUID = 1;

    private final boolean refused;
    private final boolean partial;
    private final int index;

    UpdateException(BsonDocument error, boolean refused, boolean partial) {
        super(
                error.getNumber("code", new BsonInt32(-1)).intValue(),
                error.getString("errmsg", new BsonString("no message")).getValue());
        this.refused = refused;
        this.partial = partial;
        this.index = error.getNumber("index", new BsonInt32(0)).intValue();
    }

    /**
     * Throws the error of a reply, if it has one.
     *
     * @param statements how many the command had
     */
    public static void throwIfAny(BsonDocument answer, int statements) {
        BsonArray refused = answer.getArray("writeErrors", new BsonArray());
        if (!refused.isEmpty()) {
            throw new UpdateException(refused.get(0).asDocument(), true, refused.size() < statements);
        }
        if (answer.containsKey("writeConcernError")) {
            throw new UpdateException(answer.getDocument("writeConcernError"), false, false);
        }
    }

    /** Whether a statement was not applied. Otherwise all were, and only the acknowledgement by a majority is missing. */
    public boolean isRefused() {
        return refused;
    }

    /** Which of the statements was not applied. */
    public int index() {
        return index;
    }

    /** Whether other statements may have been applied. */
    boolean isPartial() {
        return partial;
    }
}
