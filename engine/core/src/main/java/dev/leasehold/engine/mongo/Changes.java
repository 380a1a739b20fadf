package dev.leasehold.engine.mongo;

import dev.leasehold.engine.store.ClockStatement;
import dev.leasehold.engine.store.ClockWrite;
import dev.leasehold.engine.store.LeaseDocument;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** What a write makes of its document. Fields that are not named here stay as they are. */
final class Changes {

    private Changes() {}

    /** The writer's newest time, which is also that of its newest transaction. */
    static BsonDocument clock(ClockStatement statement) {
        BsonInt64 stamp = new BsonInt64(statement.stampNanos());
        BsonDocument change = set(new BsonDocument(WriterPath.of(statement.writer(), Fields.TIME), stamp)
                        .append(WriterPath.of(statement.writer(), Fields.TXN), stamp))
                .append("$inc", oneTick());
        if (statement.raiseTokenFloorTo() != null) {
            change.append("$max", new BsonDocument(Fields.TOKEN_FLOOR, new BsonInt64(statement.raiseTokenFloorTo())));
        }
        return change;
    }

    static BsonDocument clock(ClockWrite write) {
        BsonDocument change = write instanceof ClockWrite.Barrier ? new BsonDocument() : entry(write);
        return change.append("$inc", oneTick());
    }

    private static BsonDocument entry(ClockWrite write) {
        if (write instanceof ClockWrite.Register register) {
            BsonDocument entry = ClockCodec.newEntry(register.timeNanos(), register.driverSession());
            return set(new BsonDocument(WriterPath.of(register.writer()), entry));
        }
        if (write instanceof ClockWrite.Prune prune) {
            return unset(WriterPath.of(prune.writer()));
        }
        ClockWrite.Unlist unlist = (ClockWrite.Unlist) write;
        return unset(WriterPath.of(unlist.writer(), Fields.LSID));
    }

    /** A write that changed no byte would conflict with nobody, and be seen by nobody. */
    private static BsonDocument oneTick() {
        return new BsonDocument(Fields.TICKS, new BsonInt64(1));
    }

    /** The clock document of a namespace that has none; an existing one stays as it is. */
    static BsonDocument clockIfNone() {
        return new BsonDocument("$setOnInsert", ClockCodec.initial());
    }

    static BsonDocument firstOf(LeaseDocument document) {
        BsonDocument fields = LeaseCodec.identity(document);
        fields.putAll(LeaseCodec.present(document));
        return set(fields);
    }

    /** Leaves the count of gates alone: assertions made since the document was read must not be undone. */
    static BsonDocument nextOf(LeaseDocument document) {
        BsonDocument change = set(LeaseCodec.present(document));
        BsonDocument absent = LeaseCodec.absent(document);
        return absent.isEmpty() ? change : change.append("$unset", absent);
    }

    private static BsonDocument set(BsonDocument fields) {
        return new BsonDocument("$set", fields);
    }

    private static BsonDocument unset(String path) {
        return new BsonDocument("$unset", new BsonDocument(path, new BsonString("")));
    }
}
