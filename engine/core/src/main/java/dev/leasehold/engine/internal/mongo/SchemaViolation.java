package dev.leasehold.engine.internal.mongo;

import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** A field that breaks the schema. Thrown and caught inside this package; it becomes a value or a public exception. */
final class SchemaViolation extends RuntimeException {

    private static final long serialVersionUID = 1L;
    private static final int SHOWN_CHARACTERS_MAX = 200;

    private final String field;
    private final String found;

    private SchemaViolation(String field, String found) {
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
    static SchemaViolation of(String field, @Nullable BsonValue value, String rule) {
        return new SchemaViolation(field, describe(value) + "; " + rule);
    }

    /**
     * A field that cannot be read, because the value that should contain it is invalid.
     *
     * @param place what the value is, as in "the entry"
     */
    static SchemaViolation around(String field, String place, BsonValue value, String rule) {
        return new SchemaViolation(field, "cannot be read, since " + place + " " + describe(value) + "; it " + rule);
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
        String shown = json.substring(json.indexOf(':') + 1, json.length() - 1).strip();
        return shown.length() <= SHOWN_CHARACTERS_MAX ? shown : shown.substring(0, SHOWN_CHARACTERS_MAX) + "...";
    }
}
