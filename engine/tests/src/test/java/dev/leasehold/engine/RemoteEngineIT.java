package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.refused;
import static dev.leasehold.engine.world.TestClock.Z;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.engine.world.TestClock;
import java.time.Duration;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What an engine may conclude about a lease that another one wrote, to the nanosecond.
 *
 * <p>The rows RE-1 to RE-7: {@code a} claims 60 s at Z. The clock of {@code b} is 1 s ahead, its read takes 0.1 s, and its
 * clock then goes on by another 0.1 s.
 *
 * <p>The engines start, and look at the writers, before {@code a} claims. By the clock of each its next look is 10 s later,
 * so the first sight of the claim is the read of the lease.
 */
class RemoteEngineIT extends WithEngines {

    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;
    /** The clock of {@code b} after its read. */
    private static final long NOW = Z + 1_200 * MILLI;

    private TestEngine a;
    private TestEngine b;
    private Tenure tenure;

    @BeforeEach
    void lookByTheirClocks() {
        engines.lookingByTheirClocks();
    }

    private void aHolds(long driftPpm) throws InterruptedException {
        a = engines.withDriftPpm(driftPpm).start("a");
        b = engines.start("b", TestClock.atZPlus(ofSeconds(1)));
        tenure = a.claims("name", "h", ofSeconds(60));
    }

    private void theNextReadOfBTakes(Duration duration) {
        b.hooks().once(Point.AFTER_READ, () -> b.clock().advance(duration));
    }

    private void bHasRead(long driftPpm) throws InterruptedException {
        aHolds(driftPpm);
        theNextReadOfBTakes(ofMillis(100));
        b.sees("name");
        b.clock().advance(ofMillis(100));
    }

    @Test
    @DisplayName(
            "Never again 1: a term that is long enough by memory is no yes once another engine has ended the tenure")
    void anExtensionOfATenureThatWasReleasedElsewhereIsRefused() throws InterruptedException {
        aHolds(0);
        b.releases(tenure);
        b.claims("name", "heir", ofSeconds(60));

        refused(a.engine().tenures().extend(tenure, ofSeconds(30)), Reason.NOT_THAT_TENURE);

        assertThat(a.engine().tenures().isHeld(tenure)).isFalse();
    }

    @ParameterizedTest(name = "{0} ppm")
    @DisplayName("RE-1: the latest expiry counts from the end of the read")
    @CsvSource({"0, 61100000000", "1000, 61220120121"})
    void theLatestExpiryCountsFromTheEndOfTheRead(long driftPpm, long latestNanos) throws InterruptedException {
        aHolds(driftPpm);
        theNextReadOfBTakes(ofMillis(100));

        LeaseState state = b.lists("name");

        assertThat(((LeaseState.Held) state).tenure()).isEqualTo(tenure);
        assertThat(TestEngine.latestNanos(state)).isEqualTo(Z + latestNanos);
    }

    @ParameterizedTest(name = "{0} ppm")
    @DisplayName("RE-5: at exactly the bound nothing has certainly expired")
    @CsvSource({"0", "1000"})
    void atTheBoundNothingHasExpired(long driftPpm) throws InterruptedException {
        bHasRead(driftPpm);
        BsonDocument before = stored();
        b.clock().advance(Z + 61_100 * MILLI - NOW);

        refused(b.engine().tenures().expire("name"), Reason.NOT_EXPIRED);

        assertThat(stored()).isEqualTo(before);
    }

    @Test
    @DisplayName("RE-6: one nanosecond past the bound, at no drift, it has")
    void pastTheBoundItHasExpired() throws InterruptedException {
        bHasRead(0);
        b.clock().advance(Z + 61_100 * MILLI + 1 - NOW);

        b.expires("name");

        assertThat(engines.shortForm("name")).isEqualTo("-/1");
    }

    @Test
    @DisplayName("Never again 7, RE-6: one nanosecond past the bound of perfect clocks, at 1000 ppm, it has not")
    void driftPutsTheBoundOff() throws InterruptedException {
        bHasRead(1000);
        b.clock().advance(Z + 61_100 * MILLI + 1 - NOW);
        refused(b.engine().tenures().expire("name"), Reason.NOT_EXPIRED);

        b.clock().advance(Z + 61_220_120_121L - (Z + 61_100 * MILLI + 1));
        refused(b.engine().tenures().expire("name"), Reason.NOT_EXPIRED);
        b.clock().advance(1);
        b.expires("name");

        assertThat(engines.shortForm("name")).isEqualTo("-/1");
    }

    @ParameterizedTest(name = "{0} ppm")
    @DisplayName("RE-7: the first writer's stale view expires nothing that another engine has extended")
    @CsvSource({"0", "1000"})
    void aStaleViewExpiresNothing(long driftPpm) throws InterruptedException {
        bHasRead(driftPpm);
        b.extendsTo(tenure, ofSeconds(10));
        BsonDocument extended = stored();
        a.clock().advance(60 * SECOND + 1);
        a.hooks().forgetCommands();

        refused(a.engine().tenures().expire("name"), Reason.NOT_EXPIRED);

        assertThat(stored()).isEqualTo(extended);
        assertThat(a.hooks().transactions()).as("it is read again first").isEmpty();
    }

    @ParameterizedTest(name = "{0} ppm")
    @DisplayName("Never again 1, RE-8: no extension is answered from a guess of how long the term still runs")
    @CsvSource({"0, 110000000001", "1000, 110120120122"})
    void noExtensionIsAnsweredFromAGuess(long driftPpm, long expiryNanos) throws InterruptedException {
        a = engines.withDriftPpm(driftPpm).start("a");
        b = engines.start("b", TestClock.atZPlus(ofSeconds(50)));
        tenure = a.claims("name", "h", ofSeconds(60));
        b.sees("name");

        b.extendsTo(tenure, ofSeconds(55));

        assertThat(Engines.writer(stored())).startsWith("b#");
        assertThat(Engines.expiry(stored())).isEqualTo(Z + expiryNanos);
        a.clock().advance(60 * SECOND + 1);
        refused(a.engine().tenures().expire("name"), Reason.NOT_EXPIRED);
        a.clock().advance(45 * SECOND - 1);
        b.clock().advance(ofSeconds(55));
        refused(a.engine().tenures().takeOver("name", "h2", ofSeconds(60)), Reason.NOT_EXPIRED);
        refused(b.engine().tenures().takeOver("name", "h2", ofSeconds(60)), Reason.NOT_EXPIRED);
    }

    @Test
    @DisplayName("Never again 2: a forward step of the writer's wall clock lets no engine take its lease early")
    void aForwardStepOfTheWallLetsNoEngineIn() throws InterruptedException {
        aHolds(0);
        a.clock().stepWall(ofHours(1));
        a.claims("other", "h", ofSeconds(60));

        Refusal refusal = refused(b.engine().tenures().takeOver("name", "h2", ofSeconds(60)), Reason.NOT_EXPIRED);

        // The second stamp, 1 ns ahead of a clock that stood still, is what b counts from.
        assertThat(TestEngine.latestNanos(refusal.state())).isEqualTo(Z + 61 * SECOND - 1);
    }
}
