package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.refused;
import static dev.leasehold.engine.world.TestClock.Z;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.engine.world.TestClock;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What one engine leaves behind, and what the next one makes of it. */
@WithReplicaSet
class PersistenceIT {

    private static final long SECOND = 1_000_000_000L;

    private Engines engines;

    @BeforeEach
    void start(TestDatabase database) {
        engines = new Engines(database);
    }

    @AfterEach
    void check() {
        engines.close();
    }

    private long clockDocuments() {
        return engines.documents().countDocuments(Filters.eq("type", "clock"));
    }

    @Test
    @DisplayName("PE-1: the first engine makes the clock document, at majority")
    void theFirstEngineMakesTheClockDocument() {
        TestEngine a = engines.start("a");

        assertThat(engines.clockDocument())
                .isEqualTo(new BsonDocument("_id", new BsonString(Engines.NAMESPACE))
                        .append("type", new BsonString("clock"))
                        .append("schema", new BsonInt32(1))
                        .append("writers", new BsonDocument())
                        .append("ticks", engines.clockDocument().get("ticks"))
                        .append("tokenFloor", new BsonInt64(0)));
        assertThat(engines.ticks()).isNotNegative();
        assertThat(a.hooks().clockWrites()).hasSize(1).first().satisfies(write -> {
            assertThat(write.getDocument("writeConcern").get("w")).isEqualTo(new BsonString("majority"));
        });
    }

    @Test
    @DisplayName("PE-2: a second engine finds the clock document of the first")
    void aSecondEngineFindsTheClockDocument() throws InterruptedException {
        TestEngine a = engines.start("a");
        TestEngine b = engines.start("b");

        assertBothWork(a, b);
    }

    @Test
    @DisplayName("PE-2: two engines that start at the same instant share one clock document")
    void twoEnginesStartAtTheSameInstant() throws InterruptedException {
        Hooks hooks = new Hooks();
        TestEngine[] other = new TestEngine[1];
        hooks.once(Point.BEFORE_CLOCK_WRITE, () -> other[0] = engines.start("b"));

        TestEngine a = engines.start(Engines.NAMESPACE, "a", TestClock.atZ(), hooks);

        assertBothWork(a, other[0]);
    }

    private void assertBothWork(TestEngine a, TestEngine b) throws InterruptedException {
        Tenure tenure = a.claims("name", "h", ofSeconds(60));

        assertThat(b.sees("name")).isEqualTo(a.sees("name"));
        b.extendsTo(tenure, ofSeconds(90));
        assertThat(clockDocuments()).isEqualTo(1);
        assertThat(engines.clockDocument().getDocument("writers")).hasSize(2);
    }

    @ParameterizedTest(name = "{0} ppm")
    @DisplayName(
            "Never again 3, PE-3: an engine of the same name is another writer, and waits for its predecessor like any other")
    @CsvSource({"0, 60000000000", "1000, 60120120121"})
    void aSuccessorIsAnotherWriter(long driftPpm, long waitNanos) throws InterruptedException {
        engines.withDriftPpm(driftPpm).start("a").claims("name", "h", ofSeconds(60));
        TestEngine successor = engines.start("a");

        assertThat(successor.latestNanos("name")).isEqualTo(Z + waitNanos);

        successor.claims("other", "h", ofSeconds(60));
        assertThat(Engines.writer(engines.leaseDocument("other")))
                .startsWith("a#")
                .isNotEqualTo(Engines.writer(engines.leaseDocument("name")));
    }

    @Test
    @DisplayName("PE-4: a successor extends with a write, although the term is long enough")
    void aSuccessorExtendsWithAWrite() throws InterruptedException {
        Tenure tenure = engines.start("a").claims("name", "h", ofSeconds(60));
        BsonDocument before = engines.leaseDocument("name");
        TestEngine successor = engines.start("a");

        successor.extendsTo(tenure, ofSeconds(60));

        assertThat(engines.shortForm("name")).isEqualTo("h/1");
        assertThat(Engines.writer(engines.leaseDocument("name"))).isNotEqualTo(Engines.writer(before));
        assertThat(successor.hooks().transactions()).hasSize(1);
    }

    @Test
    @DisplayName("PE-5: a successor sees the extended term")
    void aSuccessorSeesTheExtendedTerm() throws InterruptedException {
        TestEngine a = engines.start("a");
        Tenure tenure = a.claims("name", "h", ofSeconds(1));
        // The clock moves on, as it does outside of tests, so that the stamp of the second write is the clock itself.
        a.clock().advance(1);
        a.extendsTo(tenure, ofSeconds(60).minusNanos(1));

        assertThat(engines.start("a").latestNanos("name")).isEqualTo(Z + 60 * SECOND - 1);
    }

    @Test
    @DisplayName("PE-6: a successor sees the vacant lease and goes on with its tokens")
    void aSuccessorGoesOnWithTheTokens() throws InterruptedException {
        TestEngine a = engines.start("a");
        a.claims("name", "h", ofSeconds(60));
        a.clock().advance(60 * SECOND + 1);
        a.expires("name");
        TestEngine successor = engines.start("a");

        assertThat(successor.sees("name")).isEqualTo(new LeaseState.Vacant("name", 1, null, Set.of()));
        assertThat(successor.claims("name", "h", ofSeconds(60)).token()).isEqualTo(2);
    }

    @Test
    @DisplayName("PE-7: two namespaces of one collection have nothing to do with each other")
    void namespacesAreApart() throws InterruptedException {
        TestEngine n1 = engines.start("n1", "a", TestClock.atZ());
        TestEngine n2 = engines.start("n2", "a", TestClock.atZPlus(ofSeconds(7)));
        n1.claims("name", "h", ofSeconds(60));

        assertThat(n2.engine().leases()).isEmpty();
        assertThat(n2.claims("name", "h2", ofSeconds(60))).isEqualTo(new Tenure("n2", "name", "h2", 1));

        assertThat(n1.latestNanos("name")).isEqualTo(Z + 60 * SECOND);
        assertThat(clockDocuments()).isEqualTo(2);
    }

    @Test
    @DisplayName("Never again 9, PE-8: times of day are compared nowhere")
    void timesOfDayAreComparedNowhere() throws InterruptedException {
        engines.start("a").claims("name", "h", ofSeconds(60));
        TestEngine behind = engines.start("b", TestClock.atZPlus(ofSeconds(-1234)));

        assertThat(behind.latestNanos("name")).isEqualTo(Z - 1234 * SECOND + 60 * SECOND);

        behind.clock().advance(ofSeconds(60));
        refused(behind.engine().tenures().expire("name"), Reason.NOT_EXPIRED);
        behind.clock().advance(1);
        behind.expires("name");
    }

    @Test
    @DisplayName("PE-9: the newest stamp of the writer counts, wherever it was written")
    void theNewestStampOfTheWriterCounts() throws InterruptedException {
        TestEngine a = engines.start("a");
        a.claims("L", "h", ofSeconds(60));
        a.clock().advance(ofSeconds(20));
        a.claims("M", "h", ofSeconds(60));
        TestEngine b = engines.start("b", TestClock.atZPlus(ofSeconds(100)));

        assertThat(b.latestNanos("L")).isEqualTo(Z + 140 * SECOND);
    }

    @ParameterizedTest(name = "{0} ns after the epoch")
    @DisplayName(
            "A machine whose clock is wrong by a century, or shows the very epoch, writes documents that can be read")
    @ValueSource(longs = {-60 * SECOND, -1, 0, 1, 2})
    void aClockAroundTheEpochDoesNoHarm(long wallNanos) throws InterruptedException {
        TestEngine a = engines.start("a", TestClock.atZPlus(Duration.ofNanos(wallNanos - Z)));

        Tenure tenure = a.claims("name", "h", ofSeconds(60));
        a.acquires("another");

        assertThat(engines.start("b").sees("name").status()).isEqualTo(LeaseStatus.ACTIVE);
        a.clock().advance(ofSeconds(30));
        a.extendsTo(tenure, ofSeconds(60));
        assertThat(a.engine().tenures().remaining(tenure)).isEqualTo(ofSeconds(60));
        a.releases(tenure);
    }
}
