package dev.leasehold.engine.mongo;

import java.time.Instant;
import java.util.UUID;
import java.util.function.Function;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Reads the fields of one document, each of the one type that the schema gives it. */
final class StoredFields {

    private static final int SHOWN_MAX = 80;

    private final BsonDocument document;

    StoredFields(BsonDocument document) {
        this.document = document;
    }

    /** A field that breaks the schema. */
    static final class Breach extends Exception {

        private static final long serialVersionUID = 1L;

        private final String field;

        Breach(String field, String found) {
            super(found, null, false, false);
            this.field = field;
        }

        String field() {
            return field;
        }

        String found() {
            return String.valueOf(getMessage());
        }
    }

    String text(String field) throws Breach {
        return required(field, "a string", optionalText(field));
    }

    @Nullable String optionalText(String field) throws Breach {
        return typed(field, BsonType.STRING, "a string", value -> value.asString().getValue());
    }

    /** A text or null, but not nothing. */
    @Nullable String textOrNull(String field) throws Breach {
        return document.get(field) instanceof BsonNull ? null : text(field);
    }

    long int64(String field) throws Breach {
        return required(field, "an int64", optionalInt64(field));
    }

    @Nullable Long optionalInt64(String field) throws Breach {
        return typed(field, BsonType.INT64, "an int64", value -> value.asInt64().getValue());
    }

    int int32(String field) throws Breach {
        return required(
                field, "an int32", this.<Integer>typed(field, BsonType.INT32, "an int32", value -> value.asInt32().getValue()));
    }

    /** An instant of some writer's clock. Zero is what a forgotten one looks like. */
    long stamp(String field) throws Breach {
        return stamp(field, int64(field));
    }

    @Nullable Long optionalStamp(String field) throws Breach {
        Long value = optionalInt64(field);
        return value == null ? null : (Long) stamp(field, value);
    }

    private static long stamp(String field, long value) throws Breach {
        if (value == 0) {
            throw new Breach(field, "0, where a stamp is expected");
        }
        return value;
    }

    Instant date(String field) throws Breach {
        return required(
                field,
                "a date",
                typed(field, BsonType.DATE_TIME, "a date", value -> Instant.ofEpochMilli(value.asDateTime().getValue())));
    }

    BsonDocument embedded(String field) throws Breach {
        return required(field, "a document", typed(field, BsonType.DOCUMENT, "a document", BsonValue::asDocument));
    }

    @Nullable UUID optionalUuid(String field) throws Breach {
        BsonBinary value = typed(field, BsonType.BINARY, "a UUID", BsonValue::asBinary);
        if (value == null) {
            return null;
        }
        try {
            return value.asUuid();
        } catch (RuntimeException e) {
            throw new Breach(field, "a binary of subtype " + value.getType() + ", where a UUID is expected");
        }
    }

    private <T> @Nullable T typed(String field, BsonType type, String expected, Function<BsonValue, T> convert)
            throws Breach {
        BsonValue value = document.get(field);
        if (value == null) {
            return null;
        }
        if (value.getBsonType() != type) {
            throw new Breach(field, shown(value) + ", where " + expected + " is expected");
        }
        return convert.apply(value);
    }

    private static <T> T required(String field, String expected, @Nullable T value) throws Breach {
        if (value == null) {
            throw new Breach(field, "nothing, where " + expected + " is expected");
        }
        return value;
    }

    private static String shown(BsonValue value) {
        String text = value.toString();
        return text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "...";
    }
}
