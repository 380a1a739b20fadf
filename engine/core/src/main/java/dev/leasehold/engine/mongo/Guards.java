package dev.leasehold.engine.mongo;

import dev.leasehold.engine.store.ClockDocument;
import dev.leasehold.engine.store.ClockStatement;
import dev.leasehold.engine.store.ClockWrite;
import dev.leasehold.engine.store.LeaseGuard;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Every condition of a write, as the filter that finds the document only while it holds. */
final class Guards {

    private static final BsonDocument ABSENT = new BsonDocument("$exists", BsonBoolean.FALSE);

    private final BsonString clockId;

    Guards(String namespace) {
        this.clockId = new BsonString(namespace);
    }

    /** The clock document of this namespace, in a format that this engine knows. */
    BsonDocument clock() {
        return new BsonDocument(Fields.ID, clockId)
                .append(Fields.TYPE, new BsonString(Fields.CLOCK_TYPE))
                .append(Fields.SCHEMA, new BsonDocument("$lte", new BsonInt32(ClockDocument.SCHEMA)));
    }

    /** See {@link ClockStatement}. */
    BsonDocument clock(ClockStatement statement) {
        BsonDocument filter = clock().append(
                Fields.entry(statement.writer(), Fields.TIME),
                new BsonDocument("$gte", new BsonInt64(statement.acknowledgedNanos()))
                        .append("$lt", new BsonInt64(statement.stampNanos())));
        if (statement.tokenFloor() != null) {
            filter.append(Fields.TOKEN_FLOOR, new BsonInt64(statement.tokenFloor()));
        }
        statement.absentWriters().stream().sorted().forEach(writer -> filter.append(Fields.entry(writer), ABSENT));
        return filter;
    }

    /** The writer has no entry yet. */
    BsonDocument register(ClockWrite.Register register) {
        return clock().append(Fields.entry(register.writer()), ABSENT);
    }

    /** The writer's entry names a driver session. */
    BsonDocument unlist(ClockWrite.Unlist unlist) {
        return clock().append(Fields.entry(unlist.writer(), Fields.LSID), new BsonDocument("$exists", BsonBoolean.TRUE));
    }

    /** The entry is still the one that was silent, and has no session. */
    BsonDocument prune(ClockWrite.Prune prune) {
        return clock()
                .append(Fields.entry(prune.writer(), Fields.TIME), new BsonInt64(prune.timeNanos()))
                .append(Fields.entry(prune.writer(), Fields.SESSION), ABSENT);
    }

    /** The lease is still as that writer left it at that stamp. */
    static BsonDocument lease(BsonValue id, LeaseGuard guard) {
        return new BsonDocument(Fields.ID, id)
                .append(Fields.WRITER, new BsonString(guard.writer()))
                .append(Fields.WRITTEN, new BsonInt64(guard.writtenNanos()));
    }

    /**
     * For an upsert: matches no document that an engine wrote, and none that only lost a field, so that the insert collides
     * with either.
     */
    static BsonDocument noLease(BsonValue id) {
        return new BsonDocument(Fields.ID, id).append(Fields.WRITTEN, ABSENT).append(Fields.TYPE, ABSENT);
    }
}
