package dev.leasehold.engine.mongo;

import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.mongo.StoredFields.Breach;
import dev.leasehold.engine.store.ClockDocument;
import dev.leasehold.engine.store.WriterEntry;
import java.util.HashMap;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The clock document from BSON, and as it is first made. */
final class ClockCodec {

    private final String namespace;

    ClockCodec(String namespace) {
        this.namespace = namespace;
    }

    /** What is stored when nothing is. */
    static BsonDocument first() {
        return new BsonDocument(Fields.TYPE, new BsonString(Fields.CLOCK_TYPE))
                .append(Fields.SCHEMA, new BsonInt32(ClockDocument.SCHEMA))
                .append(Fields.WRITERS, new BsonDocument())
                .append(Fields.TICKS, new BsonInt64(0))
                .append(Fields.TOKEN_FLOOR, new BsonInt64(0));
    }

    /**
     * The stored document.
     *
     * @throws CorruptDocumentException if it is missing, foreign, corrupt or of a newer schema
     */
    ClockDocument decode(@Nullable BsonDocument stored) {
        if (stored == null) {
            throw new CorruptDocumentException(
                    namespace, Fields.ID, "there is no clock document; it is made when an engine starts, never later");
        }
        try {
            return document(new StoredFields(stored));
        } catch (Breach e) {
            throw new CorruptDocumentException(namespace, e.field(), e.found());
        }
    }

    private static ClockDocument document(StoredFields stored) throws Breach {
        if (!Fields.CLOCK_TYPE.equals(stored.text(Fields.TYPE))) {
            throw new Breach(Fields.TYPE, "'" + stored.text(Fields.TYPE) + "', where 'clock' is expected");
        }
        checkSchema(stored.int32(Fields.SCHEMA));
        Map<String, WriterEntry> entries = new HashMap<>();
        for (Map.Entry<String, BsonValue> each : stored.embedded(Fields.WRITERS).entrySet()) {
            entries.put(each.getKey(), entry(each.getKey(), each.getValue()));
        }
        return new ClockDocument(stored.int64(Fields.TICKS), stored.int64(Fields.TOKEN_FLOOR), entries);
    }

    private static void checkSchema(int schema) throws Breach {
        if (schema < 1 || schema > ClockDocument.SCHEMA) {
            throw new Breach(Fields.SCHEMA, schema + ", where this engine knows 1 to " + ClockDocument.SCHEMA);
        }
    }

    private static WriterEntry entry(String writer, BsonValue value) {
        if (!value.isDocument()) {
            return new WriterEntry.Corrupt(writer, "", value + ", where a document is expected");
        }
        StoredFields stored = new StoredFields(value.asDocument());
        try {
            stored.optionalStamp(Fields.TXN);
            return new WriterEntry.Sound(
                    writer,
                    stored.stamp(Fields.TIME),
                    stored.optionalInt64(Fields.SESSION),
                    stored.optionalUuid(Fields.LSID));
        } catch (Breach e) {
            return new WriterEntry.Corrupt(writer, e.field(), e.found());
        }
    }
}
