package dev.leasehold.engine.internal.mongo.documents;

import com.mongodb.client.model.Projections;
import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.internal.mongo.documents.TypedFields.Violation;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.StoredLease;
import java.util.Set;
import java.util.function.Consumer;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Converts lease documents to and from BSON. Unknown fields are ignored when read and not written, so that they stay.
 */
public final class LeaseCodec {

    /** The projection of a document; applications may store fields of their own in it, of any size. */
    public static final BsonDocument FIELDS = Projections.include(
                    Fields.ID,
                    Fields.TYPE,
                    Fields.NAMESPACE,
                    Fields.NAME,
                    Fields.HOLDER,
                    Fields.TOKEN,
                    Fields.WRITER,
                    Fields.WRITTEN,
                    Fields.EXPIRY,
                    Fields.GATES,
                    Fields.COMMENT,
                    Fields.PAYLOAD,
                    Fields.SINCE,
                    Fields.PINS,
                    Fields.STRIPES)
            .toBsonDocument();

    private final String namespace;

    public LeaseCodec(String namespace) {
        this.namespace = namespace;
    }

    /** Decodes a stored document. Never throws: a corrupt document makes one lease unusable, not the whole read. */
    public StoredLease decode(BsonDocument stored) {
        String id = stored.getString(Fields.ID).getValue();
        try {
            return new StoredLease.Sound(decodeSound(id, new TypedFields(stored)));
        } catch (Violation violation) {
            return new StoredLease.Corrupt(nameIn(id), id, violation.field(), violation.found());
        }
    }

    /** The range of the ids of all leases of a partition: the dollar sign follows the hash in byte order. */
    public static BsonDocument ids(String partition) {
        String clockId = LeaseIds.clockId(partition);
        return new BsonDocument("$gte", new BsonString(clockId + "#")).append("$lt", new BsonString(clockId + "$"));
    }

    private String nameIn(String id) {
        return id.substring(namespace.length() + 1);
    }

    private LeaseDocument decodeSound(String id, TypedFields fields) {
        fields.requireText(Fields.TYPE, Fields.LEASE);
        fields.requireText(Fields.NAMESPACE, namespace);
        String holder = checked(fields, Fields.HOLDER, fields.stringOrNull(Fields.HOLDER), LeaseNames::checkHolder);
        Set<String> pins = fields.optional(Fields.PINS, fields::strings);
        int stripes = stripes(fields);
        // Comments and pins are shown in messages and logs, so they must not contain control characters.
        return new LeaseDocument(
                namespace,
                name(id, fields),
                holder,
                fields.int64AtLeast(1, Fields.TOKEN),
                writer(fields),
                fields.stamp(Fields.WRITTEN),
                fields.optional(Fields.EXPIRY, fields::stamp),
                fields.int64AtLeast(0, Fields.GATES),
                comment(fields),
                fields.date(Fields.SINCE),
                pins == null ? Set.of() : checkedPins(fields, pins),
                stripes,
                fields.stringIf(Fields.PAYLOAD, LeaseCodec::isPayload));
    }

    static @Nullable String comment(TypedFields fields) {
        String comment = fields.optional(Fields.COMMENT, fields::string);
        return checked(fields, Fields.COMMENT, comment, LeaseNames::checkComment);
    }

    /** 0 for none. */
    static int stripes(TypedFields fields) {
        String rule = "must be an int32 of 1 to " + LeaseIds.STRIPES_MAX;
        Integer stripes =
                fields.optional(Fields.STRIPES, field -> fields.int32Between(1, LeaseIds.STRIPES_MAX, field, rule));
        return stripes == null ? 0 : stripes;
    }

    static boolean isPayload(String text) {
        try {
            return !LeaseNames.checkPayload(text).isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private String name(String id, TypedFields fields) {
        String name = fields.string(Fields.NAME);
        fields.requireRule(Fields.NAME, () -> LeaseNames.checkName(name));
        if (!id.equals(LeaseIds.leaseId(namespace, name))) {
            throw new Violation(
                    Fields.NAME, new BsonString(name), "must be " + LeaseNames.quote(nameIn(id)) + ", as in the id");
        }
        return name;
    }

    static @Nullable String checked(TypedFields fields, String field, @Nullable String text, Consumer<String> check) {
        if (text != null) {
            fields.requireRule(field, () -> check.accept(text));
        }
        return text;
    }

    private static Set<String> checkedPins(TypedFields fields, Set<String> pins) {
        pins.forEach(entity -> fields.requireRule(Fields.PINS, () -> LeaseNames.checkEntity(entity)));
        return pins;
    }

    static String writer(TypedFields fields) {
        String writer = fields.string(Fields.WRITER);
        if (!Fields.isWriter(writer)) {
            throw new Violation(Fields.WRITER, new BsonString(writer), Fields.WRITER_RULE);
        }
        return writer;
    }

    /** The fields that never change while the document exists, without the id. */
    static BsonDocument identity(LeaseDocument document) {
        return new BsonDocument(Fields.TYPE, new BsonString(Fields.LEASE))
                .append(Fields.NAMESPACE, new BsonString(document.namespace()))
                .append(Fields.NAME, new BsonString(document.name()))
                .append(Fields.GATES, new BsonInt64(document.gates()));
    }

    /** The present fields that an engine writes each time. Pins are set and removed by separate writes. */
    static BsonDocument present(LeaseDocument document) {
        BsonDocument fields = new BsonDocument(Fields.HOLDER, textOrNull(document.holder()))
                .append(Fields.TOKEN, new BsonInt64(document.token()))
                .append(Fields.WRITER, new BsonString(document.writer()))
                .append(Fields.WRITTEN, new BsonInt64(document.writtenNanos()))
                .append(Fields.SINCE, new BsonDateTime(document.since().toEpochMilli()));
        if (document.expiryNanos() != null) {
            fields.append(Fields.EXPIRY, new BsonInt64(document.expiryNanos()));
        }
        if (document.comment() != null) {
            fields.append(Fields.COMMENT, new BsonString(document.comment()));
        }
        if (document.payload() != null) {
            fields.append(Fields.PAYLOAD, new BsonString(document.payload()));
        }
        if (document.stripes() > 0) {
            fields.append(Fields.STRIPES, new BsonInt32(document.stripes()));
        }
        return fields;
    }

    /** The fields to be removed. The number of stripes is never removed. */
    static BsonDocument absent(LeaseDocument document) {
        BsonDocument fields = new BsonDocument();
        if (document.expiryNanos() == null) {
            fields.append(Fields.EXPIRY, new BsonString(""));
        }
        if (document.comment() == null) {
            fields.append(Fields.COMMENT, new BsonString(""));
        }
        if (document.payload() == null) {
            fields.append(Fields.PAYLOAD, new BsonString(""));
        }
        return fields;
    }

    /** The fields of each gate stripe that repeat the lease. */
    static BsonDocument stripe(LeaseDocument document) {
        return new BsonDocument(Fields.TYPE, new BsonString(Fields.GATE))
                .append(Fields.NAMESPACE, new BsonString(document.namespace()))
                .append(Fields.NAME, new BsonString(document.name()))
                .append(Fields.HOLDER, textOrNull(document.holder()))
                .append(Fields.TOKEN, new BsonInt64(document.token()));
    }

    private static BsonValue textOrNull(@Nullable String text) {
        return text == null ? BsonNull.VALUE : new BsonString(text);
    }
}
