package dev.leasehold.engine;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.Tenure;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents that break the schema: what stops, what goes on, and what is said. Nothing is repaired by itself. */
class CorruptDataIT extends WithEngines {

    @BeforeEach
    void expectCorruptDocuments() {
        engines.expectCorruptDocuments();
    }

    private void change(String documentId, Bson update) {
        assertThat(engines.documents()
                        .updateOne(Filters.eq("_id", documentId), update)
                        .getModifiedCount())
                .isOne();
    }

    /** Sets a field to what the JSON says, or takes it out. */
    private static Bson damage(String field, String json) {
        return json.equals("missing")
                ? Updates.unset(field)
                : Updates.set(field, BsonDocument.parse("{value: " + json + "}").get("value"));
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

        @ParameterizedTest(name = "writers {0}")
        @DisplayName(
                "CO-2: an engine that runs says so at its next read, and at its next write, and does not try for ever")
        @ValueSource(strings = {"null", "missing", "7", "'text'", "[]"})
        void anEngineThatRunsSaysSo(String writers) throws InterruptedException {
            TestEngine a = engines.start("a");
            Tenure tenure = a.claims("name", "h", ofSeconds(60));
            change(Engines.NAMESPACE, damage("writers", writers));
            BsonDocument lease = engines.leaseDocument("name");

            assertNames(corrupt(() -> a.sees("name")), Engines.NAMESPACE, "writers", "document");
            assertNames(corrupt(() -> a.engine().tenures().release(tenure)), Engines.NAMESPACE, "writers", "document");

            assertThat(engines.leaseDocument("name")).isEqualTo(lease);
            // That of the claim: each later operation reads first, and ends there.
            assertThat(a.hooks().transactions()).hasSize(1);
        }

        @Test
        @DisplayName("CO-3: a clock document that becomes newer is refused at every write")
        void aNewerSchemaStopsEveryWrite() throws InterruptedException {
            TestEngine a = engines.start("a");
            Tenure tenure = a.claims("name", "h", ofSeconds(60));
            change(Engines.NAMESPACE, Updates.set("schema", 2));
            BsonDocument clock = engines.clockDocument();

            assertNames(corrupt(() -> a.engine().tenures().release(tenure)), Engines.NAMESPACE, "schema", "2");
            assertNames(corrupt(() -> a.claims("other", "h", ofSeconds(60))), Engines.NAMESPACE, "schema", "2");

            assertThat(engines.clockDocument()).isEqualTo(clock);
            assertThat(engines.shortForm("name")).isEqualTo("h/1");
            assertThat(engines.leaseDocument("other")).isNull();
        }
    }

    @Nested
    class LeaseDocuments {

        private static final String BAD = Engines.NAMESPACE + "#bad";

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

        private void assertEveryOperationFails(TestEngine engine, String field) {
            Tenures tenures = engine.engine().tenures();
            for (ThrowingCallable operation : List.<ThrowingCallable>of(
                    () -> tenures.claim("bad", "h2", ofSeconds(60)),
                    () -> tenures.takeOver("bad", "h2", ofSeconds(60)),
                    () -> tenures.extend(bad, ofSeconds(90)),
                    () -> tenures.expire("bad"),
                    () -> tenures.release(bad))) {
                assertNames(corrupt(operation), BAD, field, "");
            }
        }

        private void assertListedAsCorrupt(TestEngine engine, String field) throws InterruptedException {
            LeaseState state = engine.lists("bad");
            assertThat(state)
                    .isInstanceOfSatisfying(
                            LeaseState.Corrupt.class,
                            corrupt -> assertThat(List.of(corrupt.documentId(), corrupt.field()))
                                    .containsExactly(BAD, field));
            assertThat(engine.sees("bad")).isEqualTo(state);
        }

        @ParameterizedTest(name = "{0}: {1}")
        @DisplayName(
                "CO-4, CO-5: a document with a bad field, or another name than in its id, is listed as corrupt, and"
                        + " stops every operation on that lease, and on no other")
        @CsvSource({
            "name, '\"snagglepuss\"'",
            "namespace, '\"elsewhere\"'",
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
            change(BAD, damage(field, stored));
            BsonDocument before = engines.leaseDocument("bad");

            for (TestEngine engine : List.of(a, b)) {
                assertListedAsCorrupt(engine, field);
                assertEveryOperationFails(engine, field);
            }

            assertThat(engines.leaseDocument("bad")).isEqualTo(before);
            assertOthersWork();
        }

        @ParameterizedTest(name = "token {0}")
        @DisplayName("CO-5: a token that was changed behind an engine's back, by value or by type, is not written over")
        @ValueSource(strings = {"{\"$numberLong\": \"7\"}", "1.0", "1"})
        void aChangedTokenIsNotWrittenOver(String token) throws InterruptedException {
            change(BAD, damage("token", token));
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
            change(Engines.NAMESPACE + "#kept", damage("token", token));
            BsonDocument before = engines.leaseDocument("kept");

            assertThat(catchThrowable(() -> a.releases(kept.tenure()))).isNotNull();

            assertThat(engines.leaseDocument("kept")).isEqualTo(before);
        }
    }
}
