package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.refused;
import static dev.leasehold.engine.world.TestClock.Z;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.engine.world.TestClock;
import java.time.Duration;
import java.util.Set;
import org.bson.BsonDocument;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What one engine leaves behind, and what the next one makes of it. */
class PersistenceIT extends WithEngines {

    private static final long SECOND = 1_000_000_000L;

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
                .isNotEqualTo(Engines.writer(stored()));
    }

    @Test
    @DisplayName("PE-4: a successor extends with a write, although the term is long enough")
    void aSuccessorExtendsWithAWrite() throws InterruptedException {
        Tenure tenure = engines.start("a").claims("name", "h", ofSeconds(60));
        BsonDocument before = stored();
        TestEngine successor = engines.start("a");

        successor.extendsTo(tenure, ofSeconds(60));

        assertThat(engines.shortForm("name")).isEqualTo("h/1");
        assertThat(Engines.writer(stored())).isNotEqualTo(Engines.writer(before));
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
