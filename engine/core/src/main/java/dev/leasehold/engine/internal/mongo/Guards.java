package dev.leasehold.engine.internal.mongo;

import dev.leasehold.assertions.LeaseIds;
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
            guard.append(WriterPath.of(another(statement, absent, "absent")), NO_SUCH_FIELD);
        }
        for (Map.Entry<String, Long> evicted : new TreeMap<>(statement.evictedWriters()).entrySet()) {
            String writer = another(statement, evicted.getKey(), "evicted");
            guard.append(WriterPath.of(writer, Fields.TIME), new BsonInt64(evicted.getValue()));
        }
        return guard;
    }

    /** Its time was acknowledged up to here, and does not go back. */
    private static BsonDocument between(long leastNanos, long belowNanos) {
        return new BsonDocument("$gte", new BsonInt64(leastNanos)).append("$lt", new BsonInt64(belowNanos));
    }

    private static String another(ClockStatement statement, String writer, String fate) {
        if (writer.equals(statement.writer())) {
            throw new IllegalArgumentException("writer '" + writer + "' writes and cannot be " + fate + " as well");
        }
        return writer;
    }

    /** What a write of the clock document alone rests on. */
    static BsonDocument clock(Partition partition, ClockWrite write) {
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
        if (write instanceof ClockWrite.Prune prune) {
            return writerAt(namespace, prune, new BsonInt64(prune.timeNanos()), NO_SUCH_FIELD);
        }
        if (write instanceof ClockWrite.Evict evict) {
            return writerAt(namespace, evict, new BsonInt64(evict.timeNanos()), ANY_VALUE);
        }
        if (write instanceof ClockWrite.Barrier) {
            return clockId(namespace);
        }
        return knownWriter(namespace, write);
    }

    /**
     * No such writer yet; and a map to put it in, since the server would silently make one. The clock is for as many partitions
     * as the writer's engine is: every other write rests on the entry, and thereby on this.
     */
    private static BsonDocument unknownWriter(Partition partition, ClockWrite.Register register) {
        return knownClock(partition.id())
                .append(Fields.PARTITIONS, ClockCodec.partitions(partition))
                .append(Fields.WRITERS, new BsonDocument("$type", new BsonString("object")))
                .append(WriterPath.of(register.writer()), NO_SUCH_FIELD);
    }

    /** There is still an entry to take something out of. */
    private static BsonDocument knownWriter(String namespace, ClockWrite write) {
        return knownClock(namespace).append(WriterPath.of(write.writer()), ANY_VALUE);
    }

    /** Its entry is there, its time is as it must be, and it has a session or none. */
    private static BsonDocument writerAt(
            String namespace, ClockWrite write, BsonValue timeNanos, BsonDocument session) {
        return knownClock(namespace)
                .append(WriterPath.of(write.writer(), Fields.TIME), timeNanos)
                .append(WriterPath.of(write.writer(), Fields.SESSION), session);
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

    /** The lease document as it was seen: no engine has written it since, and nobody has changed its token. */
    static BsonDocument lease(String namespace, String name, LeaseGuard guard) {
        return id(LeaseIds.leaseId(namespace, name))
                .append(Fields.WRITER, new BsonString(guard.writer()))
                .append(Fields.WRITTEN, new BsonInt64(guard.writtenNanos()))
                .append(Fields.TOKEN, int64(guard.token()));
    }

    /** The same, and nobody has pinned it, where that matters. An array without a first element is as good as none. */
    static BsonDocument lease(String namespace, LeaseWrite.Replace replace) {
        BsonDocument guard = lease(namespace, replace.name(), replace.guard());
        return replace.unlessPinned() ? unpinned(guard) : guard;
    }

    /** The lease document as it was seen, and with it all that may be removed: a pin is not to be lost. */
    static BsonDocument lease(String namespace, LeaseWrite.Remove remove) {
        return unpinned(lease(namespace, remove.name(), remove.guard()));
    }

    /** By value and by type: to the server an int32 or a double of the same value is equal. */
    private static BsonDocument int64(long value) {
        return new BsonDocument("$eq", new BsonInt64(value)).append("$type", new BsonString("long"));
    }

    private static BsonDocument unpinned(BsonDocument guard) {
        return guard.append(Fields.PINS + ".0", NO_SUCH_FIELD);
    }

    /** A gate stripe by its id alone: it follows the lease, whose guard is that of the whole. */
    static BsonDocument stripe(String namespace, String name, int stripe) {
        return id(LeaseIds.stripeId(namespace, name, stripe));
    }

    private static BsonDocument id(String id) {
        return new BsonDocument(Fields.ID, new BsonString(id));
    }
}
