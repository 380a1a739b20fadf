package dev.leasehold.engine.internal.mongo;

import com.mongodb.client.model.Projections;
import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.StoredLease;
import java.util.List;
import java.util.Set;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Converts lease documents to and from BSON. Unknown fields are ignored when read and not written, so that they stay.
 */
final class LeaseCodec {

    /** The projection of a document; applications may store fields of their own in it, of any size. */
    static final List<String> NAMES = List.of(
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
            Fields.SINCE,
            Fields.PINS,
            Fields.STRIPES);

    static final Bson FIELDS = Projections.include(NAMES);

    private final String namespace;

    LeaseCodec(String namespace) {
        this.namespace = namespace;
    }

    /** Decodes a stored document. Never throws: a corrupt document makes one lease unusable, not the whole read. */
    StoredLease decode(BsonDocument stored) {
        String id = stored.getString(Fields.ID).getValue();
        try {
            return new StoredLease.Sound(decodeSound(id, new TypedFields(stored)));
        } catch (SchemaViolation violation) {
            return new StoredLease.Corrupt(nameIn(id), id, violation.field(), violation.found());
        }
    }

    private String nameIn(String id) {
        return id.substring(namespace.length() + 1);
    }

    private LeaseDocument decodeSound(String id, TypedFields fields) {
        fields.requireText(Fields.TYPE, Fields.LEASE);
        fields.requireText(Fields.NAMESPACE, namespace);
        String holder = holder(fields);
        return new LeaseDocument(
                namespace,
                name(id, fields),
                holder,
                fields.int64AtLeast(1, Fields.TOKEN),
                writer(fields),
                fields.stamp(Fields.WRITTEN),
                fields.optionalStamp(Fields.EXPIRY),
                fields.int64AtLeast(0, Fields.GATES),
                comment(fields),
                fields.date(Fields.SINCE),
                pins(fields),
                fields.optionalInt32Between(1, LeaseIds.STRIPES_MAX, Fields.STRIPES));
    }

    private String name(String id, TypedFields fields) {
        String name = fields.string(Fields.NAME);
        fields.requireRule(Fields.NAME, () -> LeaseNames.checkName(name));
        if (!id.equals(LeaseIds.leaseId(namespace, name))) {
            throw SchemaViolation.of(Fields.NAME, new BsonString(name), "must be '" + nameIn(id) + "', as in the id");
        }
        return name;
    }

    private static @Nullable String holder(TypedFields fields) {
        String holder = fields.stringOrNull(Fields.HOLDER);
        if (holder != null) {
            fields.requireRule(Fields.HOLDER, () -> LeaseNames.checkHolder(holder));
        }
        return holder;
    }

    /** The comment is shown in messages and logs, so it must not contain control characters. */
    private static @Nullable String comment(TypedFields fields) {
        String comment = fields.optionalString(Fields.COMMENT);
        if (comment != null) {
            fields.requireRule(Fields.COMMENT, () -> LeaseNames.checkComment(comment));
        }
        return comment;
    }

    /** Pins are shown too. */
    private static Set<String> pins(TypedFields fields) {
        Set<String> pins = fields.optionalStrings(Fields.PINS);
        pins.forEach(entity -> fields.requireRule(Fields.PINS, () -> LeaseNames.checkEntity(entity)));
        return pins;
    }

    private static String writer(TypedFields fields) {
        String writer = fields.string(Fields.WRITER);
        if (!WriterPath.isKey(writer)) {
            throw SchemaViolation.of(Fields.WRITER, new BsonString(writer), WriterPath.RULE);
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
