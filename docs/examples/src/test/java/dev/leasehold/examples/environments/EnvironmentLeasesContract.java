package dev.leasehold.examples.environments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What all environment leases guarantee, on a clock that the test moves. */
abstract class EnvironmentLeasesContract {

    static final Duration DURATION = Duration.ofSeconds(60);
    private static final Duration MOMENT = Duration.ofMillis(1);

    /** The leases as that instance takes them; the same instance at every call. */
    abstract EnvironmentLeases leases(String host, Duration duration);

    abstract Instant now();

    abstract void advance(Duration duration);

    private EnvironmentLease acquire(String host, String environment) throws Exception {
        return leases(host, DURATION).tryAcquire(environment, Action.ACTUATION);
    }

    private EnvironmentInUseException refused(String host, String environment) throws InterruptedException {
        try (EnvironmentLease lease = leases(host, DURATION).tryAcquire(environment, Action.VERIFICATION)) {
            throw new AssertionError(host + " was granted the lease of " + lease.environment());
        } catch (EnvironmentInUseException e) {
            return e;
        }
    }

    private LeaseState.Held present(String host, String environment) throws InterruptedException {
        return refused(host, environment).held().orElseThrow();
    }

    private static Instant latestExpiry(LeaseState.Held held) {
        return Objects.requireNonNull(held.latestExpiry());
    }

    /** A later instance has to have looked before the time of the first one can be over for it. */
    private EnvironmentLease acquireWhenItIsUp(String host, String environment) throws Exception {
        refused(host, environment);
        advance(Duration.ofMinutes(5));
        return acquire(host, environment);
    }

    @Test
    void aFreeEnvironmentIsGranted() throws Exception {
        EnvironmentLease lease = acquire("a", "staging");

        assertThat(lease.environment()).isEqualTo("staging");
        assertThat(lease.action()).isEqualTo(Action.ACTUATION);
        assertThat(lease.priorStatus()).isEqualTo(LeaseStatus.FREE);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void aSecondLaterItIsRefusedAndTheRefusalSaysWhichOneHasItSinceWhenForWhatAndUntilWhen() throws Exception {
        Instant asked = now();
        acquire("a", "staging");
        advance(Duration.ofSeconds(1));

        EnvironmentInUseException refusal = refused("b", "staging");

        assertThat(refusal.environment()).isEqualTo("staging");
        assertThat(refusal.status()).isEqualTo(LeaseStatus.ACTIVE);
        LeaseState.Held held = refusal.held().orElseThrow();
        assertThat(held.tenure().holder()).isEqualTo("a");
        assertThat(held.since()).isEqualTo(asked);
        assertThat(held.comment()).isEqualTo("actuation");
        assertThat(latestExpiry(held)).isBetween(asked.plus(DURATION), asked.plus(DURATION.plusSeconds(2)));
        assertThat(refusal).hasMessageContaining("staging").hasMessageContaining("'a'");
    }

    @Test
    void theSameInstanceIsRefusedToo() throws Exception {
        EnvironmentLease lease = acquire("a", "staging");

        assertThat(present("a", "staging").tenure().holder()).isEqualTo("a");
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void afterTheDurationItIsGrantedToAnother() throws Exception {
        EnvironmentLease first = acquire("a", "staging");

        EnvironmentLease second = acquireWhenItIsUp("b", "staging");

        assertThat(second.priorStatus()).isEqualTo(LeaseStatus.EXPIRED);
        assertThat(second.isHeld()).isTrue();
        assertThat(first.isHeld()).isFalse();
    }

    @Test
    void afterTheDurationItIsGrantedToTheSameInstance() throws Exception {
        EnvironmentLease first = acquire("a", "staging");
        advance(Duration.ofMinutes(5));

        assertThat(acquire("a", "staging").priorStatus()).isEqualTo(LeaseStatus.EXPIRED);
        assertThat(first.isHeld()).isFalse();
    }

    @Test
    void exactlyAtTheDurationItIsStillActive() throws Exception {
        Instant asked = now();
        acquire("a", "staging");
        assertThat(latestExpiry(present("a", "staging"))).isEqualTo(asked.plus(DURATION));
        advance(DURATION);

        assertThat(refused("a", "staging").status()).isEqualTo(LeaseStatus.ACTIVE);
        advance(MOMENT);
        assertThat(acquire("a", "staging").priorStatus()).isEqualTo(LeaseStatus.EXPIRED);
    }

    @Test
    void anotherInstanceIsRefusedUntilExactlyTheLatestExpiryThatItWasTold() throws Exception {
        acquire("a", "staging");
        Instant latest = latestExpiry(present("b", "staging"));
        advance(Duration.between(now(), latest));

        assertThat(refused("b", "staging").status()).isEqualTo(LeaseStatus.ACTIVE);
        advance(MOMENT);
        assertThat(acquire("b", "staging").priorStatus()).isEqualTo(LeaseStatus.EXPIRED);
    }

    @Test
    void theDurationOfTheHolderDecidesAndNotThatOfTheOneThatAsks() throws Exception {
        leases("patient", Duration.ofMinutes(10)).tryAcquire("staging", Action.VERIFICATION);
        refused("b", "staging");

        advance(Duration.ofMinutes(5));

        assertThat(present("b", "staging").tenure().holder()).isEqualTo("patient");
    }

    @Test
    void otherEnvironmentsAreIndependent() throws Exception {
        acquire("a", "staging");

        assertThat(acquire("b", "production").isHeld()).isTrue();
        assertThat(acquire("a", "testing").isHeld()).isTrue();
    }

    @Test
    void afterTheCloseItIsGrantedAtOnce() throws Exception {
        EnvironmentLease first = acquire("a", "staging");
        refused("b", "staging");
        first.close();

        EnvironmentLease second = acquire("b", "staging");

        assertThat(first.isHeld()).isFalse();
        assertThat(second.priorStatus()).isEqualTo(LeaseStatus.FREE);
    }

    @Test
    void aCloseThatComesLateTakesNothingFromTheNextHolder() throws Exception {
        EnvironmentLease first = acquire("a", "staging");
        EnvironmentLease second = acquireWhenItIsUp("b", "staging");

        first.close();

        assertThat(present("c", "staging").tenure().holder()).isEqualTo("b");
        assertThat(second.isHeld()).isTrue();
    }

    @Test
    void aSecondCloseTakesNothingFromTheNextHolder() throws Exception {
        EnvironmentLease first = acquire("a", "staging");
        first.close();
        EnvironmentLease second = acquire("b", "staging");

        first.close();

        assertThat(present("c", "staging").tenure().holder()).isEqualTo("b");
        assertThat(second.isHeld()).isTrue();
    }

    @Test
    void aSecondCloseAfterAnAcquisitionOfItsOwnTakesNothingFromThat() throws Exception {
        EnvironmentLease first = acquire("a", "staging");
        first.close();
        EnvironmentLease second = acquire("a", "staging");

        first.close();

        assertThat(second.isHeld()).isTrue();
        assertThat(present("b", "staging").tenure().holder()).isEqualTo("a");
    }
}
