package dev.leasehold.engine.internal.mongo;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonBinarySubType;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a stored document, each of exactly the type that the schema requires. A field of another type is never
 * converted: a double instead of an int64 has already lost nanoseconds.
 */
final class TypedFields {

    private static final int UUID_BYTES = 16;

    private final BsonDocument document;

    TypedFields(BsonDocument document) {
        this.document = document;
    }

    String string(String field) {
        BsonValue value = document.get(field);
        if (value == null || !value.isString()) {
            throw SchemaViolation.of(field, value, "must be a string");
        }
        return value.asString().getValue();
    }

    /** A string, or null for a vacant lease; the field itself must exist. */
    @Nullable String stringOrNull(String field) {
        BsonValue value = document.get(field);
        if (value == null || !value.isString() && !value.isNull()) {
            throw SchemaViolation.of(field, value, "must be a string or null");
        }
        return value.isNull() ? null : value.asString().getValue();
    }

    @Nullable String optionalString(String field) {
        return document.containsKey(field) ? string(field) : null;
    }

    long int64AtLeast(long least, String field) {
        BsonValue value = document.get(field);
        if (value == null || !value.isInt64() || value.asInt64().getValue() < least) {
            throw SchemaViolation.of(field, value, "must be an int64 of " + least + " or more");
        }
        return value.asInt64().getValue();
    }

    @Nullable Long optionalInt64AtLeast(long least, String field) {
        return document.containsKey(field) ? int64AtLeast(least, field) : null;
    }

    /** 0 stands for none, and is not stored as such. */
    int optionalInt32Between(int least, int most, String field) {
        BsonValue value = document.get(field);
        if (value == null) {
            return 0;
        }
        if (!value.isInt32()
                || value.asInt32().getValue() < least
                || value.asInt32().getValue() > most) {
            throw SchemaViolation.of(field, value, "must be an int32 of " + least + " to " + most);
        }
        return value.asInt32().getValue();
    }

    /** An instant on a writer's clock. Zero marks a missing value. */
    long stamp(String field) {
        BsonValue value = document.get(field);
        if (value == null || !value.isInt64() || value.asInt64().getValue() == 0) {
            throw SchemaViolation.of(field, value, "must be an int64 other than 0");
        }
        return value.asInt64().getValue();
    }

    @Nullable Long optionalStamp(String field) {
        return document.containsKey(field) ? stamp(field) : null;
    }

    Instant date(String field) {
        BsonValue value = document.get(field);
        if (value == null || !value.isDateTime()) {
            throw SchemaViolation.of(field, value, "must be a date");
        }
        return Instant.ofEpochMilli(value.asDateTime().getValue());
    }

    @Nullable UUID optionalUuid(String field) {
        return document.containsKey(field) ? uuid(field) : null;
    }

    private UUID uuid(String field) {
        BsonValue value = document.get(field);
        if (value == null || !value.isBinary() || !isUuid(value.asBinary())) {
            throw SchemaViolation.of(field, value, "must be a UUID, binary data of subtype 4");
        }
        return value.asBinary().asUuid();
    }

    private static boolean isUuid(BsonBinary binary) {
        return binary.getType() == BsonBinarySubType.UUID_STANDARD.getValue() && binary.getData().length == UUID_BYTES;
    }

    /** An array of strings, whose order and repetitions do not matter; empty if there is no such field. */
    Set<String> optionalStrings(String field) {
        BsonValue value = document.get(field);
        if (value == null) {
            return Set.of();
        }
        if (!value.isArray() || !value.asArray().stream().allMatch(BsonValue::isString)) {
            throw SchemaViolation.of(field, value, "must be an array of strings");
        }
        Set<String> strings = new LinkedHashSet<>();
        value.asArray().forEach(element -> strings.add(element.asString().getValue()));
        return strings;
    }

    /** Fails unless the field is exactly this text. */
    void requireText(String field, String expected) {
        if (!expected.equals(string(field))) {
            throw SchemaViolation.of(field, document.get(field), "must be '" + expected + "'");
        }
    }

    /** Fails unless the text passes a check that throws. */
    void requireRule(String field, Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException e) {
            throw SchemaViolation.of(field, document.get(field), String.valueOf(e.getMessage()));
        }
    }
}
