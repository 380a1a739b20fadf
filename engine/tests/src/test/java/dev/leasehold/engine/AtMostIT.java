package dev.leasehold.engine;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.assertions.LeaseNotHeldException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A job that hangs. Its request allows it to hold the lease for 3 s at most, well below its session and its term. */
class AtMostIT extends WithEngines {

    private static final Duration TIME = ofSeconds(3);
    private static final LeaseRequest SESSION =
            LeaseRequest.of("name").holder("job").atMost(TIME);
    private static final LeaseRequest UNLIMITED = LeaseRequest.of("name").holder("job");
    private static final LeaseRequest TERM = SESSION.term(ofSeconds(60));
    private static final LeaseRequest STRIPED = SESSION.gateStripes(2);

    private final BlockingQueue<LeaseLoss> losses = new LinkedBlockingQueue<>();
    private TestEngine a;
    private TestEngine b;

    @BeforeEach
    void startBoth() {
        a = engines.start("a");
        b = engines.start("b");
    }

    static List<Arguments> kinds() {
        return List.of(
                Arguments.of("session", SESSION), Arguments.of("term", TERM), Arguments.of("with stripes", STRIPED));
    }

    private Lease hangs(LeaseRequest request) throws InterruptedException {
        Lease lease = a.acquires(request);
        lease.onLost(losses::add);
        return lease;
    }

    private LeaseLoss loss() throws InterruptedException {
        return losses.poll(60, TimeUnit.SECONDS);
    }

    private void untilReleased() {
        Awaitility.await().until(() -> engines.shortForm("name").startsWith("-/"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    @DisplayName("It is held until that time since its acquisition, and from then on it is not")
    void itIsHeldForThatTimeAndNoLonger(String kind, LeaseRequest request) throws InterruptedException {
        Lease lease = hangs(request);

        a.clock().advance(TIME.minusNanos(1));
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isEqualTo(ofNanos(1));
        a.clock().advance(ofNanos(1));

        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    @DisplayName("Its holder is told why, and the lease is released: the next one gets it at once")
    void itsHolderIsToldAndTheNextOneGetsIt(String kind, LeaseRequest request) throws Exception {
        Lease lease = hangs(request);
        CompletableFuture<Acquisition> waiting = b.waitsFor("name");

        a.clock().advance(TIME);

        LeaseLoss loss = loss();
        assertThat(loss.reason()).isEqualTo(LeaseLoss.Reason.HELD_TOO_LONG);
        assertThat(loss.message()).contains("as long as its request allows");
        Lease next = waiting.get(60, TimeUnit.SECONDS).orElseThrow();
        assertThat(next.token()).isEqualTo(lease.token() + 1);
        assertThatThrownBy(lease::requireHeld)
                .isInstanceOf(LeaseNotHeldException.class)
                .hasMessageContaining("as long as its request allows");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    @DisplayName("Once it is released, its gated writes are refused")
    void itsGatedWritesAreRefused(String kind, LeaseRequest request) throws InterruptedException {
        Lease lease = hangs(request);
        a.commitsUnder(lease.assertion());

        a.clock().advance(TIME);
        untilReleased();

        assertThatThrownBy(() -> a.commitsUnder(lease.assertion())).isInstanceOf(LeaseNotHeldException.class);
    }

    @Test
    @DisplayName("A job that ends in time is not touched, and keeps the lease free as it asked")
    void aJobThatEndsInTimeIsNotTouched() throws InterruptedException {
        LeaseRequest request = SESSION.atLeast(ofSeconds(2));
        Lease lease = hangs(request);
        a.clock().advance(ofSeconds(1));

        lease.close();

        b.isRefused("name", Refusal.Reason.NOT_YET);
        a.clock().advance(TIME);
        a.settles();
        assertThat(losses).isEmpty();
    }

    @Test
    @DisplayName("A lease that was held too long is not kept free")
    void whatWasHeldTooLongIsNotKeptFree() throws InterruptedException {
        hangs(SESSION.atLeast(TIME));

        a.clock().advance(TIME);
        untilReleased();

        assertThat(stored()).doesNotContainKey("expiry");
    }

    @Test
    @DisplayName("Of several handles of one tenure the first time that is over ends it for all")
    void theFirstTimeThatIsOverEndsItForAll() throws InterruptedException {
        Lease unlimited = hangs(UNLIMITED);
        a.clock().advance(ofSeconds(1));
        Lease limited = a.acquires(SESSION);
        Lease longer = a.acquires(SESSION.atMost(TIME.multipliedBy(2)));
        assertThat(List.of(limited.token(), longer.token())).containsOnly(unlimited.token());

        a.clock().advance(TIME.minusNanos(1));
        assertThat(unlimited.isHeld()).isTrue();
        a.clock().advance(ofNanos(1));

        assertThat(unlimited.isHeld()).isFalse();
        assertThat(loss().reason()).isEqualTo(LeaseLoss.Reason.HELD_TOO_LONG);
    }

    @Test
    @DisplayName("The time of a handle that was closed counts no more")
    void theTimeOfAClosedHandleCountsNoMore() throws InterruptedException {
        Lease unlimited = hangs(UNLIMITED);
        Lease limited = a.acquires(SESSION);
        limited.close();

        a.clock().advance(TIME);
        a.settles();

        assertThat(unlimited.isHeld()).isTrue();
        assertThat(losses).isEmpty();
    }

    @Test
    @DisplayName("What ran while it was held too long is reported as not held to the end")
    void aRunThatTookTooLongWasNotHeldToItsEnd() throws InterruptedException {
        RunResult<Boolean> result = a.engine().runWhileHeld(SESSION, lease -> {
            a.clock().advance(TIME);
            return true;
        });

        assertThat(result)
                .isInstanceOfSatisfying(
                        RunResult.Ran.class,
                        ran -> assertThat(ran.heldThroughout()).isFalse());
    }

    @Test
    @DisplayName("A leader stops leading after that time, and competes again")
    void aLeaderStopsAndCompetesAgain() throws InterruptedException {
        BlockingQueue<Long> leads = new LinkedBlockingQueue<>();
        try (LeaderElection election = a.engine()
                .elect(SESSION)
                .onGranted(lease -> leads.add(lease.token()))
                .start()) {
            assertThat(leads.poll(60, TimeUnit.SECONDS)).isEqualTo(1);

            a.clock().advance(TIME);

            assertThat(leads.poll(60, TimeUnit.SECONDS)).isEqualTo(2);
            assertThat(election.lease()).isPresent();
        }
    }

    @Test
    @DisplayName("A time that is shorter than the time for which the lease is kept free is refused, with both")
    void aTimeShorterThanAtLeastIsRefused() {
        LeaseRequest request = LeaseRequest.of("name").atLeast(ofSeconds(5)).atMost(ofSeconds(4));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.engine().tryAcquire(request))
                .withMessage(
                        "at most PT4S is refused for lease 'name': it must not be shorter than at least, which is PT5S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.engine().tryAcquire(LeaseRequest.of("name").atMost(ofMillis(0))))
                .withMessageContaining("at most PT0S is refused");
    }
}
