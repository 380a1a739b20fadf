package dev.leasehold.engine.internal.mongo.documents;

import static dev.leasehold.engine.internal.mongo.documents.Fixture.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.StoredLease;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseCodecTest {

    private final LeaseCodec codec = new LeaseCodec(NAMESPACE);

    @Test
    void pinsAreASetOfTheEntitiesThatPinned() {
        BsonDocument stored = Fixture.storedLease().append("pins", BsonArray.parse("['ops', 'audit', 'ops']"));

        assertThat(codec.decode(stored))
                .isInstanceOfSatisfying(
                        StoredLease.Sound.class,
                        sound -> assertThat(sound.document().pins()).containsExactlyInAnyOrder("ops", "audit"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64})
    void gateStripesAreReadAndWritten(int stripes) {
        BsonDocument stored = Fixture.storedLease().append("stripes", new BsonInt32(stripes));

        assertThat(codec.decode(stored)).isInstanceOfSatisfying(StoredLease.Sound.class, sound -> {
            assertThat(sound.document().stripes()).isEqualTo(stripes);
            assertThat(LeaseCodec.present(sound.document())).containsEntry("stripes", new BsonInt32(stripes));
            assertThat(LeaseCodec.absent(sound.document())).doesNotContainKey("stripes");
        });
        assertThat(LeaseCodec.present(Fixture.held())).doesNotContainKey("stripes");
        assertThat(LeaseCodec.absent(Fixture.held())).doesNotContainKey("stripes");
    }

    @Test
    void anEmptyArrayOfPinsIsAsGoodAsNone() {
        assertThat(codec.decode(Fixture.storedLease().append("pins", new BsonArray())))
                .isEqualTo(new StoredLease.Sound(Fixture.held()));
    }

    @Test
    @DisplayName("CO-7: unknown fields are passed over")
    void unknownFieldsArePassedOver() {
        BsonDocument stored = Fixture.storedLease().append("queue", new BsonDocument("a", BsonNull.VALUE));

        assertThat(codec.decode(stored)).isEqualTo(new StoredLease.Sound(Fixture.held()));
    }

    static Stream<Arguments> fieldsAtFault() {
        return Stream.of(
                arguments("type", new BsonString("clock"), "is a string \"clock\"; must be 'lease'"),
                arguments("namespace", new BsonString("other"), "is a string \"other\"; must be 'billing'"),
                arguments("name", new BsonString("other"), "is a string \"other\"; must be 'nightly', as in the id"),
                arguments("name", new BsonInt32(1), "is an int32 1; must be a string"),
                arguments("holder", new BsonInt32(1), "is an int32 1; must be a string or null"),
                arguments("token", new BsonInt64(0), "is an int64 0; must be an int64 of 1 or more"),
                arguments("token", new BsonInt32(3), "is an int32 3; must be an int64 of 1 or more"),
                arguments(
                        "writer",
                        new BsonString("a.b"),
                        "is a string \"a.b\"; must be 1 to 256 characters without '.'"),
                arguments("writer", new BsonString(""), "is a string \"\"; must be 1 to 256 characters without '.'"),
                arguments("writer", BsonNull.VALUE, "is null; must be a string"),
                arguments("written", new BsonInt64(0), "is an int64 0; must be an int64 other than 0"),
                arguments("written", new BsonString("now"), "is a string \"now\"; must be an int64 other than 0"),
                arguments("expiry", new BsonDouble(2.5), "is a double 2.5; must be an int64 other than 0"),
                arguments("expiry", BsonNull.VALUE, "is null; must be an int64 other than 0"),
                arguments("gates", new BsonInt64(-1), "is an int64 -1; must be an int64 of 0 or more"),
                arguments("comment", BsonBoolean.TRUE, "is a boolean true; must be a string"),
                arguments("comment", BsonNull.VALUE, "is null; must be a string"),
                arguments("since", new BsonInt64(1), "is an int64 1; must be a date"),
                arguments("stripes", new BsonInt32(0), "is an int32 0; must be an int32 of 1 to 64"),
                arguments("stripes", new BsonInt32(-1), "is an int32 -1; must be an int32 of 1 to 64"),
                arguments("stripes", new BsonInt32(65), "is an int32 65; must be an int32 of 1 to 64"),
                arguments("stripes", new BsonInt64(4), "is an int64 4; must be an int32 of 1 to 64"),
                arguments("stripes", BsonNull.VALUE, "is null; must be an int32 of 1 to 64"),
                arguments("pins", new BsonString("ops"), "is a string \"ops\"; must be an array of strings"),
                arguments("pins", BsonNull.VALUE, "is null; must be an array of strings"),
                arguments(
                        "pins", BsonArray.parse("['ops', 1]"), "is an array [\"ops\", 1]; must be an array of strings"),
                arguments("pins", BsonArray.parse("['a\\nb']"), "is an array [\"a\\nb\"]; "));
    }

    @ParameterizedTest
    @MethodSource("fieldsAtFault")
    @DisplayName("CO-4, CO-5: a field that breaks the schema is named, with what was found and the rule")
    void aFieldThatBreaksTheSchemaIsNamed(String field, BsonValue value, String found) {
        assertThat(codec.decode(Fixture.storedLease().append(field, value)))
                .isInstanceOfSatisfying(StoredLease.Corrupt.class, corrupt -> {
                    assertThat(corrupt.name()).isEqualTo("nightly");
                    assertThat(corrupt.documentId()).isEqualTo("billing#nightly");
                    assertThat(corrupt.field()).isEqualTo(field);
                    assertThat(corrupt.found()).startsWith(found);
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"type", "namespace", "name", "holder", "token", "writer", "written", "gates", "since"})
    @DisplayName("CO-5: a missing field is named")
    void aMissingFieldIsNamed(String field) {
        BsonDocument stored = Fixture.storedLease();
        stored.remove(field);

        assertThat(codec.decode(stored)).isInstanceOfSatisfying(StoredLease.Corrupt.class, corrupt -> {
            assertThat(corrupt.field()).isEqualTo(field);
            assertThat(corrupt.found()).startsWith("is missing; must be ");
        });
    }

    @Test
    void aHolderThatNoEngineWouldTakeIsCorruptAndShownWithoutControlCharacters() {
        BsonDocument stored = Fixture.storedLease().append("holder", new BsonString("a\nb"));

        assertThat(codec.decode(stored)).isInstanceOfSatisfying(StoredLease.Corrupt.class, corrupt -> {
            assertThat(corrupt.field()).isEqualTo("holder");
            assertThat(corrupt.found()).contains("\"a\\nb\"").doesNotContain("\n");
        });
    }

    @Test
    void aLongValueIsCutInTheReport() {
        BsonDocument stored = Fixture.storedLease().append("token", new BsonString("x".repeat(100_000)));

        assertThat(codec.decode(stored))
                .isInstanceOfSatisfying(
                        StoredLease.Corrupt.class,
                        corrupt -> assertThat(corrupt.found()).hasSizeLessThan(300));
    }

    @Test
    void anEmptyNameInTheIdIsCorrupt() {
        BsonDocument stored =
                Fixture.storedLease().append("_id", new BsonString("billing#")).append("name", new BsonString(""));

        assertThat(codec.decode(stored)).isInstanceOfSatisfying(StoredLease.Corrupt.class, corrupt -> {
            assertThat(corrupt.name()).isEmpty();
            assertThat(corrupt.field()).isEqualTo("name");
        });
    }

    @Property
    void whatIsWrittenIsReadBack(@ForAll("leases") LeaseDocument document) {
        BsonDocument stored = new BsonDocument("_id", new BsonString(NAMESPACE + "#" + document.name()));
        stored.putAll(LeaseCodec.identity(document));
        stored.putAll(LeaseCodec.present(document));

        assertThat(codec.decode(stored)).isEqualTo(new StoredLease.Sound(document));
        assertThat(stored.keySet())
                .as("a field is either there or to be taken out")
                .noneMatch(LeaseCodec.absent(document)::containsKey)
                .hasSize(13 - LeaseCodec.absent(document).size());
    }

    private record Texts(@Nullable String comment, @Nullable String payload) {}

    @Test
    @DisplayName("PL-6: a payload that no engine writes counts as none, and the rest of the document is read")
    void aDamagedPayloadCountsAsNone() {
        for (BsonValue damaged : List.of(
                new BsonInt64(7),
                BsonNull.VALUE,
                new BsonString(""),
                new BsonString("a".repeat(4_097)),
                new BsonDocument())) {
            assertThat(codec.decode(Fixture.storedLease().append("payload", damaged)))
                    .as("%s", damaged)
                    .isEqualTo(new StoredLease.Sound(Fixture.held()));
        }
    }

    @Provide
    Arbitrary<LeaseDocument> leases() {
        Arbitrary<String> texts = Arbitraries.strings()
                .withCharRange('!', '~')
                .withCharRange('\u0400', '\u04FF')
                .ofMinLength(1)
                .ofMaxLength(200);
        Arbitrary<Long> stamps = Arbitraries.longs().filter(stamp -> stamp != 0);
        return Combinators.combine(
                        texts,
                        texts.injectNull(0.3),
                        Arbitraries.longs().greaterOrEqual(1),
                        stamps,
                        stamps.injectNull(0.3),
                        Arbitraries.longs().greaterOrEqual(0),
                        Combinators.combine(texts.injectNull(0.3), texts.injectNull(0.3))
                                .as(Texts::new),
                        Arbitraries.longs())
                .as((name, holder, token, written, expiry, gates, about, since) -> new LeaseDocument(
                        NAMESPACE,
                        name,
                        holder,
                        token,
                        Fixture.WRITER,
                        written,
                        holder == null ? null : expiry,
                        gates,
                        about.comment(),
                        Instant.ofEpochMilli(since),
                        Set.of(),
                        0,
                        holder == null ? null : about.payload()));
    }
}
