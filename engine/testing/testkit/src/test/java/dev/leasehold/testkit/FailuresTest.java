package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Granted;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.Tenures;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What fails on purpose. */
class FailuresTest {

    private static final Duration TERM = Duration.ofMinutes(5);

    private final TestLeases leases = TestLeases.create();

    @AfterEach
    void close() {
        leases.close();
    }

    @Test
    void anOperationThatIsRefusedOnceIsSentAgain() throws InterruptedException {
        leases.engine();
        Instant before = leases.clock().instant();
        leases.failNext(StoreFailure.REFUSED_ONCE);

        assertThat(leases.engine().tenures().claim("x", "h", TERM)).isInstanceOf(Granted.class);
        assertThat(leases.clock().instant()).isAfter(before).isBefore(before.plusSeconds(1));
    }

    @Test
    void anOperationThatFindsNoDatabaseThrowsAndTheNextOneWorks() throws InterruptedException {
        leases.engine();
        Instant before = leases.clock().instant();
        leases.failNext(StoreFailure.UNAVAILABLE);

        assertThatThrownBy(() -> leases.engine().tenures().claim("x", "h", TERM))
                .isInstanceOf(LeaseUnavailableException.class);
        assertThat(Duration.between(before, leases.clock().instant())).isEqualTo(Duration.ofSeconds(10));
        assertThat(leases.engine().tenures().claim("x", "h", TERM)).isInstanceOf(Granted.class);
    }

    @Test
    void aReadFailsToo() {
        leases.engine();
        leases.failNext(StoreFailure.UNAVAILABLE);

        assertThatThrownBy(() -> leases.engine().admin().inspect("x")).isInstanceOf(LeaseUnavailableException.class);
    }

    @Test
    void anUnknownOutcomeOfAWriteThatWasMadeIsResolvedAsGranted() {
        leases.engine();
        leases.failNext(StoreFailure.UNKNOWN_AND_WRITTEN);

        LeaseOutcomeUnknownException unknown = catchThrowableOfType(
                LeaseOutcomeUnknownException.class,
                () -> leases.engine().tenures().claim("x", "h", TERM));
        leases.advance(Duration.ofSeconds(20));

        assertThat(unknown.resolution()).isCompletedWithValueMatching(Granted.class::isInstance);
    }

    @Test
    void anUnknownOutcomeOfAWriteThatWasNotMadeIsResolvedAsNotGranted() throws InterruptedException {
        leases.engine();
        leases.failNext(StoreFailure.UNKNOWN_AND_NOT_WRITTEN);

        LeaseOutcomeUnknownException unknown = catchThrowableOfType(
                LeaseOutcomeUnknownException.class,
                () -> leases.engine().tenures().claim("x", "h", TERM));
        leases.advance(Duration.ofSeconds(20));

        assertThat(unknown.resolution())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LeaseUnavailableException.class);
        assertThat(leases.engine().admin().inspect("x")).isInstanceOf(LeaseState.Absent.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"UNKNOWN_AND_WRITTEN", "UNKNOWN_AND_NOT_WRITTEN"})
    void anExtensionOfUnknownOutcomeIsResolvedToo(StoreFailure failure) throws InterruptedException {
        Tenures tenures = leases.engine().tenures();
        Tenure tenure = ((Granted) tenures.claim("x", "h", TERM)).tenure();
        leases.failNext(failure);

        LeaseOutcomeUnknownException unknown = catchThrowableOfType(
                LeaseOutcomeUnknownException.class, () -> tenures.extend(tenure, TERM.multipliedBy(2)));
        leases.advance(Duration.ofSeconds(20));

        assertThat(unknown.resolution().toCompletableFuture().isCompletedExceptionally())
                .isEqualTo(failure == StoreFailure.UNKNOWN_AND_NOT_WRITTEN);
        assertThat(tenures.isHeld(tenure)).isTrue();
    }

    @Test
    void aWriteThatFindsNoDatabaseWasCertainlyNotMade() throws InterruptedException {
        Tenures tenures = leases.engine().tenures();
        Tenure tenure = ((Granted) tenures.claim("x", "h", TERM)).tenure();
        leases.failNext(StoreFailure.UNAVAILABLE);

        assertThatThrownBy(() -> tenures.release(tenure)).isInstanceOf(LeaseUnavailableException.class);
        assertThat(leases.engine().admin().inspect("x")).isInstanceOf(LeaseState.Held.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void failuresComeInTheirOrder(boolean before) throws InterruptedException {
        if (!before) {
            leases.engine();
        }
        leases.failNext(StoreFailure.UNKNOWN_AND_WRITTEN);
        leases.failNext(StoreFailure.UNAVAILABLE);

        assertThatThrownBy(() -> leases.engine().tenures().claim("x", "h", TERM))
                .isInstanceOf(LeaseOutcomeUnknownException.class);
        assertThatThrownBy(() -> leases.engine().tenures().claim("y", "h", TERM))
                .isInstanceOf(LeaseUnavailableException.class);
        assertThat(leases.engine().tenures().claim("z", "h", TERM)).isInstanceOf(Granted.class);
    }

    @Test
    void aStoppedDatabaseKeepsWhatItHasAndLeasesOutliveAShortStop() throws InterruptedException {
        Lease lease = leases.engine().tryAcquire("x").orElseThrow();
        leases.stopDatabase();

        assertThatThrownBy(() -> leases.engine().tenures().claim("y", "h", TERM))
                .isInstanceOf(LeaseUnavailableException.class);
        assertThat(lease.isHeld()).isTrue();

        leases.startDatabase();
        leases.advance(Duration.ofMinutes(1));
        assertThat(lease.isHeld()).isTrue();
        assertThat(leases.engine("b").tenures().claim("x", "h", TERM)).isInstanceOf(Refusal.class);
    }

    @Test
    void anEngineThatStartsWithoutADatabaseSaysSo() {
        leases.stopDatabase();

        assertThatThrownBy(leases::engine).isInstanceOf(LeaseUnavailableException.class);

        leases.startDatabase();
        assertThat(leases.engine().health().ready()).isTrue();
    }

    @Test
    void aMachineThatIsDisconnectedLosesItsLeasesAndOthersGetThem() throws InterruptedException {
        Lease lost = leases.engine("a").tryAcquire("x").orElseThrow();
        leases.machine("a").disconnect();

        Lease taken = leases.engine("b").acquire(LeaseRequest.of("x").waitAtMost(Duration.ofMinutes(1)));

        assertThat(lost.isHeld()).isFalse();
        assertThat(taken.isHeld()).isTrue();
        leases.machine("a").reconnect();
        taken.close();
        assertThat(leases.engine("a")
                        .acquire(LeaseRequest.of("x").waitAtMost(Duration.ofMinutes(1)))
                        .isHeld())
                .isTrue();
    }

    @Test
    void aShortPauseLosesNothing() throws InterruptedException {
        Lease lease = leases.engine().tryAcquire("x").orElseThrow();

        leases.machine("test").pause(Duration.ofSeconds(29));
        assertThat(lease.isHeld()).isTrue();

        leases.advance(Duration.ofMinutes(1));
        assertThat(lease.isHeld()).isTrue();
    }
}
