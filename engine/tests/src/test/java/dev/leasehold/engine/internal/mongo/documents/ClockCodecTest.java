package dev.leasehold.engine.internal.mongo.documents;

import static dev.leasehold.engine.internal.mongo.documents.Fixture.NAMESPACE;
import static dev.leasehold.engine.internal.mongo.documents.Fixture.WHOLE;
import static dev.leasehold.engine.internal.mongo.documents.Fixture.WRITER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import ch.qos.logback.classic.Level;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.world.LogCapture;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.UuidRepresentation;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClockCodecTest {

    private final ClockCodec codec = codec(WHOLE);

    private static ClockCodec codec(Partition partition) {
        return new ClockCodec(partition, new DriftCheck(partition.id(), "a", 1_000));
    }

    private WriterEntry entry(BsonValue stored) {
        ClockDocument clock = codec.decode(Fixture.storedClock().append("writers", new BsonDocument(WRITER, stored)));
        return clock.writers().get(WRITER);
    }

    @Test
    @DisplayName(
            "The token floor of a new clock document is the second of the replica set's time and six digits of its writes")
    void theTokenFloorGrowsWithTheTimeOfTheReplicaSet() {
        assertThat(ClockCodec.tokenFloorAt(new BsonTimestamp(1_794_819_853, 12)))
                .isEqualTo(1_794_819_853_000_012L);
        assertThat(ClockCodec.tokenFloorAt(new BsonTimestamp(1_794_819_853, 13)))
                .as("a write later in the same second")
                .isEqualTo(1_794_819_853_000_013L);
        assertThat(ClockCodec.tokenFloorAt(new BsonTimestamp(1_794_819_854, 1)))
                .as("the next second, after fewer than a million writes")
                .isGreaterThan(ClockCodec.tokenFloorAt(new BsonTimestamp(1_794_819_853, 999_999)));
        assertThat(ClockCodec.tokenFloorAt(new BsonTimestamp(-1, -1)))
                .as("the last second of an unsigned number")
                .isEqualTo(4_294_967_295L * 1_000_000 + 4_294_967_295L);
        assertThat(ClockCodec.tokenFloorAt(null)).isZero();
    }

    @Test
    void engineForAnotherNumberOfPartitionsIsToldBothNumbers() {
        assertRefused(
                new Partition(NAMESPACE, 1, 8), new BsonInt32(4), "'billing' has 4 partitions", "was built for 8:");
        assertRefused(WHOLE, new BsonInt32(4), "'billing' has 4 partitions", "was built for 1:");
        assertRefused(new Partition(NAMESPACE, 0, 8), null, "'billing' has 1 partition,", "was built for 8:");
    }

    @Test
    void numberOfPartitionsInAnotherFormIsNoNumber() {
        assertRefused(WHOLE, new BsonInt32(1), "billing", "is an int32 1");
        assertRefused(new Partition(NAMESPACE, 0, 4), new BsonInt64(4), "billing", "is an int64 4");
        assertRefused(new Partition(NAMESPACE, 0, 4), new BsonString("4"), "billing", "is a string");
    }

    private static void assertRefused(Partition partition, BsonValue stored, String... parts) {
        BsonDocument clock = Fixture.storedClock();
        if (stored != null) {
            clock.append("partitions", stored);
        }
        assertThatExceptionOfType(CorruptDocumentException.class)
                .isThrownBy(() -> codec(partition).decode(clock))
                .withMessageContainingAll(parts)
                .returns("partitions", CorruptDocumentException::field);
    }

    @Test
    void anEngineIsToldOnceOfAnotherOneWithAnotherDrift() {
        ClockWrite.Register register =
                new ClockWrite.Register(WRITER, Fixture.Z, Fixture.DRIVER_SESSION, Fixture.MINUTE);
        try (LogCapture log = new LogCapture()) {
            entry(ClockCodec.newEntry(register, 1_000));
            entry(new BsonDocument("time", new BsonInt64(Fixture.Z)));
            assertThat(log.messages(Level.WARN)).isEmpty();

            entry(ClockCodec.newEntry(register, 5_000));
            entry(ClockCodec.newEntry(register, 5_000));

            assertThat(log.messages(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("namespace 'billing'", "writer '" + WRITER + "'", "5000 ppm", "instance 'a'", "1000 ppm");
        }
    }

    static Stream<BsonValue> damagedDrifts() {
        return Stream.of(
                new BsonInt64(-1),
                new BsonInt32(1_000),
                new BsonDouble(1_000),
                new BsonString("1000"),
                BsonNull.VALUE,
                new BsonDocument("ppm", new BsonInt64(1_000)));
    }

    @ParameterizedTest
    @MethodSource("damagedDrifts")
    void aDamagedDriftIsToldOnceAndSpoilsNothingElse(BsonValue damaged) {
        BsonDocument stored = Fixture.storedClock();
        stored.getDocument("writers").getDocument(WRITER).append("drift", damaged);
        try (LogCapture log = new LogCapture()) {
            assertThat(codec.decode(stored)).isEqualTo(codec.decode(Fixture.storedClock()));
            codec.decode(stored);

            assertThat(log.messages(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("namespace 'billing'", "writer '" + WRITER + "'", "drift is damaged");
        }
        assertThat(ClockCodec.driftsPpm(stored)).isEmpty();
    }

    @Test
    @DisplayName("CO-7: unknown fields are passed over")
    void unknownFieldsArePassedOver() {
        BsonDocument stored = Fixture.storedClock().append("hint", BsonNull.VALUE);
        stored.getDocument("writers").getDocument(WRITER).append("build", new BsonString("7"));

        assertThat(codec.decode(stored)).isEqualTo(codec.decode(Fixture.storedClock()));
    }

    @Test
    @DisplayName("CO-10: a missing document is an error")
    void aMissingDocumentIsAnError() {
        assertThatExceptionOfType(CorruptDocumentException.class)
                .isThrownBy(() -> codec.decode(null))
                .withMessageContaining("document 'billing' is unusable: field '_id': is missing")
                .satisfies(e -> assertThat(e.documentId()).isEqualTo(NAMESPACE));
    }

    static Stream<Arguments> fieldsAtFault() {
        return Stream.of(
                arguments("type", new BsonString("invoice"), "is a string \"invoice\"; must be 'clock'"),
                arguments("type", BsonNull.VALUE, "is null; must be a string"),
                arguments("schema", new BsonString("1"), "is a string \"1\"; must be an int32 of 1 or more"),
                arguments("schema", new BsonInt32(0), "is an int32 0; must be an int32 of 1 or more"),
                arguments("schema", new BsonInt64(1), "is an int64 1; must be an int32 of 1 or more"),
                arguments("writers", BsonNull.VALUE, "is null; must be there, and a document"),
                arguments("writers", new BsonArray(), "is an array []; must be there, and a document"),
                arguments("ticks", new BsonInt32(1), "is an int32 1; must be an int64 of 0 or more"),
                arguments("ticks", new BsonInt64(-1), "is an int64 -1; must be an int64 of 0 or more"),
                arguments("tokenFloor", new BsonDouble(1), "is a double 1.0; must be an int64 of 0 or more"));
    }

    @ParameterizedTest
    @MethodSource("fieldsAtFault")
    @DisplayName("CO-1, CO-2: a field that breaks the schema is named, with what was found and the rule")
    void aFieldThatBreaksTheSchemaIsNamed(String field, BsonValue value, String found) {
        assertThatExceptionOfType(CorruptDocumentException.class)
                .isThrownBy(() -> codec.decode(Fixture.storedClock().append(field, value)))
                .withMessageContaining(found)
                .satisfies(e -> assertThat(e.field()).isEqualTo(field));
    }

    @ParameterizedTest
    @ValueSource(strings = {"type", "schema", "writers", "ticks", "tokenFloor"})
    @DisplayName("CO-1, CO-2: a missing field is named")
    void aMissingFieldIsNamed(String field) {
        BsonDocument stored = Fixture.storedClock();
        stored.remove(field);

        assertThatExceptionOfType(CorruptDocumentException.class)
                .isThrownBy(() -> codec.decode(stored))
                .withMessageContaining("field '" + field + "': is missing; must be ");
    }

    @Test
    @DisplayName("CO-3: a newer schema is refused, with both numbers")
    void aNewerSchemaIsRefused() {
        assertThatExceptionOfType(CorruptDocumentException.class)
                .isThrownBy(() -> codec.decode(Fixture.storedClock().append("schema", new BsonInt32(2))))
                .withMessageContaining("is an int32 2; this engine knows no schema newer than 1");
    }

    static Stream<Arguments> entriesAtFault() {
        BsonValue legacyUuid = new BsonBinary(new UUID(1, 2), UuidRepresentation.JAVA_LEGACY);
        return Stream.of(
                arguments("time", new BsonInt64(0), "is an int64 0; must be an int64 other than 0"),
                arguments("time", new BsonDouble(1), "is a double 1.0; must be an int64 other than 0"),
                arguments("txn", new BsonString("x"), "is a string \"x\"; must be an int64 other than 0"),
                arguments("session", new BsonInt64(0), "is an int64 0; must be an int64 of 1 or more"),
                arguments("session", BsonNull.VALUE, "is null; must be an int64 of 1 or more"),
                arguments("lsid", BsonNull.VALUE, "is null; must be a UUID, binary data of subtype 4"),
                arguments("lsid", legacyUuid, "is binary data "),
                arguments("lsid", new BsonBinary((byte) 4, new byte[3]), "is binary data "));
    }

    @ParameterizedTest
    @MethodSource("entriesAtFault")
    @DisplayName("CO-6: an entry that breaks the schema spoils that writer alone")
    void anEntryThatBreaksTheSchemaSpoilsThatWriterAlone(String field, BsonValue value, String found) {
        BsonDocument stored = Fixture.storedClock();
        stored.getDocument("writers").append("other", Fixture.storedEntry().append(field, value));

        Map<String, WriterEntry> writers = codec.decode(stored).writers();

        assertThat(writers.get(WRITER)).isInstanceOf(WriterEntry.Sound.class);
        assertThat(writers.get("other")).isInstanceOfSatisfying(WriterEntry.Corrupt.class, corrupt -> {
            assertThat(corrupt.field()).isEqualTo(field);
            assertThat(corrupt.found()).startsWith(found);
        });
    }

    @Test
    @DisplayName("CO-6: an entry that is no document is corrupt")
    void anEntryThatIsNoDocumentIsCorrupt() {
        assertThat(entry(new BsonString("x")))
                .isEqualTo(new WriterEntry.Corrupt(
                        WRITER, "time", "cannot be read, since the entry is a string \"x\"; it must be a document"));
    }

    @Test
    void anEntryUnderAKeyThatNoWriterHasIsCorrupt() {
        BsonDocument stored = Fixture.storedClock().append("writers", new BsonDocument("a.b", Fixture.storedEntry()));

        assertThat(codec.decode(stored).writers().get("a.b")).isInstanceOf(WriterEntry.Corrupt.class);
    }
}
