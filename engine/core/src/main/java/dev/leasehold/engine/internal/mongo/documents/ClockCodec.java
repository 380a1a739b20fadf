package dev.leasehold.engine.internal.mongo.documents;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.internal.mongo.documents.TypedFields.Violation;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Converts the clock document to and from BSON. */
public final class ClockCodec {

    private static final int WITHOUT_PARTITIONS = 1;

    /** More than a replica set writes in a second. A number of 16 digits, as this makes it, is exact in a double too. */
    private static final long TOKENS_PER_SECOND = 1_000_000;

    /** In a projection of an aggregation: the key and the time of each entry, as pairs; nothing if the entries are not in a document. */
    public static final BsonDocument STAMPS = BsonDocument.parse("""
            { $cond: [ { $eq: [ { $type: "$writers" }, "object" ] },
              { $map: { input: { $objectToArray: "$writers" }, as: "entry", in: [ "$$entry.k", "$$entry.v.time" ] } },
              [] ] }""");

    private final Partition partition;

    private final DriftCheck drifts;

    public ClockCodec(Partition partition, DriftCheck drifts) {
        this.partition = partition;
        this.drifts = drifts;
    }

    /**
     * The token floor of a new clock document, by the logical time of the replica set: its seconds and six digits, in which
     * the writes of a second are counted. Whatever was in the same place before has given fewer tokens than there were
     * writes, so this is above all of them. Section 4 of the specification says what that rests on.
     *
     * @param time null before the first write of a replica set
     */
    public static long tokenFloorAt(@Nullable BsonTimestamp time) {
        return time == null
                ? 0
                : Integer.toUnsignedLong(time.getTime()) * TOKENS_PER_SECOND + Integer.toUnsignedLong(time.getInc());
    }

    /** The initial clock document, without its id. */
    static BsonDocument initial(Partition partition, long tokenFloor) {
        BsonDocument initial = new BsonDocument(Fields.TYPE, new BsonString(Fields.CLOCK))
                .append(Fields.SCHEMA, new BsonInt32(ClockDocument.SCHEMA))
                .append(Fields.WRITERS, new BsonDocument())
                .append(Fields.TICKS, new BsonInt64(0))
                .append(Fields.TOKEN_FLOOR, new BsonInt64(tokenFloor));
        if (partition.count() > WITHOUT_PARTITIONS) {
            initial.append(Fields.PARTITIONS, new BsonInt32(partition.count()));
        }
        return initial;
    }

    /** The condition on the field for a namespace with that many partitions. */
    static BsonValue partitions(Partition partition) {
        return partition.count() == WITHOUT_PARTITIONS
                ? new BsonDocument("$exists", BsonBoolean.FALSE)
                : new BsonInt32(partition.count());
    }

    /**
     * The number of partitions of a clock document, regardless of its other content.
     *
     * @param stored null if there is none
     * @throws CorruptDocumentException if the number is missing or invalid
     */
    public static int partitionsIn(String namespace, @Nullable BsonDocument stored) {
        return decoded(namespace, stored, clock -> partitions(new TypedFields(clock)));
    }

    private static <T> T decoded(String id, @Nullable BsonDocument stored, Function<BsonDocument, T> decode) {
        try {
            if (stored == null) {
                throw missing();
            }
            return decode.apply(stored);
        } catch (Violation violation) {
            throw new CorruptDocumentException(id, violation.field(), violation.found());
        }
    }

    /** The drifts in the entries of a sound clock document. */
    public static Map<String, Long> driftsPpm(BsonDocument sound) {
        Map<String, Long> drifts = new HashMap<>();
        sound.getDocument(Fields.WRITERS).forEach((writer, entry) -> {
            Long ppm = entry.isDocument() ? DriftCheck.ppmIn(entry.asDocument()) : null;
            if (ppm != null) {
                drifts.put(writer, ppm);
            }
        });
        return drifts;
    }

    /** What the projection {@link #STAMPS} of a sound clock document has computed; without damaged times. */
    public static Map<String, Long> stampsNanos(@Nullable BsonDocument projected) {
        Map<String, Long> stampsNanos = new HashMap<>();
        if (projected != null) {
            for (BsonValue pair : projected.getArray(Fields.STAMPS)) {
                BsonValue time = pair.asArray().get(1);
                if (time.isInt64() && time.asInt64().getValue() != 0) {
                    String writer = pair.asArray().get(0).asString().getValue();
                    stampsNanos.put(writer, time.asInt64().getValue());
                }
            }
        }
        return stampsNanos;
    }

    private static Violation missing() {
        return new Violation(
                Fields.ID,
                null,
                "an engine makes the clock document only when it starts, and only if there is no lease");
    }

    /** The entry of a writer without transactions. */
    static BsonDocument newEntry(ClockWrite.Register register, long driftPpm) {
        BsonDocument entry = new BsonDocument(Fields.TIME, new BsonInt64(register.timeNanos()));
        if (register.sessionNanos() != null) {
            entry.append(Fields.SESSION, new BsonInt64(register.sessionNanos()));
        }
        return entry.append(Fields.LSID, new BsonBinary(register.driverSession()))
                .append(Fields.DRIFT, new BsonInt64(driftPpm));
    }

    /**
     * Decodes the stored document, whole or projected to some writers.
     *
     * @param stored null if there is none
     * @throws CorruptDocumentException if it cannot serve as the clock document of the namespace
     */
    public ClockDocument decode(@Nullable BsonDocument stored) {
        return decoded(partition.id(), stored, this::decodeSound);
    }

    private ClockDocument decodeSound(BsonDocument stored) {
        TypedFields fields = new TypedFields(stored);
        fields.requireText(Fields.TYPE, Fields.CLOCK);
        requireKnownSchema(fields);
        requireSamePartitions(partitions(fields));
        return new ClockDocument(
                fields.int64AtLeast(0, Fields.TICKS),
                fields.int64AtLeast(0, Fields.TOKEN_FLOOR),
                writers(stored.get(Fields.WRITERS)));
    }

    private static void requireKnownSchema(TypedFields fields) {
        int schema = fields.int32Between(1, Integer.MAX_VALUE, Fields.SCHEMA, "must be an int32 of 1 or more");
        if (schema > ClockDocument.SCHEMA) {
            String rule = "this engine knows no schema newer than " + ClockDocument.SCHEMA + " and needs an upgrade";
            throw new Violation(Fields.SCHEMA, new BsonInt32(schema), rule);
        }
    }

    /** Engines that disagree would look for the same lease in different places, and each would find it free. */
    private void requireSamePartitions(int found) {
        if (found != partition.count()) {
            throw CorruptDocumentException.ofOtherPartitions(
                    partition.id(), Fields.PARTITIONS, found, partition.count());
        }
    }

    private static int partitions(TypedFields fields) {
        String rule = "must be an int32 of 2 to " + LeaseIds.PARTITIONS_MAX + ", or missing, for 1";
        Integer found = fields.optional(
                Fields.PARTITIONS,
                field -> fields.int32Between(WITHOUT_PARTITIONS + 1, LeaseIds.PARTITIONS_MAX, field, rule));
        return found == null ? WITHOUT_PARTITIONS : found;
    }

    /** A projection to some entries omits a map that is not a document: it then looks missing. */
    private Map<String, WriterEntry> writers(@Nullable BsonValue writers) {
        if (writers == null || !writers.isDocument()) {
            throw new Violation(Fields.WRITERS, writers, "must be there, and a document");
        }
        Map<String, WriterEntry> entries = new LinkedHashMap<>();
        writers.asDocument().forEach((writer, entry) -> entries.put(writer, decodeEntry(writer, entry)));
        return entries;
    }

    private WriterEntry decodeEntry(String writer, BsonValue entry) {
        try {
            return decodeSoundEntry(writer, entry);
        } catch (Violation violation) {
            return new WriterEntry.Corrupt(writer, violation.field(), violation.found());
        }
    }

    private WriterEntry decodeSoundEntry(String writer, BsonValue entry) {
        if (!Fields.isWriter(writer)) {
            throw Violation.around(Fields.TIME, "the key of the entry", new BsonString(writer), Fields.WRITER_RULE);
        }
        if (!entry.isDocument()) {
            throw Violation.around(Fields.TIME, "the entry", entry, "must be a document");
        }
        TypedFields fields = new TypedFields(entry.asDocument());
        drifts.check(writer, entry.asDocument());
        return new WriterEntry.Sound(
                writer,
                fields.stamp(Fields.TIME),
                fields.optional(Fields.TXN, fields::stamp),
                fields.optional(Fields.SESSION, field -> fields.int64AtLeast(1, field)),
                fields.optional(Fields.LSID, fields::uuid));
    }
}
