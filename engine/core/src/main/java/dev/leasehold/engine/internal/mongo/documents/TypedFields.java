package dev.leasehold.engine.internal.mongo.documents;

import dev.leasehold.assertions.LeaseNames;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.bson.BsonBinary;
import org.bson.BsonBinarySubType;
import org.bson.BsonDocument;
import org.bson.BsonType;
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

    /** The field, if it is there and fits. */
    private BsonValue require(String field, Predicate<BsonValue> fits, String rule) {
        BsonValue value = document.get(field);
        if (value == null || !fits.test(value)) {
            throw new Violation(field, value, rule);
        }
        return value;
    }

    /** A field that may be missing. */
    <T> @Nullable T optional(String field, Function<String, T> read) {
        return document.containsKey(field) ? read.apply(field) : null;
    }

    String string(String field) {
        return require(field, BsonValue::isString, "must be a string")
                .asString()
                .getValue();
    }

    /** A string that fits; null for anything else, where a damaged value must not make the document unusable. */
    @Nullable String stringIf(String field, Predicate<String> fits) {
        BsonValue value = document.get(field);
        return value != null && value.isString() && fits.test(value.asString().getValue())
                ? value.asString().getValue()
                : null;
    }

    /** A string, or null for a vacant lease; the field itself must exist. */
    @Nullable String stringOrNull(String field) {
        BsonValue value = require(field, found -> found.isString() || found.isNull(), "must be a string or null");
        return value.isNull() ? null : value.asString().getValue();
    }

    long int64AtLeast(long least, String field) {
        return int64(field, value -> value >= least, "must be an int64 of " + least + " or more");
    }

    /** An instant on a writer's clock. Zero marks a missing value. */
    long stamp(String field) {
        return int64(field, value -> value != 0, "must be an int64 other than 0");
    }

    private long int64(String field, LongPredicate fits, String rule) {
        BsonValue value = require(
                field, found -> found.isInt64() && fits.test(found.asInt64().getValue()), rule);
        return value.asInt64().getValue();
    }

    int int32Between(int least, int most, String field, String rule) {
        IntPredicate fits = value -> value >= least && value <= most;
        BsonValue value = require(
                field, found -> found.isInt32() && fits.test(found.asInt32().getValue()), rule);
        return value.asInt32().getValue();
    }

    Instant date(String field) {
        BsonValue value = require(field, BsonValue::isDateTime, "must be a date");
        return Instant.ofEpochMilli(value.asDateTime().getValue());
    }

    UUID uuid(String field) {
        String rule = "must be a UUID, binary data of subtype 4";
        return require(field, value -> value.isBinary() && isUuid(value.asBinary()), rule)
                .asBinary()
                .asUuid();
    }

    private static boolean isUuid(BsonBinary binary) {
        return binary.getType() == BsonBinarySubType.UUID_STANDARD.getValue() && binary.getData().length == UUID_BYTES;
    }

    /** An array of strings, whose order and repetitions do not matter. */
    Set<String> strings(String field) {
        Predicate<BsonValue> fits =
                value -> value.isArray() && value.asArray().stream().allMatch(BsonValue::isString);
        return require(field, fits, "must be an array of strings").asArray().stream()
                .map(element -> element.asString().getValue())
                .collect(Collectors.toSet());
    }

    /** Fails unless the field is exactly this text. */
    void requireText(String field, String expected) {
        if (!expected.equals(string(field))) {
            throw new Violation(field, document.get(field), "must be '" + expected + "'");
        }
    }

    /** Fails unless the text passes a check that throws. */
    void requireRule(String field, Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException e) {
            throw new Violation(field, document.get(field), String.valueOf(e.getMessage()));
        }
    }

    /** A field that breaks the schema. Thrown and caught inside this package; it becomes a value or a public exception. */
    static final class Violation extends RuntimeException {

        private static final long serialVersionUID = 1L;
        private static final int SHOWN_CHARACTERS_MAX = 200;

        private final String field;
        private final String found;

        private Violation(String field, String found) {
            super(field + " " + found, null, false, false);
            this.field = field;
            this.found = found;
        }

        /**
         * A field with an invalid value.
         *
         * @param value null if there is no such field
         * @param rule the rule, as in "must be an int64"
         */
        Violation(String field, @Nullable BsonValue value, String rule) {
            this(field, describe(value) + "; " + rule);
        }

        /**
         * A field that cannot be read, because the value that should contain it is invalid.
         *
         * @param place what the value is, as in "the entry"
         */
        static Violation around(String field, String place, BsonValue value, String rule) {
            return new Violation(field, "cannot be read, since " + place + " " + describe(value) + "; it " + rule);
        }

        String field() {
            return field;
        }

        String found() {
            return found;
        }

        private static String describe(@Nullable BsonValue value) {
            if (value == null) {
                return "is missing";
            }
            return value.isNull() ? "is null" : "is " + typeInWords(value.getBsonType()) + " " + shown(value);
        }

        private static String typeInWords(BsonType type) {
            return switch (type) {
                case ARRAY -> "an array";
                case BINARY -> "binary data";
                case BOOLEAN -> "a boolean";
                case DATE_TIME -> "a date";
                case DECIMAL128 -> "a decimal";
                case DOCUMENT -> "a document";
                case DOUBLE -> "a double";
                case INT32 -> "an int32";
                case INT64 -> "an int64";
                case STRING -> "a string";
                default -> "of type " + type;
            };
        }

        /** As JSON, which makes control characters visible. */
        private static String shown(BsonValue value) {
            String json = new BsonDocument("", value).toJson();
            String shown =
                    json.substring(json.indexOf(':') + 1, json.length() - 1).strip();
            return LeaseNames.visible(
                    shown.length() <= SHOWN_CHARACTERS_MAX ? shown : shown.substring(0, SHOWN_CHARACTERS_MAX) + "...");
        }
    }
}
