package dev.leasehold.engine.internal.mongo.documents;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.internal.mongo.documents.TypedFields.Violation;
import dev.leasehold.engine.internal.store.StoredQueue;
import dev.leasehold.engine.internal.store.Waiter;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Converts queue documents to and from BSON. Nothing in them decides whether a lease is free, so what is damaged is only left out: a corrupt
 * element is no ticket, and a corrupt document takes none.
 */
public final class QueueCodec {

    private final String partition;

    public QueueCodec(String partition) {
        this.partition = partition;
    }

    /** The range of the ids of all queues of a partition. */
    public static BsonDocument ids(String partition) {
        return Guards.idsIn(LeaseIds.queueIds(partition));
    }

    /** Whether a stored document is a queue, by its id. */
    public boolean isQueue(BsonDocument stored) {
        return stored.getString(Fields.ID).getValue().startsWith(partition + "&");
    }

    /** Decodes a stored document. Never throws. */
    public StoredQueue decode(BsonDocument stored) {
        String name = stored.getString(Fields.ID).getValue().substring(partition.length() + 1);
        BsonValue waiters = stored.get(Fields.WAITERS);
        BsonValue type = stored.get(Fields.TYPE);
        if (!new BsonString(Fields.QUEUE).equals(type)) {
            return new StoredQueue(name, List.of(), Fields.TYPE + " is not '" + Fields.QUEUE + "'");
        }
        if (waiters != null && !waiters.isArray()) {
            return new StoredQueue(name, List.of(), Fields.WAITERS + " is no array");
        }
        BsonArray elements = waiters == null ? new BsonArray() : waiters.asArray();
        List<Waiter> sound = elements.stream()
                .filter(BsonValue::isDocument)
                .flatMap(each -> ticket(new TypedFields(each.asDocument())).stream())
                .toList();
        return new StoredQueue(name, sound, null);
    }

    private static Optional<Waiter> ticket(TypedFields fields) {
        try {
            return Optional.of(new Waiter(
                    LeaseCodec.writer(fields),
                    fields.stamp(Fields.STAMP),
                    Objects.requireNonNull(LeaseCodec.checked(
                            fields, Fields.HOLDER, fields.string(Fields.HOLDER), LeaseNames::checkHolder)),
                    fields.int32Between(Integer.MIN_VALUE, Integer.MAX_VALUE, Fields.PRIORITY, "is no int32"),
                    LeaseCodec.comment(fields),
                    LeaseCodec.stripes(fields),
                    fields.stringIf(Fields.PAYLOAD, LeaseCodec::isPayload)));
        } catch (Violation damaged) {
            return Optional.empty();
        }
    }

    /** A ticket as an element of the array. */
    static BsonDocument encode(Waiter waiter) {
        BsonDocument element = new BsonDocument(Fields.WRITER, new BsonString(waiter.writer()))
                .append(Fields.STAMP, new BsonInt64(waiter.stampNanos()))
                .append(Fields.HOLDER, new BsonString(waiter.holder()))
                .append(Fields.PRIORITY, new BsonInt32(waiter.priority()));
        if (waiter.comment() != null) {
            element.append(Fields.COMMENT, new BsonString(waiter.comment()));
        }
        if (waiter.stripes() > 0) {
            element.append(Fields.STRIPES, new BsonInt32(waiter.stripes()));
        }
        if (waiter.payload() != null) {
            element.append(Fields.PAYLOAD, new BsonString(waiter.payload()));
        }
        return element;
    }
}
