package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.refused;
import static dev.leasehold.engine.world.TestClock.Z;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.engine.world.TestClock;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents that break the schema: what stops, what goes on, and what is said. Nothing is repaired by itself. */
@WithReplicaSet
class CorruptDataIT {

    private static final long SECOND = 1_000_000_000L;

    private Engines engines;

    @BeforeEach
    void start(TestDatabase database) {
        engines = new Engines(database);
        engines.expectCorruptDocuments();
    }

    @AfterEach
    void check() {
        engines.close();
    }

    private void changeClock(Bson update) {
        assertThat(engines.documents()
                        .updateOne(Filters.eq("_id", Engines.NAMESPACE), update)
                        .getModifiedCount())
                .isOne();
    }

    private void changeLease(String name, Bson update) {
        assertThat(engines.documents()
                        .updateOne(Filters.eq("_id", Engines.NAMESPACE + "#" + name), update)
                        .getModifiedCount())
                .isOne();
    }

    private static CorruptDocumentException corrupt(ThrowingCallable call) {
        CorruptDocumentException thrown = catchThrowableOfType(CorruptDocumentException.class, call);
        assertThat(thrown).as("the error about a corrupt document").isNotNull();
        assertThat(thrown).hasMessageContaining(thrown.documentId()).hasMessageContaining(thrown.field());
        return thrown;
    }

    private static void assertNames(CorruptDocumentException thrown, String documentId, String field, String found) {
        assertThat(thrown.documentId()).isEqualTo(documentId);
        assertThat(thrown.field()).isEqualTo(field);
        assertThat(thrown).hasMessageContaining(found);
    }

    @Nested
    class ClockDocument {

        private BsonDocument sound() {
            return BsonDocument.parse("{_id: 'billing', type: 'clock', schema: 1, writers: {},"
                    + " ticks: {$numberLong: '0'}, tokenFloor: {$numberLong: '0'}}");
        }

        private void assertStartFails(BsonDocument stored, String field, String found) {
            engines.documents().insertOne(stored.clone());

            assertNames(corrupt(() -> engines.start("a")), Engines.NAMESPACE, field, found);

            assertThat(engines.clockDocument()).isEqualTo(stored);
        }

        @Test
        @DisplayName("CO-1: a document without a type in the clock document's place stops the start")
        void aDocumentWithoutTypeStopsTheStart() {
            BsonDocument stored = sound();
            stored.remove("type");
            assertStartFails(stored, "type", "string");
        }

        @Test
        @DisplayName("CO-1: a document of another type in the clock document's place stops the start")
        void aForeignDocumentStopsTheStart() {
            assertStartFails(sound().append("type", new BsonString("invoice")), "type", "invoice");
        }

        @ParameterizedTest(name = "writers {0}")
        @DisplayName("CO-2: a clock document without a map of writers stops the start")
        @ValueSource(strings = {"null", "missing", "7", "'text'", "[]"})
        void withoutAMapOfWritersNothingStarts(String writers) {
            BsonDocument stored = sound();
            if (writers.equals("missing")) {
                stored.remove("writers");
            } else {
                stored.append("writers", value(writers));
            }
            // What a read of some of its entries sees of a map that is none is nothing.
            assertStartFails(stored, "writers", "document");
        }

        @ParameterizedTest(name = "writers {0}")
        @DisplayName(
                "CO-2: an engine that runs says so at its next read, and at its next write, and does not try for ever")
        @ValueSource(strings = {"null", "missing", "7", "'text'", "[]"})
        void anEngineThatRunsSaysSo(String writers) throws InterruptedException {
            TestEngine a = engines.start("a");
            Tenure tenure = a.claims("name", "h", ofSeconds(60));
            changeClock(writers.equals("missing") ? Updates.unset("writers") : Updates.set("writers", value(writers)));
            BsonDocument lease = engines.leaseDocument("name");

            assertNames(corrupt(() -> a.sees("name")), Engines.NAMESPACE, "writers", "document");
            assertNames(corrupt(() -> a.engine().tenures().release(tenure)), Engines.NAMESPACE, "writers", "document");

            assertThat(engines.leaseDocument("name")).isEqualTo(lease);
            // That of the claim: each later operation reads first, and ends there.
            assertThat(a.hooks().transactions()).hasSize(1);
        }

        @Test
        @DisplayName("CO-3: a clock document of a newer schema is refused at the start, with both numbers")
        void aNewerSchemaStopsTheStart() {
            engines.documents().insertOne(sound().append("schema", new BsonInt32(3)));

            CorruptDocumentException thrown = corrupt(() -> engines.start("a"));

            assertNames(thrown, Engines.NAMESPACE, "schema", "3");
            assertThat(thrown.getMessage()).matches("(?s).*\\b1\\b.*");
        }

        @Test
        @DisplayName("CO-3: a clock document that becomes newer is refused at every write")
        void aNewerSchemaStopsEveryWrite() throws InterruptedException {
            TestEngine a = engines.start("a");
            Tenure tenure = a.claims("name", "h", ofSeconds(60));
            changeClock(Updates.set("schema", 2));
            BsonDocument clock = engines.clockDocument();

            assertNames(corrupt(() -> a.engine().tenures().release(tenure)), Engines.NAMESPACE, "schema", "2");
            assertNames(corrupt(() -> a.claims("other", "h", ofSeconds(60))), Engines.NAMESPACE, "schema", "2");

            assertThat(engines.clockDocument()).isEqualTo(clock);
            assertThat(engines.shortForm("name")).isEqualTo("h/1");
            assertThat(engines.leaseDocument("other")).isNull();
        }

        @Test
        @DisplayName("CO-3: nor is a lease written without the clock once a heartbeat has met it, and health says so")
        void aNewerSchemaStopsWritesOfSingleLeases() throws InterruptedException {
            TestEngine a = engines.start("a");
            Lease kept = a.acquires("kept");
            a.acquires("vacant").close();
            changeClock(Updates.set("schema", 2));
            BsonDocument clock = engines.clockDocument();
            BsonDocument keptBefore = engines.leaseDocument("kept");
            BsonDocument vacantBefore = engines.leaseDocument("vacant");
            a.clock().advance(ofSeconds(10));
            Awaitility.await().until(() -> !a.engine().health().ready());

            assertThat(a.engine().health().detail()).contains("schema", "2");
            assertNames(corrupt(() -> a.acquires("vacant")), Engines.NAMESPACE, "schema", "2");
            assertNames(corrupt(() -> a.engine().tenures().release(kept.tenure())), Engines.NAMESPACE, "schema", "2");

            assertThat(engines.clockDocument()).isEqualTo(clock);
            assertThat(engines.leaseDocument("kept")).isEqualTo(keptBefore);
            assertThat(engines.leaseDocument("vacant")).isEqualTo(vacantBefore);
            assertThat(a.engine().health().ready()).isFalse();
        }

        @Test
        @DisplayName("CO-10: a clock document that was deleted is not made again by an engine that runs")
        void aDeletedClockDocumentIsNotMadeAgain() throws InterruptedException {
            TestEngine a = engines.start("a");
            TestEngine b = engines.start("b");
            Tenure tenure = a.claims("name", "h", ofSeconds(60));
            BsonDocument lease = engines.leaseDocument("name");
            engines.documents().deleteOne(Filters.eq("_id", Engines.NAMESPACE));

            assertNames(
                    corrupt(() -> a.engine().tenures().release(tenure)), Engines.NAMESPACE, "_id", "clock document");
            assertNames(
                    corrupt(() -> a.claims("other", "h", ofSeconds(60))), Engines.NAMESPACE, "_id", "clock document");
            assertNames(
                    corrupt(() -> b.claims("other", "h", ofSeconds(60))), Engines.NAMESPACE, "_id", "clock document");
            a.close();

            assertThat(engines.documents().find()).containsExactly(lease);
        }
    }

    @Nested
    class LeaseDocuments {

        private TestEngine a;
        private TestEngine b;
        private Tenure bad;

        @BeforeEach
        void bothHaveWritten() throws InterruptedException {
            a = engines.start("a");
            b = engines.start("b");
            bad = a.claims("bad", "h", ofSeconds(60));
            a.claims("good", "h", ofSeconds(60));
        }

        private void assertOthersWork() throws InterruptedException {
            assertThat(TestEngine.latestNanos(b.lists("good"))).isPositive();
            b.claims("another", "h", ofSeconds(60));
            a.claims("one more", "h", ofSeconds(60));
        }

        private void assertEveryOperationFails(TestEngine engine, String documentId, String field) {
            LeaseEngine leases = engine.engine();
            assertNames(corrupt(() -> leases.tenures().claim("bad", "h2", ofSeconds(60))), documentId, field, "");
            assertNames(corrupt(() -> leases.tenures().takeOver("bad", "h2", ofSeconds(60))), documentId, field, "");
            assertNames(corrupt(() -> leases.tenures().extend(bad, ofSeconds(90))), documentId, field, "");
            assertNames(corrupt(() -> leases.tenures().expire("bad")), documentId, field, "");
            assertNames(corrupt(() -> leases.tenures().release(bad)), documentId, field, "");
        }

        private LeaseState.Corrupt assertListedAsCorrupt(TestEngine engine) throws InterruptedException {
            LeaseState state = engine.lists("bad");
            assertThat(state).isInstanceOf(LeaseState.Corrupt.class);
            assertThat(engine.sees("bad")).isEqualTo(state);
            return (LeaseState.Corrupt) state;
        }

        @Test
        @DisplayName("CO-4: a document whose name is not the one in its id is listed as corrupt, and the others work")
        void aNameThatDoesNotMatchIsListed() throws InterruptedException {
            changeLease("bad", Updates.set("name", "snagglepuss"));

            LeaseState.Corrupt state = assertListedAsCorrupt(b);

            assertThat(state.documentId()).isEqualTo(Engines.NAMESPACE + "#bad");
            assertThat(state.field()).isEqualTo("name");
            assertThat(state.found()).contains("snagglepuss");
            assertOthersWork();
        }

        @Test
        @DisplayName(
                "CO-4: a document whose name is not the one in its id is logged once, by its id and with the cause")
        void aNameThatDoesNotMatchIsLogged() throws InterruptedException {
            changeLease("bad", Updates.set("name", "snagglepuss"));

            try (LogCapture log = new LogCapture()) {
                b.engine().leases();
                b.engine().leases();
                b.sees("bad");

                assertThat(log.warnings())
                        .singleElement(InstanceOfAssertFactories.STRING)
                        .contains(Engines.NAMESPACE + "#bad", "snagglepuss");
            }
        }

        @Test
        @DisplayName(
                "CO-4: a document whose namespace is not the one in its id is listed as corrupt, and the others work")
        void aNamespaceThatDoesNotMatchIsListed() throws InterruptedException {
            changeLease("bad", Updates.set("namespace", "elsewhere"));

            assertThat(assertListedAsCorrupt(b).field()).isEqualTo("namespace");

            assertOthersWork();
        }

        @ParameterizedTest(name = "{0}: {1}")
        @DisplayName("CO-5: a document with a bad field stops every operation on that lease, and on no other")
        @CsvSource({
            "expiry, 3255759660000000005.0",
            "token, missing",
            "token, 1",
            "written, '\"3255759600000000005\"'",
            "written, '{\"$numberLong\": \"0\"}'",
            "writer, missing",
            "holder, missing",
            "since, '\"today\"'"
        })
        void aBadFieldStopsThatLeaseAlone(String field, String stored) throws InterruptedException {
            changeLease("bad", stored.equals("missing") ? Updates.unset(field) : Updates.set(field, value(stored)));
            BsonDocument before = engines.leaseDocument("bad");

            assertThat(assertListedAsCorrupt(a).field()).isEqualTo(field);
            assertThat(assertListedAsCorrupt(b).field()).isEqualTo(field);
            assertEveryOperationFails(a, Engines.NAMESPACE + "#bad", field);
            assertEveryOperationFails(b, Engines.NAMESPACE + "#bad", field);

            assertThat(engines.leaseDocument("bad")).isEqualTo(before);
            assertOthersWork();
        }

        @ParameterizedTest(name = "token {0}")
        @DisplayName("CO-5: a token that was changed behind an engine's back, by value or by type, is not written over")
        @ValueSource(strings = {"{\"$numberLong\": \"7\"}", "1.0", "1"})
        void aChangedTokenIsNotWrittenOver(String token) throws InterruptedException {
            changeLease("bad", Updates.set("token", value(token)));
            BsonDocument before = engines.leaseDocument("bad");

            assertThat(catchThrowable(() -> a.extendsTo(bad, ofSeconds(90)))).isNotNull();
            assertThat(catchThrowable(() -> a.releases(bad))).isNotNull();

            assertThat(engines.leaseDocument("bad")).isEqualTo(before);
        }

        @ParameterizedTest(name = "token {0}")
        @DisplayName("CO-5: a token of another type stops the release of a session lease: nothing is written")
        @ValueSource(strings = {"1.0", "1"})
        void aTokenOfAnotherTypeStopsTheReleaseOfASessionLease(String token) throws InterruptedException {
            Lease kept = a.acquires("kept");
            changeLease("kept", Updates.set("token", value(token)));
            BsonDocument before = engines.leaseDocument("kept");

            assertThat(catchThrowable(() -> a.releases(kept.tenure()))).isNotNull();

            assertThat(engines.leaseDocument("kept")).isEqualTo(before);
        }

        @Test
        @DisplayName(
                "CO-5: a session lease with another token is a tenure unknown to its engine, released under that token")
        void aSessionLeaseWithAnotherTokenIsReleasedUnderThatToken() throws InterruptedException {
            Lease kept = a.acquires("kept");
            changeLease("kept", Updates.set("token", 7L));

            assertThat(catchThrowable(() -> a.releases(kept.tenure()))).isNotNull();

            Awaitility.await().until(() -> engines.shortForm("kept").equals("-/7"));
        }

        @ParameterizedTest(name = "{0}: {1}")
        @DisplayName("CO-6: a bad entry of a writer stops the leases of that writer, and no others")
        @CsvSource({
            "time, '{\"$numberLong\": \"0\"}'",
            "time, 3255759600000000005.0",
            "time, '\"now\"'",
            "time, missing"
        })
        void aBadEntryStopsTheLeasesOfItsWriter(String field, String stored) throws InterruptedException {
            b.claims("of b", "h", ofSeconds(60));
            String path = "writers." + bad(field);
            changeClock(stored.equals("missing") ? Updates.unset(path) : Updates.set(path, value(stored)));
            TestEngine c = engines.start("c");

            assertEveryOperationFails(c, Engines.NAMESPACE, path);
            assertThat(assertListedAsCorrupt(c).documentId()).isEqualTo(Engines.NAMESPACE);

            assertThat(c.latestNanos("of b")).isEqualTo(Z + 60 * SECOND);
            c.claims("of c", "h", ofSeconds(60));
        }

        private String bad(String field) {
            return Engines.writer(engines.leaseDocument("bad")) + "." + field;
        }

        @Test
        @DisplayName("CO-7: fields that the engine does not know stay through every write")
        void unknownFieldsStay() throws InterruptedException {
            changeClock(Updates.set("extra", "clock"));
            changeClock(Updates.set("writers." + bad("extra"), "entry"));
            changeLease("good", Updates.set("extra", "lease"));
            Tenure good = new Tenure(Engines.NAMESPACE, "good", "h", 1);

            a.extendsTo(good, ofSeconds(90));
            assertExtrasAreThere();
            b.extendsTo(good, ofSeconds(120));
            assertExtrasAreThere();
            b.clock().advance(ofSeconds(121));
            Tenure second = b.takesOver("good", "h2", ofSeconds(1));
            assertExtrasAreThere();
            b.releases(second);
            assertExtrasAreThere();
            b.claims("good", "h3", ofSeconds(1));
            assertExtrasAreThere();
            b.clock().advance(ofSeconds(2));
            b.expires("good");
            assertExtrasAreThere();
            changeClock(Updates.set("writers." + b.writer() + ".extra", "entry"));
            Lease kept = b.acquires("good");
            assertExtrasAreThere();
            b.clock().advance(ofSeconds(10));
            b.heartbeats();
            assertExtrasAreThere();
            kept.close();
            assertExtrasAreThere();
            assertThat(engines.entry(b.writer()).get("extra")).isEqualTo(new BsonString("entry"));
            a.close();
            assertExtrasAreThere();
        }

        private void assertExtrasAreThere() {
            assertThat(engines.clockDocument().get("extra")).isEqualTo(new BsonString("clock"));
            assertThat(engines.entry(Engines.writer(engines.leaseDocument("bad")))
                            .get("extra"))
                    .isEqualTo(new BsonString("entry"));
            assertThat(engines.leaseDocument("good").get("extra")).isEqualTo(new BsonString("lease"));
        }

        @Test
        @DisplayName("CO-8: a held lease whose writer has no entry is judged by its own stamp alone")
        void withoutAnEntryTheStampOfTheLeaseCounts() throws InterruptedException {
            a.clock().advance(ofSeconds(20));
            a.claims("later", "h", ofSeconds(60));
            TestEngine c = engines.start("c", TestClock.atZPlus(ofSeconds(30)));
            assertThat(c.latestNanos("bad")).isEqualTo(Z + 70 * SECOND);

            engines.removeEntry(Engines.writer(engines.leaseDocument("bad")));

            // Those that have seen the entry keep their sights of it. This one has seen none.
            TestEngine d = engines.start("d", TestClock.atZPlus(ofSeconds(30)));
            assertThat(d.latestNanos("bad")).isEqualTo(Z + 90 * SECOND);
            d.clock().advance(ofSeconds(60));
            refused(d.engine().tenures().takeOver("bad", "h2", ofSeconds(60)), Reason.NOT_EXPIRED);
            d.clock().advance(1);
            assertThat(d.takesOver("bad", "h2", ofSeconds(60)).token()).isEqualTo(2);
        }

        @Test
        @DisplayName("CO-9: a session lease whose writer has no entry is free")
        void aSessionLeaseWithoutAnEntryIsFree() throws InterruptedException {
            changeLease("bad", Updates.unset("expiry"));
            assertThat(((LeaseState.Held) b.sees("bad")).latestExpiry()).isNull();
            refused(b.engine().tenures().claim("bad", "h2", ofSeconds(60)), Reason.HELD);

            engines.removeEntry(Engines.writer(engines.leaseDocument("bad")));

            assertThat(b.sees("bad")).isEqualTo(new LeaseState.Vacant("bad", 1, null, Set.of()));
            assertThat(b.claims("bad", "h2", ofSeconds(60)).token()).isEqualTo(2);
        }

        @Test
        @DisplayName("CO-9: a claim of such a lease fails if the writer's entry comes back before it lands")
        void theAbsenceOfTheWriterIsPartOfTheGuard() throws InterruptedException {
            changeLease("bad", Updates.unset("expiry"));
            String writer = Engines.writer(engines.leaseDocument("bad"));
            BsonDocument entry = engines.entry(writer);
            engines.removeEntry(writer);
            b.hooks().once(Hooks.Point.BEFORE_UPDATE, () -> changeClock(Updates.set("writers." + writer, entry)));

            refused(b.engine().tenures().claim("bad", "h2", ofSeconds(60)), Reason.HELD);

            assertThat(engines.shortForm("bad")).isEqualTo("h/1");
        }
    }

    private static BsonValue value(String json) {
        return BsonDocument.parse("{value: " + json + "}").get("value");
    }
}
