package dev.leasehold.engine.internal.mongo.documents;

import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.store.StoredQueue;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The update operators of all writes. Fields that are not named here stay unchanged. */
public final class Updates {

    /** The server ignores the value. */
    private static final BsonString UNSET = new BsonString("");

    private Updates() {}

    /** Sets the writer's time, which is also the stamp of its newest transaction. */
    public static BsonDocument clock(ClockStatement statement) {
        BsonInt64 stamp = new BsonInt64(statement.stampNanos());
        BsonDocument change = set(new BsonDocument(Fields.entry(statement.writer(), Fields.TIME), stamp)
                        .append(Fields.entry(statement.writer(), Fields.TXN), stamp))
                .append("$inc", oneTick());
        if (!statement.evictedWriters().isEmpty()) {
            BsonDocument evicted = new BsonDocument();
            new TreeSet<>(statement.evictedWriters().keySet())
                    .forEach(writer -> evicted.append(Fields.entry(writer), UNSET));
            change.append("$unset", evicted);
        }
        if (statement.raiseTokenFloorTo() != null) {
            change.append("$max", new BsonDocument(Fields.TOKEN_FLOOR, new BsonInt64(statement.raiseTokenFloorTo())));
        }
        return change;
    }

    /** Includes the engine's drift if the write creates an entry. */
    public static BsonDocument clock(ClockWrite write, long driftPpm) {
        BsonDocument change = write instanceof ClockWrite.Barrier ? new BsonDocument() : entry(write, driftPpm);
        return change.append("$inc", oneTick());
    }

    private static BsonDocument entry(ClockWrite write, long driftPpm) {
        if (write instanceof ClockWrite.Register register) {
            return set(new BsonDocument(Fields.entry(register.writer()), ClockCodec.newEntry(register, driftPpm)));
        }
        if (write instanceof ClockWrite.Join join) {
            return set(time(join, join.stampNanos())
                    .append(Fields.entry(join.writer(), Fields.SESSION), new BsonInt64(join.sessionNanos())));
        }
        if (write instanceof ClockWrite.Heartbeat heartbeat) {
            return set(time(heartbeat, heartbeat.stampNanos()));
        }
        if (write instanceof ClockWrite.Clear clear) {
            BsonDocument removed = new BsonDocument();
            clear.writers().forEach(writer -> removed.append(Fields.entry(writer), UNSET));
            return new BsonDocument("$unset", removed);
        }
        return write instanceof ClockWrite.Unlist
                ? unset(Fields.entry(write.writer(), Fields.LSID))
                : unset(Fields.entry(write.writer()));
    }

    private static BsonDocument time(ClockWrite write, long stampNanos) {
        return new BsonDocument(Fields.entry(write.writer(), Fields.TIME), new BsonInt64(stampNanos));
    }

    /** A write that changes no byte would neither conflict with another write nor appear in a change stream. */
    private static BsonDocument oneTick() {
        return new BsonDocument(Fields.TICKS, new BsonInt64(1));
    }

    /** Creates the clock document if there is none; an existing one stays unchanged. */
    public static BsonDocument clockIfNone(Partition partition, long tokenFloor) {
        return new BsonDocument("$setOnInsert", ClockCodec.initial(partition, tokenFloor));
    }

    public static BsonDocument firstOf(LeaseDocument document) {
        BsonDocument fields = LeaseCodec.identity(document);
        fields.putAll(LeaseCodec.present(document));
        return set(fields);
    }

    /** Does not touch gates and pins: assertions and pins made since the document was read must not be undone. */
    public static BsonDocument nextOf(LeaseDocument document) {
        BsonDocument change = set(LeaseCodec.present(document));
        BsonDocument absent = LeaseCodec.absent(document);
        return absent.isEmpty() ? change : change.append("$unset", absent);
    }

    /**
     * Makes a gate stripe show the tenure, or that there is none. Repairs damaged fields, apart from the gates, which
     * only assertions use.
     */
    public static BsonDocument stripe(LeaseDocument document) {
        return set(LeaseCodec.stripe(document))
                .append("$setOnInsert", new BsonDocument(Fields.GATES, new BsonInt64(0)));
    }

    /** The update of a gate stripe right before its removal. */
    public static BsonDocument lastOfStripe() {
        return set(new BsonDocument(Fields.TYPE, new BsonString(Fields.GATE)));
    }

    /**
     * Adds or removes a pin. The update may change no byte, and then conflicts with nothing. That is harmless, because
     * the clock document's statement of the same transaction does change bytes: it orders pins and unpins, and a write
     * that rests on the absence of pins checks the document.
     */
    public static BsonDocument pin(LeaseWrite.Pin pin) {
        BsonDocument entity = new BsonDocument(Fields.PINS, new BsonString(pin.entity()));
        return new BsonDocument(pin.pinned() ? "$addToSet" : "$pull", entity);
    }

    /** The update of a queue document, which creates it if there is none. Its tickets are counted, which change streams select. */
    public static BsonDocument queue(String namespace, LeaseWrite.OfQueue write) {
        BsonDocument first = new BsonDocument(Fields.TYPE, new BsonString(Fields.QUEUE))
                .append(Fields.NAMESPACE, new BsonString(namespace))
                .append(Fields.NAME, new BsonString(write.name()));
        if (write instanceof LeaseWrite.Enqueue enqueue) {
            BsonDocument ticket = new BsonDocument("$each", new BsonArray(List.of(QueueCodec.encode(enqueue.waiter()))))
                    .append("$slice", new BsonInt32(StoredQueue.TICKETS_MAX));
            return new BsonDocument("$push", new BsonDocument(Fields.WAITERS, ticket))
                    .append("$inc", new BsonDocument(Fields.TICKETS, new BsonInt64(1)))
                    .append("$setOnInsert", first);
        }
        return new BsonDocument("$pull", new BsonDocument(Fields.WAITERS, pulled(write)))
                .append("$setOnInsert", first.append(Fields.TICKETS, new BsonInt64(0)));
    }

    private static BsonDocument pulled(LeaseWrite.OfQueue write) {
        if (write instanceof LeaseWrite.Withdraw withdraw) {
            BsonDocument stamps = in(withdraw.stampsNanos().stream().sorted().map(BsonInt64::new));
            return new BsonDocument(Fields.WRITER, new BsonString(withdraw.writer())).append(Fields.STAMP, stamps);
        }
        return ofWriters(((LeaseWrite.DropAbsent) write).writers());
    }

    /** The tickets of these writers. */
    public static BsonDocument ofWriters(Set<String> writers) {
        return new BsonDocument(Fields.WRITER, in(writers.stream().sorted().map(BsonString::new)));
    }

    private static BsonDocument in(Stream<? extends BsonValue> values) {
        return new BsonDocument("$in", new BsonArray(values.toList()));
    }

    private static BsonDocument set(BsonDocument fields) {
        return new BsonDocument("$set", fields);
    }

    private static BsonDocument unset(String path) {
        return new BsonDocument("$unset", new BsonDocument(path, UNSET));
    }
}
