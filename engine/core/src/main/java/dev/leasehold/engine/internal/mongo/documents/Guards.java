package dev.leasehold.engine.internal.mongo.documents;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseGuard;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Partition;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The guards of all writes: conditions that the server checks at the moment of the write.
 *
 * <p>Text of callers stands only where the server expects a value. It is compared, and never read as an operator or as
 * a path.
 */
public final class Guards {

    private static final BsonDocument NO_SUCH_FIELD = new BsonDocument("$exists", BsonBoolean.FALSE);
    private static final BsonDocument ANY_VALUE = new BsonDocument("$exists", BsonBoolean.TRUE);

    private Guards() {}

    /** The clock document by its id only; each read validates its content. */
    public static BsonDocument clockId(String namespace) {
        return id(LeaseIds.clockId(namespace));
    }

    /** The condition on an id to lie in a range. */
    public static BsonDocument idsIn(LeaseIds.Range range) {
        return new BsonDocument("$gte", new BsonString(range.from())).append("$lt", new BsonString(range.below()));
    }

    /** A clock document in a schema that this engine knows. */
    private static BsonDocument knownClock(String namespace) {
        return clockId(namespace)
                .append(Fields.TYPE, new BsonString(Fields.CLOCK))
                .append(Fields.SCHEMA, new BsonDocument("$lte", new BsonInt32(ClockDocument.SCHEMA)));
    }

    /** All facts that a transaction rests on, apart from the leases that it writes. */
    public static BsonDocument clock(String namespace, ClockStatement statement) {
        BsonDocument time = between(statement.acknowledgedNanos(), statement.stampNanos());
        BsonDocument guard = knownClock(namespace).append(Fields.entry(statement.writer(), Fields.TIME), time);
        if (statement.tokenFloor() != null) {
            guard.append(Fields.TOKEN_FLOOR, new BsonInt64(statement.tokenFloor()));
        }
        for (String absent : new TreeSet<>(statement.absentWriters())) {
            guard.append(Fields.entry(another(statement, absent, "absent")), NO_SUCH_FIELD);
        }
        for (Map.Entry<String, Long> evicted : new TreeMap<>(statement.evictedWriters()).entrySet()) {
            String writer = another(statement, evicted.getKey(), "evicted");
            guard.append(Fields.entry(writer, Fields.TIME), new BsonInt64(evicted.getValue()));
        }
        return guard;
    }

    /** The writer's time is at least the newest acknowledged stamp, and does not go back. */
    private static BsonDocument between(long leastNanos, long belowNanos) {
        return new BsonDocument("$gte", new BsonInt64(leastNanos)).append("$lt", new BsonInt64(belowNanos));
    }

    private static String another(ClockStatement statement, String writer, String fate) {
        if (writer.equals(statement.writer())) {
            throw new IllegalArgumentException(
                    "writer " + LeaseNames.quote(writer) + " writes and cannot be " + fate + " as well");
        }
        return writer;
    }

    /** The facts that a write of the clock document alone rests on. */
    public static BsonDocument clock(Partition partition, ClockWrite write) {
        String namespace = partition.id();
        if (write instanceof ClockWrite.Register register) {
            return unknownWriter(partition, register);
        }
        if (write instanceof ClockWrite.Join join) {
            BsonDocument time = between(join.acknowledgedNanos(), join.stampNanos());
            return writerAt(namespace, join, time, NO_SUCH_FIELD);
        }
        if (write instanceof ClockWrite.Heartbeat heartbeat) {
            BsonDocument time = between(heartbeat.acknowledgedNanos(), heartbeat.stampNanos());
            return writerAt(namespace, heartbeat, time, ANY_VALUE);
        }
        if (write instanceof ClockWrite.Clear clear) {
            BsonDocument guard = knownClock(namespace);
            new TreeMap<>(clear.prunings())
                    .forEach((writer, time) -> appendWriterAt(guard, writer, new BsonInt64(time), NO_SUCH_FIELD));
            new TreeMap<>(clear.evictions())
                    .forEach((writer, time) -> appendWriterAt(guard, writer, new BsonInt64(time), ANY_VALUE));
            return guard;
        }
        if (write instanceof ClockWrite.Barrier) {
            return clockId(namespace);
        }
        return knownWriter(namespace, write);
    }

    /**
     * The writer has no entry yet, and there is a map for it, because the server would silently create one. The clock
     * document is for as many partitions as the writer's engine: every other write rests on the entry, and thereby on
     * this check.
     */
    private static BsonDocument unknownWriter(Partition partition, ClockWrite.Register register) {
        return knownClock(partition.id())
                .append(Fields.PARTITIONS, ClockCodec.partitions(partition))
                .append(Fields.WRITERS, new BsonDocument("$type", new BsonString("object")))
                .append(Fields.entry(register.writer()), NO_SUCH_FIELD);
    }

    /** The writer has an entry. */
    private static BsonDocument knownWriter(String namespace, ClockWrite write) {
        return knownClock(namespace).append(Fields.entry(write.writer()), ANY_VALUE);
    }

    /** The writer has an entry with this time, and a session or none. */
    private static BsonDocument writerAt(
            String namespace, ClockWrite write, BsonValue timeNanos, BsonDocument session) {
        return appendWriterAt(knownClock(namespace), write.writer(), timeNanos, session);
    }

    private static BsonDocument appendWriterAt(
            BsonDocument guard, String writer, BsonValue timeNanos, BsonDocument session) {
        return guard.append(Fields.entry(writer, Fields.TIME), timeNanos)
                .append(Fields.entry(writer, Fields.SESSION), session);
    }

    /**
     * There is no lease document, for an upsert. If a document of that id has one of the fields, the upsert collides
     * with it; if it has neither, it is corrupt, and the counts show that.
     */
    public static BsonDocument noLease(String namespace, String name) {
        return id(LeaseIds.leaseId(namespace, name))
                .append(Fields.WRITTEN, NO_SUCH_FIELD)
                .append(Fields.TYPE, NO_SUCH_FIELD);
    }

    /** The lease document as it was read: no engine has written it since, and its token was not changed by hand. */
    public static BsonDocument leaseAsRead(String namespace, String name, LeaseGuard guard) {
        return id(LeaseIds.leaseId(namespace, name))
                .append(Fields.WRITER, new BsonString(guard.writer()))
                .append(Fields.WRITTEN, new BsonInt64(guard.writtenNanos()))
                .append(Fields.TOKEN, int64(guard.token()));
    }

    /** The same, and not pinned if that matters. An empty array of pins counts as none. */
    public static BsonDocument lease(String namespace, LeaseWrite.Replace replace) {
        BsonDocument guard = leaseAsRead(namespace, replace.name(), replace.guard());
        return replace.unlessPinned() ? unpinned(guard) : guard;
    }

    /** The lease document as it was read, and not pinned: a removal must not lose a pin. */
    public static BsonDocument lease(String namespace, LeaseWrite.Remove remove) {
        return unpinned(leaseAsRead(namespace, remove.name(), remove.guard()));
    }

    /** Compares value and type: to the server an int32 or a double of the same value is equal. */
    private static BsonDocument int64(long value) {
        return new BsonDocument("$eq", new BsonInt64(value)).append("$type", new BsonString("long"));
    }

    private static BsonDocument unpinned(BsonDocument guard) {
        return guard.append(Fields.PINS + ".0", NO_SUCH_FIELD);
    }

    /** A gate stripe by its id only: the guard of its lease covers it. */
    public static BsonDocument stripe(String namespace, String name, int stripe) {
        return id(LeaseIds.stripeId(namespace, name, stripe));
    }

    /** A queue document by its id only: no write of it has a guard. */
    public static BsonDocument queue(String namespace, String name) {
        return id(LeaseIds.queueId(namespace, name));
    }

    /** An empty queue document. */
    public static BsonDocument emptyQueue(BsonString id) {
        return new BsonDocument(Fields.ID, id)
                .append(Fields.TYPE, new BsonString(Fields.QUEUE))
                .append(Fields.WAITERS + ".0", NO_SUCH_FIELD);
    }

    private static BsonDocument id(String id) {
        return new BsonDocument(Fields.ID, new BsonString(id));
    }
}
