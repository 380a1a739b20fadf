package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.notAcquired;
import static dev.leasehold.engine.world.TestClock.Z;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.FailPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonDocumentWriter;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Leases that live as long as the session of their writer: {@code a} has a session of 30 s and sends a heartbeat every 10 s.
 * {@code b} looks on, with a clock of its own that begins where that of {@code a} does. Both look at the writers before
 * anything is written, and then once in ten seconds of their clocks.
 */
class SessionsIT extends WithEngines {

    private static final long SECOND = 1_000_000_000L;
    private static final Duration SESSION = ofSeconds(30);
    private static final Duration PERIOD = ofSeconds(10);
    private static final List<String> NAMES = List.of("l1", "l2", "l3");
    /** Of a write concern that cannot be satisfied. The command is carried out. */
    private static final int UNSATISFIABLE_WRITE_CONCERN = 100;

    private TestEngine a;
    private TestEngine b;
    private final List<Lease> leases = new ArrayList<>();
    private final List<LeaseLoss> losses = new CopyOnWriteArrayList<>();

    @BeforeEach
    void startBoth() {
        engines.lookingByTheirClocks();
        a = engines.start("a");
        b = engines.start("b");
    }

    private void aHoldsThree() throws InterruptedException {
        for (String name : NAMES) {
            Lease lease = a.acquires(LeaseRequest.of(name).holder("h"));
            lease.onLost(losses::add);
            leases.add(lease);
        }
        a.hooks().forgetCommands();
    }

    private List<BsonDocument> documents() {
        return NAMES.stream().map(engines::leaseDocument).toList();
    }

    private void assertLost(Reason reason) {
        await().until(() -> losses.size() == NAMES.size());
        assertThat(losses).extracting(LeaseLoss::reason).containsOnly(reason);
        assertThat(leases).noneMatch(Lease::isHeld);
    }

    @Nested
    @DisplayName("Acknowledgements")
    class Acknowledgements {

        @Test
        @DisplayName("SE-1: the first write makes the entry, with the length of the session and the driver session")
        void theFirstWriteMakesTheEntry() throws InterruptedException {
            long ticks = engines.ticks();
            a.hooks().once(Point.AFTER_CLOCK_WRITE, () -> {
                BsonDocument entry = engines.entry(a.writer());
                assertThat(entry.keySet()).containsExactlyInAnyOrder("time", "session", "lsid", "drift");
                assertThat(entry.getInt64("time").getValue()).isEqualTo(Z);
                assertThat(entry.get("session")).isEqualTo(new BsonInt64(SESSION.toNanos()));
                assertThat(engines.ticks()).isEqualTo(ticks + 1);
            });

            a.acquires("l1");
        }

        @Test
        @DisplayName("SE-2: a lease without expiry, which runs until the entry and the session length")
        void aLeaseWithoutExpiry() throws InterruptedException {
            a.acquires("l1");
            b.clock().advance(ofSeconds(5));

            assertThat(engines.leaseDocument("l1")).doesNotContainKey("expiry");
            assertThat(a.latestNanos("l1")).isEqualTo(engines.time(a.writer()) + 30 * SECOND);
            assertThat(b.latestNanos("l1")).isEqualTo(Z + 35 * SECOND);
            assertThat(((LeaseState.Held) b.sees("l1")).session()).isTrue();
        }

        @Test
        @DisplayName("SE-2: a vacant lease is claimed, and released, by one write of its own document alone")
        void aVacantLeaseIsWrittenAlone() throws InterruptedException {
            a.acquires("l1").close();
            a.sees("l1");
            a.hooks().forgetCommands();
            long ticks = engines.ticks();

            Lease again = a.acquires("l1");
            again.close();

            assertThat(again.token()).isEqualTo(2);
            assertThat(Hooks.numbersOf(a.hooks().leaseWrites())).hasSize(2);
            assertThat(a.hooks().commands()).isEqualTo(a.hooks().leaseWrites());
            assertThat(engines.ticks()).isEqualTo(ticks);
            assertThat(engines.shortForm("l1")).isEqualTo("-/2");
        }

        @Test
        @DisplayName(
                "SE-3: a heartbeat is one write of the clock document, and prolongs all leases without touching one")
        void aHeartbeatTouchesNoLease() throws InterruptedException {
            aHoldsThree();
            List<BsonDocument> before = documents();
            long ticks = engines.ticks();

            a.clock().advance(PERIOD);
            a.heartbeats();

            assertThat(a.hooks().commands()).hasSize(1);
            assertThat(a.hooks().clockWrites()).hasSize(1);
            assertThat(engines.ticks()).isEqualTo(ticks + 1);
            assertThat(engines.time(a.writer())).isEqualTo(Z + 10 * SECOND);
            assertThat(documents()).isEqualTo(before);
            assertThat(leases).extracting(Lease::remaining).containsOnly(SESSION);
            for (String name : NAMES) {
                assertThat(a.latestNanos(name)).isEqualTo(Z + 40 * SECOND);
            }
        }

        @Test
        @DisplayName("SE-4: a transaction acknowledges too, and the next heartbeat counts from there")
        void aTransactionAcknowledgesToo() throws InterruptedException {
            aHoldsThree();
            a.clock().advance(PERIOD);
            a.heartbeats();
            a.clock().advance(ofSeconds(2));
            a.claims("term", "h", ofSeconds(60));
            assertThat(engines.time(a.writer())).isEqualTo(Z + 12 * SECOND);
            assertThat(leases).extracting(Lease::remaining).containsOnly(SESSION);
            a.hooks().forgetCommands();

            a.clock().advance(PERIOD.minusNanos(1));
            a.settles();
            assertThat(a.hooks().clockWrites()).isEmpty();
            a.clock().advance(1);
            a.heartbeats();

            assertThat(a.hooks().clockWrites()).hasSize(1);
        }

        @Test
        @DisplayName("SE-5: validity counts from before the heartbeat was sent, not from its answer")
        void validityCountsFromBeforeTheHeartbeatWasSent() throws InterruptedException {
            aHoldsThree();
            a.hooks().once(Point.AFTER_CLOCK_WRITE, () -> a.clock().advance(ofSeconds(4)));

            a.clock().advance(PERIOD);
            await().until(() -> a.clock().wallNanos() == Z + 14 * SECOND);
            a.settles();

            assertThat(leases).extracting(Lease::remaining).containsOnly(ofSeconds(26));
        }

        @Test
        @DisplayName("SE-6: a heartbeat whose answer is lost prolongs no validity, until one is acknowledged")
        void aLostAnswerProlongsNothing() throws InterruptedException {
            aHoldsThree();
            ActiveFailPoint deaf = engines.database()
                    .activate(FailPoint.failCommands("update")
                            .withWriteConcernError(UNSATISFIABLE_WRITE_CONCERN)
                            .forAppName(engines.database().name()));
            a.clock().advance(PERIOD);
            deaf.awaitEntered(2, ofSeconds(30));

            assertThat(engines.time(a.writer())).isGreaterThanOrEqualTo(Z + 10 * SECOND);
            assertThat(leases).extracting(Lease::remaining).containsOnly(ofSeconds(20));

            deaf.close();
            await().untilAsserted(() ->
                    assertThat(leases).extracting(Lease::remaining).containsOnly(SESSION));
        }

        @Test
        @DisplayName("SE-15: ten thousand held leases cost one small write per period")
        void thousandsOfLeasesCostOneWrite() throws Exception {
            int held = 10_000;
            List<CompletableFuture<Acquisition>> acquisitions = IntStream.range(0, held)
                    .mapToObj(number -> a.engine()
                            .tryAcquireAsync(LeaseRequest.of("lease " + number))
                            .toCompletableFuture())
                    .toList();
            for (CompletableFuture<Acquisition> acquisition : acquisitions) {
                leases.add(acquisition.get(60, TimeUnit.SECONDS).orElseThrow());
            }
            untilTheWatchHasRead(held);
            a.hooks().forgetCommands();

            for (int period = 1; period <= 3; period++) {
                a.clock().advance(PERIOD);
                a.heartbeats();

                assertThat(a.hooks().commands()).hasSize(period);
            }

            assertThat(a.hooks().clockWrites())
                    .hasSize(3)
                    .allSatisfy(write -> assertThat(bytes(write)).isLessThan(1_000));
            assertThat(leases).hasSize(held).allMatch(Lease::isHeld);
            assertThat(a.engine().health().heldLeases()).isEqualTo(held);
        }

        /** That is done once, when the change stream opens. */
        private void untilTheWatchHasRead(int held) {
            a.hooks().forgetCommands();
            a.clock().advance(ofSeconds(2));
            await().until(() -> {
                a.clock().advance(ofMillis(50));
                return a.hooks().commands("find").stream()
                                .mapToInt(this::namesIn)
                                .sum()
                        >= held;
            });
            a.settles();
        }

        private int namesIn(BsonDocument find) {
            BsonValue ids = find.getDocument("filter").get("_id");
            return ids.isDocument() && ids.asDocument().containsKey("$in")
                    ? (int) ids.asDocument().getArray("$in").stream()
                            .filter(id -> id.asString().getValue().contains("#"))
                            .count()
                    : 0;
        }

        private int bytes(BsonDocument command) {
            BsonDocument plain = new BsonDocument();
            new BsonDocumentWriter(plain).pipe(command.asBsonReader());
            return new RawBsonDocument(plain, new BsonDocumentCodec())
                    .getByteBuffer()
                    .remaining();
        }

        @Test
        @DisplayName("SE-16: callers' transactions and heartbeats never conflict")
        void callersTransactionsAndHeartbeatsNeverConflict() throws InterruptedException {
            aHoldsThree();
            try (ClientSession session = a.client().startSession()) {
                for (int round = 0; round < 10; round++) {
                    session.startTransaction();
                    leases.get(0).assertion().check(session);
                    a.clock().advance(PERIOD);
                    a.heartbeats();
                    leases.get(1).assertion().check(session);
                    session.commitTransaction();
                }
            }

            assertThat(a.hooks().clockWrites()).hasSize(10);
            assertThat(engines.leaseDocument("l1").getInt64("gates").getValue()).isEqualTo(10);
            assertThat(leases).allMatch(Lease::isHeld);
        }

        @Test
        @DisplayName(
                "SE-19: a heartbeat behind an open transaction of another engine waits, and is done when that ends")
        void aHeartbeatWaitsBehindAnOpenTransaction() throws Exception {
            aHoldsThree();
            try (ForeignTransaction open = ForeignTransaction.on(engines, Engines.NAMESPACE)) {
                a.clock().advance(PERIOD);
                engines.untilAnUpdateIsUnderWay();
                assertThat(engines.time(a.writer())).isLessThan(Z + 10 * SECOND);
                assertThat(leases).extracting(Lease::remaining).containsOnly(ofSeconds(20));
                open.commits();
            }

            a.heartbeats();

            assertThat(leases).extracting(Lease::remaining).containsOnly(SESSION);
        }

        @Test
        @DisplayName("HA-19: a callback that blocks delays no renewal of others")
        void aCallbackThatBlocksDelaysNoRenewal() throws Exception {
            aHoldsThree();
            CompletableFuture<Void> blocks = new CompletableFuture<>();
            CompletableFuture<Void> mayGoOn = new CompletableFuture<>();
            leases.get(0).onLost(loss -> {
                blocks.complete(null);
                mayGoOn.join();
            });
            a.releases(leases.get(0).tenure());
            blocks.get(1, TimeUnit.MINUTES);

            a.clock().advance(PERIOD);
            a.heartbeats();

            assertThat(leases.subList(1, 3)).extracting(Lease::remaining).containsOnly(SESSION);
            mayGoOn.complete(null);
        }

        @Test
        @DisplayName("SE-20: a machine that was suspended knows on waking, before any I/O")
        void aSuspendedMachineKnowsOnWaking() throws InterruptedException {
            aHoldsThree();

            a.clock().stepWall(ofSeconds(31));

            assertThat(leases).noneMatch(Lease::isHeld);
            assertThat(leases).extracting(Lease::remaining).containsOnly(Duration.ZERO);
            assertLost(Reason.CLOCK_ANOMALY);
            await().untilAsserted(() ->
                    assertThat(NAMES).extracting(engines::shortForm).containsOnly("-/1"));
        }
    }

    @Nested
    @DisplayName("Bounds and eviction")
    class Eviction {

        @Test
        @DisplayName("ST-1: what a dead engine left open is ended before its entry is gone, by which it is known")
        void whatTheEvictedLeftOpenIsEnded() throws InterruptedException {
            a.acquires("l1");
            b.claims("l2", "b", ofSeconds(60));
            b.sees("l1");
            b.clock().advance(PERIOD.multipliedBy(10));
            String writer = a.writer();
            try (ForeignTransaction left =
                    ForeignTransaction.on(engines, Engines.NAMESPACE + "#l2").ofSessionOf(engines, writer)) {
                b.acquires("l1");

                assertThat(engines.writers()).doesNotContain(writer);
                assertThatExceptionOfType(MongoException.class).isThrownBy(left::commits);
            }
            assertThat(engines.leaseDocument("l2")).doesNotContainKey("touched");
        }

        @Test
        @DisplayName("SE-7: the first read of a stamp counts, and reading again postpones nothing")
        void theFirstReadCounts() throws InterruptedException {
            a.acquires("l1");
            b.clock().advance(ofSeconds(5));
            b.sees("l1");
            b.clock().advance(ofSeconds(15));
            assertThat(b.latestNanos("l1")).isEqualTo(Z + 35 * SECOND);

            b.clock().advance(ofSeconds(15));
            b.isRefused("l1", Refusal.Reason.HELD);
            b.clock().advance(1);

            assertThat(b.acquires("l1").token()).isEqualTo(2);
        }

        @Test
        @DisplayName("SE-8: a newer stamp starts the bound anew")
        void aNewerStampStartsTheBoundAnew() throws InterruptedException {
            a.acquires("l1");
            b.sees("l1");
            a.clock().advance(PERIOD);
            a.heartbeats();
            b.clock().advance(ofSeconds(20));

            assertThat(b.latestNanos("l1")).isEqualTo(Z + 50 * SECOND);
            b.clock().advance(ofSeconds(30));
            Refusal refusal = b.isRefused("l1", Refusal.Reason.HELD);

            assertThat(TestEngine.latestNanos(refusal.state())).isEqualTo(Z + 50 * SECOND);
        }

        @Test
        @DisplayName("SE-7: drift puts the bound off, to the nanosecond")
        void driftPutsTheBoundOff() throws InterruptedException {
            TestEngine c = engines.withDriftPpm(1000).start("c");
            a.acquires("l1");

            assertThat(c.latestNanos("l1")).isEqualTo(Z + 30_060_060_061L);
        }

        private void theSessionOfAIsOverForB() throws InterruptedException {
            aHoldsThree();
            b.engine().housekeeping();
            b.engine().refresh(NAMES);
            b.clock().advance(SESSION.plusNanos(1));
            b.hooks().forgetCommands();
        }

        @Test
        @DisplayName("SE-9: one write evicts, and frees all leases without touching one")
        void oneWriteEvicts() throws InterruptedException {
            theSessionOfAIsOverForB();
            List<BsonDocument> before = documents();
            String evicted = a.writer();
            long ticks = engines.ticks();

            assertThat(b.engine().housekeeping().writersPruned()).isEqualTo(1);

            assertThat(b.hooks().commands("update")).hasSize(1);
            assertThat(engines.writers()).doesNotContain(evicted);
            assertThat(engines.ticks()).isEqualTo(ticks + 1);
            assertThat(documents()).isEqualTo(before);
            assertThat(b.engine().refresh(NAMES)).extracting(LeaseState::status).containsOnly(LeaseStatus.FREE);
        }

        @Test
        @DisplayName(
                "SE-9: evicting and taking one of the leases is one transaction; the others stay as they were, and are"
                        + " free")
        void evictingAndTakingIsOneTransaction() throws InterruptedException {
            theSessionOfAIsOverForB();
            List<BsonDocument> before = documents();
            String evicted = a.writer();

            Lease taken = b.acquires("l1");

            assertThat(taken.token()).isEqualTo(2);
            assertThat(b.hooks().transactions()).hasSize(1);
            assertThat(engines.writers()).doesNotContain(evicted);
            assertThat(documents().subList(1, 3)).isEqualTo(before.subList(1, 3));
            assertThat(b.engine().refresh(List.of("l2", "l3")))
                    .extracting(LeaseState::status)
                    .containsOnly(LeaseStatus.FREE);
        }

        @Test
        @DisplayName("SE-10: a heartbeat between the decision and the eviction keeps the session")
        void aHeartbeatInBetweenKeepsTheSession() throws InterruptedException {
            theSessionOfAIsOverForB();
            b.hooks().once(Point.BEFORE_UPDATE, () -> {
                a.clock().advance(PERIOD);
                a.heartbeats();
            });

            Refusal refusal = b.isRefused("l1", Refusal.Reason.HELD);

            assertThat(TestEngine.latestNanos(refusal.state())).isEqualTo(Z + 60 * SECOND + 1);
            assertThat(b.hooks().commands("commitTransaction")).isEmpty();
            assertThat(leases).allMatch(Lease::isHeld);
        }

        @Test
        @DisplayName("SE-10: the same for an eviction by housekeeping")
        void aHeartbeatInBetweenKeepsTheSessionFromHousekeeping() throws InterruptedException {
            theSessionOfAIsOverForB();
            b.hooks().once(Point.BEFORE_CLOCK_WRITE, () -> {
                a.clock().advance(PERIOD);
                a.heartbeats();
            });

            assertThat(b.engine().housekeeping().writersPruned()).isZero();

            assertThat(b.sees("l1").status()).isEqualTo(LeaseStatus.ACTIVE);
            assertThat(leases).allMatch(Lease::isHeld);
        }

        @Test
        @DisplayName("SE-11: a heartbeat after the eviction brings nothing back, and tells the holders that they were"
                + " evicted")
        void aHeartbeatAfterTheEvictionBringsNothingBack() throws InterruptedException {
            theSessionOfAIsOverForB();
            String evicted = a.writer();
            b.engine().housekeeping();

            a.clock().advance(PERIOD);

            assertLost(Reason.EVICTED);
            assertThat(engines.writers()).doesNotContain(evicted);
            assertThat(a.acquires(LeaseRequest.of("l1").holder("h")).token()).isEqualTo(2);
            assertThat(a.writer()).isNotEqualTo(evicted);
            assertThat(leases).noneMatch(Lease::isHeld);
        }

        @Test
        @DisplayName("SE-12: after an eviction a lease is claimed with the next token, and the others are left alone")
        void afterAnEvictionALeaseIsClaimed() throws InterruptedException {
            theSessionOfAIsOverForB();
            b.engine().housekeeping();
            List<BsonDocument> before = documents();

            Lease taken = b.acquires(LeaseRequest.of("l1").holder("h2"));

            assertThat(taken.token()).isEqualTo(2);
            assertThat(engines.shortForm("l1")).isEqualTo("h2/2");
            assertThat(documents().subList(1, 3)).isEqualTo(before.subList(1, 3));
        }

        @Test
        @DisplayName("SE-13: the assertion of an evicted tenure fails once the lease was claimed again")
        void theAssertionOfAnEvictedTenureFails() throws InterruptedException {
            theSessionOfAIsOverForB();
            b.acquires(LeaseRequest.of("l1").holder("h2"));

            assertThatThrownBy(() -> a.commitsUnder(leases.get(0).assertion()))
                    .isInstanceOf(LeaseNotHeldException.class);

            a.commitsUnder(leases.get(1).assertion());
            assertThat(engines.reports().countDocuments())
                    .as("of the lease that was not claimed")
                    .isEqualTo(1);
        }

        @Test
        @DisplayName("SE-14: closing an engine frees all its leases by one write, and closing it again does nothing")
        void closingFreesAllByOneWrite() throws InterruptedException {
            aHoldsThree();
            List<BsonDocument> before = documents();
            String left = a.writer();

            a.close();

            assertThat(a.hooks().commands("update")).hasSize(1);
            assertThat(engines.writers()).doesNotContain(left);
            assertThat(documents()).isEqualTo(before);
            assertLost(Reason.CLOSED);
            assertThat(b.acquires("l1").token()).isEqualTo(2);
            a.hooks().forgetCommands();
            a.close();
            assertThat(a.hooks().commands()).isEmpty();
        }

        @Test
        @DisplayName(
                "SE-17: an entry without a session goes after an hour, and its leases are judged by their own stamp"
                        + " alone")
        void anEntryWithoutASessionGoesAfterAnHour() throws InterruptedException {
            a.claims("t1", "h", ofHours(3));
            String pruned = a.writer();
            assertThat(b.engine().housekeeping().writersPruned()).isZero();
            b.clock().advance(ofHours(1));
            assertThat(b.engine().housekeeping().writersPruned()).isZero();

            b.clock().advance(1);
            assertThat(b.engine().housekeeping().writersPruned()).isEqualTo(1);

            assertThat(engines.writers()).doesNotContain(pruned);
            long writtenNanos = Engines.written(engines.leaseDocument("t1"));
            TestEngine c = engines.start("c");
            assertThat(c.latestNanos("t1")).isEqualTo(Z + Engines.expiry(engines.leaseDocument("t1")) - writtenNanos);
        }

        @Test
        @DisplayName("SE-18: an entry with a session goes by eviction alone, counted from the first read of its stamp")
        void anEntryWithASessionGoesByEvictionAlone() throws InterruptedException {
            a.acquires("l1");
            b.clock().advance(ofHours(5));
            assertThat(b.engine().housekeeping().writersPruned()).isZero();
            b.clock().advance(SESSION);
            assertThat(b.engine().housekeeping().writersPruned()).isZero();
            assertThat(b.sees("l1").status()).isEqualTo(LeaseStatus.ACTIVE);

            b.clock().advance(1);
            assertThat(b.engine().housekeeping().writersPruned()).isEqualTo(1);

            assertThat(b.sees("l1").status()).isEqualTo(LeaseStatus.FREE);
        }

        @Test
        @DisplayName("A writer that was evicted while a commit of it was on its way holds nothing by that commit")
        void aClaimThatCrossesAnEvictionHoldsNothing() throws InterruptedException {
            theSessionOfAIsOverForB();
            a.hooks().once(Point.BEFORE_UPDATE, () -> b.engine().housekeeping());

            Lease late = a.acquires("l4");

            assertThat(late.isHeld()).isTrue();
            assertThat(Engines.writer(engines.leaseDocument("l4"))).isEqualTo(a.writer());
            assertLost(Reason.EVICTED);
        }

        @Test
        @DisplayName("A vacant lease that is claimed by a writer without knowing of its eviction is free")
        void aVacantLeaseClaimedByAnEvictedWriterIsFree() throws InterruptedException {
            a.acquires("l4").close();
            theSessionOfAIsOverForB();
            a.hooks().once(Point.BEFORE_LEASE_WRITE, () -> b.engine().housekeeping());

            Lease late = a.acquires("l4");

            assertThat(b.sees("l4").status()).isEqualTo(LeaseStatus.FREE);
            assertThat(b.acquires("l4").token()).isEqualTo(late.token() + 1);
            assertThatThrownBy(() -> a.commitsUnder(late.assertion())).isInstanceOf(LeaseNotHeldException.class);
            a.clock().advance(PERIOD);
            await().until(() -> !late.isHeld());
        }

        @Test
        @DisplayName("Two that find the same session over: one evicts and takes, the other is refused")
        void oneOfTwoEvicts() throws InterruptedException {
            TestEngine c = engines.start("c");
            aHoldsThree();
            b.sees("l1");
            c.sees("l1");
            b.clock().advance(SESSION.plusNanos(1));
            c.clock().advance(SESSION.plusNanos(1));
            b.hooks()
                    .once(
                            Point.BEFORE_UPDATE,
                            () -> c.acquires(LeaseRequest.of("l1").holder("h3")));

            Refusal refusal = notAcquired(b.engine().tryAcquire(LeaseRequest.of("l1")), Refusal.Reason.HELD);

            assertThat(((LeaseState.Held) refusal.state()).tenure().holder()).isEqualTo("h3");
            assertThat(engines.shortForm("l1")).isEqualTo("h3/2");
        }

        @Test
        @DisplayName(
                "A session lease is written by its own writer alone: no other engine extends, expires or releases it")
        void aSessionLeaseIsWrittenByItsWriterAlone() throws InterruptedException {
            aHoldsThree();
            BsonDocument before = engines.leaseDocument("l1");

            TestEngine.refused(
                    b.engine().tenures().extend(leases.get(0).tenure(), ofSeconds(60)), Refusal.Reason.SESSION_LEASE);
            TestEngine.refused(b.engine().tenures().release(leases.get(0).tenure()), Refusal.Reason.SESSION_LEASE);
            TestEngine.refused(b.engine().admin().release(leases.get(0).tenure()), Refusal.Reason.SESSION_LEASE);
            TestEngine.refused(b.engine().tenures().expire("l1"), Refusal.Reason.NOT_EXPIRED);
            TestEngine.refused(b.engine().tenures().takeOver("l1", "h2", ofSeconds(60)), Refusal.Reason.NOT_EXPIRED);
            TestEngine.refused(b.engine().tenures().claim("l1", "h2", ofSeconds(60)), Refusal.Reason.HELD);

            assertThat(engines.leaseDocument("l1")).isEqualTo(before);
            assertThat(leases.get(0).remaining()).isEqualTo(SESSION);
        }
    }
}
