package dev.leasehold.engine.internal.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.internal.mongo.documents.Fixture;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.replicaset.TestDatabase;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents that were spoilt while engines run. */
class CorruptDocumentsIT extends WithStores {

    CorruptDocumentsIT(TestDatabase database) {
        super(database);
        stores.expectCorruptDocuments();
    }

    private void assertEveryReadNames(String field, String found) {
        assertReadNames(field, found, () -> a.store().read(Set.of("x"), "a"));
        assertReadNames(field, found, () -> a.store().page(null, 10, "a"));
        assertReadNames(field, found, () -> a.store().survey().writers());
    }

    private static void assertReadNames(String field, String found, Runnable read) {
        assertThatExceptionOfType(CorruptDocumentException.class)
                .isThrownBy(read::run)
                .withMessageContaining(found)
                .satisfies(e -> assertThat(e.documentId()).isEqualTo("billing"))
                .satisfies(e -> assertThat(e.field()).isEqualTo(field));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{$unset: {writers: ''}}|writers|is missing",
                "{$set: {writers: []}}|writers|is an array",
                "{$set: {writers: [{a: {time: 1}}]}}|writers|is an array",
                "{$set: {schema: 2}}|schema|is an int32 2; this engine knows no schema newer than 1",
                "{$set: {type: 'invoice'}}|type|is a string \"invoice\"",
                "{$set: {ticks: 'x'}}|ticks|is a string \"x\"",
                "{$unset: {tokenFloor: ''}}|tokenFloor|is missing"
            })
    @DisplayName("CO-2, CO-3: a spoilt clock document stops every read, with the field and what was found")
    void aSpoiltClockStopsEveryRead(String change, String field, String found) {
        stores.edit("billing", BsonDocument.parse(change));

        assertEveryReadNames(field, found);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "'x'", "5"})
    @DisplayName("CO-2: a map of writers that is no document stops every read, even those that ask for a part of it")
    void writersThatAreNoDocumentStopEveryRead(String writers) {
        stores.edit("billing", BsonDocument.parse("{$set: {writers: " + writers + "}}"));

        assertEveryReadNames("writers", "must be there, and a document");
        assertThat(a.commit(a.insert("x"))).isEqualTo(WriteOutcome.MISSED);
    }

    @Test
    @DisplayName("CO-10: a deleted clock document is an error, nothing is written, and it is not made anew")
    void aDeletedClockIsAnErrorAndIsNotMadeAnew() {
        stores.documents().deleteOne(Filters.eq("_id", "billing"));

        assertThat(a.commit(a.insert("x"))).isEqualTo(WriteOutcome.MISSED);
        assertThat(a.store().writeClock(a.registration())).isEqualTo(WriteOutcome.MISSED);
        assertThat(a.store().writeClock(new ClockWrite.Unlist("a"))).isEqualTo(WriteOutcome.MISSED);
        assertEveryReadNames("_id", "is missing");
        assertThat(stores.documents().countDocuments()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{$set: {expiry: 1.5}}|expiry",
                "{$unset: {token: ''}}|token",
                "{$set: {written: 'now'}}|written",
                "{$set: {written: NumberLong(0)}}|written",
                "{$set: {holder: 5}}|holder",
                "{$set: {comment: null}}|comment",
                "{$set: {name: 'snagglepuss'}}|name",
                "{$set: {writer: 'a.b'}}|writer",
                "{$set: {writer: '$a'}}|writer",
                "{$set: {writer: ''}}|writer",
                "{$set: {pins: 'ops'}}|pins"
            })
    @DisplayName("CO-4, CO-5: a spoilt lease is reported by id and cause, and the others are read")
    void aSpoiltLeaseDoesNotSpoilTheOthers(String change, String field) {
        a.commits(a.insert("x"), a.insert("y"));
        stores.edit("billing#x", BsonDocument.parse(change));

        for (List<StoredLease> leases : List.of(
                a.store().read(Set.of("x", "y"), "a").leases(),
                a.store().page(null, 10, "a").snapshot().leases())) {
            assertThat(leases)
                    .anySatisfy(lease -> assertThat(lease)
                            .isInstanceOfSatisfying(StoredLease.Corrupt.class, corrupt -> {
                                assertThat(corrupt.name()).isEqualTo("x");
                                assertThat(corrupt.documentId()).isEqualTo("billing#x");
                                assertThat(corrupt.field()).isEqualTo(field);
                            }))
                    .anySatisfy(lease -> assertThat(lease)
                            .isInstanceOfSatisfying(
                                    StoredLease.Sound.class,
                                    sound -> assertThat(sound.name()).isEqualTo("y")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{time: NumberLong(0)}", "{time: 'x'}", "'x'", "null"})
    @DisplayName("CO-6: a spoilt entry spoils that writer alone")
    void aSpoiltEntrySpoilsThatWriterAlone(String entry) {
        stores.edit("billing", BsonDocument.parse("{$set: {'writers.b': " + entry + "}}"));

        assertThat(a.store().read(Set.of(), "b").clock().writers().get("b")).isInstanceOf(WriterEntry.Corrupt.class);
        assertThat(a.store().survey().writers())
                .hasSize(2)
                .anyMatch(WriterEntry.Corrupt.class::isInstance)
                .anyMatch(WriterEntry.Sound.class::isInstance);
        a.commits(a.insert("x"));
    }

    @Test
    @DisplayName("CO-7: unknown fields of both documents are kept through every write")
    void unknownFieldsAreKept() {
        a.commits(a.insert("x"));
        Bson extra = Updates.set("extra", new BsonDocument("k", new BsonString("v")));
        stores.edit("billing", Updates.combine(extra, Updates.set("writers.a.extra", "e")));
        stores.edit("billing#x", extra);

        a.commits(a.replace("x", "h2", 2));
        a.commits(a.replace("x", null, 2));
        a.beats(a.join(Fixture.MINUTE)).beats(a.heartbeat());
        a.store().writeClock(new ClockWrite.Unlist("a"));

        BsonDocument kept = new BsonDocument("k", new BsonString("v"));
        assertThat(stores.clock().get("extra")).isEqualTo(kept);
        assertThat(stores.entry("a").get("extra")).isEqualTo(new BsonString("e"));
        assertThat(stores.lease("x").get("extra")).isEqualTo(kept);
    }
}
