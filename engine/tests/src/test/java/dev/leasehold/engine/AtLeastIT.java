package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.granted;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.Refusal.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A job of 50 ms on two nodes, which is to be had for 10 s at least. */
class AtLeastIT extends WithEngines {

    private static final Duration RUN = ofMillis(50);
    private static final Duration TIME = ofSeconds(10);
    private static final LeaseRequest SESSION = LeaseRequest.of("name").atLeast(TIME);
    private static final LeaseRequest TERM = SESSION.term(ofSeconds(60));
    private static final LeaseRequest STRIPED = SESSION.gateStripes(2);

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

    private void runs(TestEngine engine, LeaseRequest request) throws InterruptedException {
        Lease lease = engine.acquires(request);
        engine.clock().advance(RUN);
        lease.close();
    }

    private static Instant keptFreeUntil(LeaseState state) {
        return ((LeaseState.Vacant) state).keptFreeUntil();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    @DisplayName(
            "The release leaves the lease vacant, kept free until that time after the acquisition on its own clock")
    void theReleaseKeepsTheLeaseFree(String kind, LeaseRequest request) throws InterruptedException {
        long acquiredNanos = a.clock().wallNanos();

        runs(a, request);

        BsonDocument vacant = stored();
        assertThat(vacant.isNull("holder")).isTrue();
        assertThat(vacant.get("expiry")).isEqualTo(new BsonInt64(acquiredNanos + TIME.toNanos()));
        assertThat(engines.shortForm("name")).isEqualTo("-/1");
        a.isRefused(request, Reason.NOT_YET);
        Refusal refusal = b.isRefused(request, Reason.NOT_YET);
        assertThat(keptFreeUntil(refusal.state())).isNotNull();
        assertThat(refusal.message()).contains("it is kept free for some time yet", "kept free until");
        assertThat(stored()).isEqualTo(vacant);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    @DisplayName("Its own engine takes it one nanosecond after that time, and not at it")
    void itsOwnEngineTakesItRightAfter(String kind, LeaseRequest request) throws InterruptedException {
        runs(a, request);

        a.clock().advance(TIME.minus(RUN));
        a.isRefused(request, Reason.NOT_YET);
        a.clock().advance(ofNanos(1));

        assertThat(a.acquires(request).token()).isEqualTo(2);
        if (request == TERM) {
            assertThat(stored().getInt64("expiry").getValue())
                    .isEqualTo(a.clock().wallNanos() + ofSeconds(60).toNanos());
        } else {
            assertThat(stored()).doesNotContainKey("expiry");
        }
    }

    @Test
    @DisplayName("Another engine judges it as the end of a term: by what it read of the writer's clock, and the drift")
    void anotherEngineJudgesItLikeATerm() throws InterruptedException {
        TestEngine drifting = engines.withDriftPpm(1000).start("c");
        runs(a, SESSION);
        long readNanos = drifting.clock().wallNanos();

        Refusal refusal = drifting.isRefused(SESSION, Reason.NOT_YET);

        Instant until = keptFreeUntil(refusal.state());
        long leftNanos = Duration.between(instant(readNanos), until).toNanos();
        assertThat(leftNanos)
                .isGreaterThan(TIME.minus(RUN).toNanos())
                .isLessThan(TIME.plusMillis(100).toNanos());
        drifting.clock().advance(ofNanos(leftNanos));
        drifting.isRefused(SESSION, Reason.NOT_YET);
        drifting.clock().advance(ofNanos(1));
        assertThat(drifting.acquires(SESSION).token()).isEqualTo(2);
    }

    private static Instant instant(long nanos) {
        return Instant.ofEpochSecond(0, nanos);
    }

    @Test
    @DisplayName("What waits in another engine is woken when the time is over")
    void waiterIsWokenAtTheBound() throws Exception {
        runs(a, SESSION);
        // The time counts from the first read, which has to be over before the clock moves.
        b.engine().refresh(List.of("name"));
        CompletableFuture<Acquisition> waiting = b.waitsFor("name");

        b.clock().advance(TIME);

        assertThat(waiting.get(60, TimeUnit.SECONDS).orElseThrow().token()).isEqualTo(2);
    }

    @Test
    @DisplayName("Five schedules of a run of 50 ms on two nodes, 200 ms apart: it runs five times")
    void aShortRunOnStaggeredNodesRunsOncePerSchedule() throws InterruptedException {
        int runs = 0;
        for (int schedule = 0; schedule < 5; schedule++) {
            for (TestEngine node : List.of(a, b)) {
                RunResult<Boolean> result = node.engine().runWhileHeld(SESSION, lease -> {
                    bothAdvance(RUN);
                    return true;
                });
                runs += result.ran() ? 1 : 0;
                bothAdvance(ofMillis(200));
            }
            bothAdvance(ofSeconds(60));
        }

        assertThat(runs).isEqualTo(5);
    }

    private void bothAdvance(Duration time) {
        a.clock().advance(time);
        b.clock().advance(time);
    }

    @Test
    @DisplayName("What was held for longer than that is free at once")
    void whatWasHeldForLongerIsFreeAtOnce() throws InterruptedException {
        Lease lease = a.acquires(SESSION);
        a.clock().advance(TIME);
        lease.close();

        assertThat(stored()).doesNotContainKey("expiry");
        assertThat(b.acquires(SESSION).token()).isEqualTo(2);
    }

    @Test
    @DisplayName("A forced expiry frees it at once, and moves the token on")
    void aForcedExpiryFreesIt() throws InterruptedException {
        runs(a, SESSION);

        assertThat(granted(b.engine().admin().forceExpire("name", "needed now")).token())
                .isEqualTo(1);

        assertThat(stored()).doesNotContainKey("expiry");
        assertThat(b.acquires(SESSION).token()).isEqualTo(3);
    }

    @Test
    @DisplayName("A forced expiry wakes those that wait for what is kept free, although no time passes")
    void aForcedExpiryWakesWaiters() throws Exception {
        runs(a, SESSION);
        CompletableFuture<Acquisition> waiting = b.waitsFor("name");
        b.runtime().settle();

        granted(a.engine().admin().forceExpire("name", "needed now"));

        assertThat(waiting.get(60, TimeUnit.SECONDS).orElseThrow().token()).isEqualTo(3);
    }

    @Test
    @DisplayName("A claim is refused too, and finds the lease free afterwards")
    void aClaimIsRefusedToo() throws InterruptedException {
        runs(a, SESSION);

        TestEngine.refused(b.engine().tenures().claim("name", "h", ofSeconds(60)), Reason.NOT_YET);
        b.clock().advance(TIME);

        granted(b.engine().tenures().claim("name", "h", ofSeconds(60)));
    }

    @Test
    @DisplayName("The close of the engine releases it by a write of its own, not merely by the session's end")
    void theCloseOfTheEngineKeepsItFree() throws InterruptedException {
        LeaseRequest hour = SESSION.atLeast(ofHours(1));
        try (LeaseEngine real = Engines.onTheSystemsClock(
                        engines.database().newClient(), engines.database(), "real", ofSeconds(20))
                .build()) {
            real.tryAcquire(hour).orElseThrow();
            real.tryAcquire(LeaseRequest.of("other")).orElseThrow();
        }

        assertThat(stored().isNull("holder")).isTrue();
        b.isRefused(hour, Reason.NOT_YET);
        b.acquires("other");
    }

    @Test
    @DisplayName(
            "Once its writer has left, an engine that has not seen it yet counts the whole time from its own first read")
    void firstReadAfterTheWriterHasLeftIsCountedFrom() throws InterruptedException {
        runs(a, SESSION);
        a.clock().advance(ofHours(1));
        a.engine().close();
        // Not b, which may have seen by now what a's clock shows.
        TestEngine late = engines.start("late");

        late.isRefused(SESSION, Reason.NOT_YET);
        late.clock().advance(TIME.plusSeconds(1));

        assertThat(late.acquires(SESSION).token()).isEqualTo(2);
    }

    @Test
    @DisplayName("A listing of the leases meanwhile, as of housekeeping, is such a first read")
    void aListingIsAFirstRead() throws InterruptedException {
        runs(a, SESSION);
        a.engine().close();
        b.engine().housekeeping();
        b.clock().advance(TIME.plusSeconds(1));

        assertThat(b.acquires(SESSION).token()).isEqualTo(2);
    }

    @Test
    @DisplayName("Housekeeping leaves it alone until its time is over")
    void housekeepingLeavesItAlone() throws InterruptedException {
        runs(a, SESSION.atLeast(ofHours(3)));
        a.clock().advance(ofHours(2));
        assertThat(a.engine().housekeeping().leasesRemoved()).isZero();

        a.clock().advance(ofHours(1));

        assertThat(a.engine().housekeeping().leasesRemoved()).isEqualTo(1);
    }

    @Test
    @DisplayName("The listing shows until when it is kept free, and then that it is vacant")
    void theListingShowsIt() throws InterruptedException {
        runs(a, SESSION);
        assertThat(keptFreeUntil(b.sees("name"))).isNotNull();
        assertThat(b.sees("name").status()).isEqualTo(LeaseStatus.FREE);

        b.clock().advance(TIME);

        assertThat(keptFreeUntil(b.sees("name"))).isNull();
    }
}
