package dev.leasehold.engine.mongo;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.engine.store.ClockDocument;
import dev.leasehold.engine.store.ClockStatement;
import dev.leasehold.engine.store.ClockWrite;
import dev.leasehold.engine.store.LeaseGuard;
import java.util.TreeSet;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * What must hold for a write to happen, judged by the server at the moment of the write.
 *
 * <p>Text of callers stands only where the server expects a value. It is compared, and never read as an operator or as
 * a path.
 */
final class Guards {

    private static final BsonDocument NO_SUCH_FIELD = new BsonDocument("$exists", BsonBoolean.FALSE);
    private static final BsonDocument ANY_VALUE = new BsonDocument("$exists", BsonBoolean.TRUE);

    private Guards() {}

    /** The clock document by its id alone; it is validated by whoever reads it. */
    static BsonDocument clockId(String namespace) {
        return id(LeaseIds.clockId(namespace));
    }

    /** It is a clock document, in a format that this engine knows. */
    private static BsonDocument knownClock(String namespace) {
        return clockId(namespace)
                .append(Fields.TYPE, new BsonString(Fields.CLOCK))
                .append(Fields.SCHEMA, new BsonDocument("$lte", new BsonInt32(ClockDocument.SCHEMA)));
    }

    /** All that a transaction was decided on, apart from the leases that it writes. */
    static BsonDocument clock(String namespace, ClockStatement statement) {
        BsonDocument guard = knownClock(namespace)
                .append(
                        WriterPath.of(statement.writer(), Fields.TIME),
                        between(statement.acknowledgedNanos(), statement.stampNanos()));
        if (statement.tokenFloor() != null) {
            guard.append(Fields.TOKEN_FLOOR, new BsonInt64(statement.tokenFloor()));
        }
        for (String absent : new TreeSet<>(statement.absentWriters())) {
            guard.append(absentEntry(statement, absent), NO_SUCH_FIELD);
        }
        return guard;
    }

    /** Its time was acknowledged up to here, and does not go back. */
    private static BsonDocument between(long leastNanos, long belowNanos) {
        return new BsonDocument("$gte", new BsonInt64(leastNanos)).append("$lt", new BsonInt64(belowNanos));
    }

    private static String absentEntry(ClockStatement statement, String absent) {
        if (absent.equals(statement.writer())) {
            throw new IllegalArgumentException("writer '" + absent + "' writes and cannot be absent as well");
        }
        return WriterPath.of(absent);
    }

    /** What a write of the clock document alone rests on. */
    static BsonDocument clock(String namespace, ClockWrite write) {
        if (write instanceof ClockWrite.Register register) {
            return unknownWriter(namespace, register);
        }
        if (write instanceof ClockWrite.Prune prune) {
            return silentWriter(namespace, prune);
        }
        if (write instanceof ClockWrite.Barrier) {
            return clockId(namespace);
        }
        return knownWriter(namespace, (ClockWrite.Unlist) write);
    }

    /** No such writer yet; and a map to put it in, since the server would silently make one. */
    private static BsonDocument unknownWriter(String namespace, ClockWrite.Register register) {
        return knownClock(namespace)
                .append(Fields.WRITERS, new BsonDocument("$type", new BsonString("object")))
                .append(WriterPath.of(register.writer()), NO_SUCH_FIELD);
    }

    /** There is still an entry to take something out of. */
    private static BsonDocument knownWriter(String namespace, ClockWrite.Unlist unlist) {
        return knownClock(namespace).append(WriterPath.of(unlist.writer()), ANY_VALUE);
    }

    /** Not a write of it since it was seen, and no session that would live on. */
    private static BsonDocument silentWriter(String namespace, ClockWrite.Prune prune) {
        return knownClock(namespace)
                .append(WriterPath.of(prune.writer(), Fields.TIME), new BsonInt64(prune.timeNanos()))
                .append(WriterPath.of(prune.writer(), Fields.SESSION), NO_SUCH_FIELD);
    }

    /**
     * Nothing that looks like a lease document, for an upsert. A document of that id that has one of the fields makes
     * the upsert collide; one that has neither is corrupt, and is found out by the counts.
     */
    static BsonDocument noLease(String namespace, String name) {
        return id(LeaseIds.leaseId(namespace, name))
                .append(Fields.WRITTEN, NO_SUCH_FIELD)
                .append(Fields.TYPE, NO_SUCH_FIELD);
    }

    /** The lease document as it was seen: no engine has written it since. */
    static BsonDocument lease(String namespace, String name, LeaseGuard guard) {
        return id(LeaseIds.leaseId(namespace, name))
                .append(Fields.WRITER, new BsonString(guard.writer()))
                .append(Fields.WRITTEN, new BsonInt64(guard.writtenNanos()));
    }

    private static BsonDocument id(String id) {
        return new BsonDocument(Fields.ID, new BsonString(id));
    }
}
