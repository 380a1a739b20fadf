package dev.leasehold.engine.internal.session;

import static dev.leasehold.engine.internal.commit.SteppedPartition.SECOND;
import static dev.leasehold.engine.internal.commit.SteppedPartition.SESSION;
import static dev.leasehold.engine.internal.commit.SteppedPartition.byOther;
import static dev.leasehold.engine.internal.commit.SteppedPartition.granted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.commit.SteppedPartition;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.TestClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The session of one engine: how it begins, what acknowledges it, and how it ends. */
class SessionTest {

    private static final long PERIOD = SESSION / 3;

    private final SteppedPartition a = new SteppedPartition();
    private final List<String> losses = new ArrayList<>();

    @BeforeEach
    void listen() {
        a.partition.validities().listener((tenure, reason) -> losses.add(tenure.name() + " " + reason));
    }

    @Test
    @DisplayName("SE-1: the first session lease begins the session in the write that registers the writer")
    void sessionBeginsWithTheFirstLeaseThatNeedsIt() {
        acquires("l1");

        assertThat(a.store.clockWrites())
                .containsExactly(new ClockWrite.Register("a#1", TestClock.Z, a.store.driverSession(), SESSION));
        assertThat(a.store.document("l1").expiryNanos()).isNull();
    }

    @Test
    void registeredWriterJoins() {
        a.claims("term", "h");
        a.clock.advance(SECOND);

        acquires("l1");

        assertThat(a.store.clockWrites())
                .endsWith(new ClockWrite.Join("a#1", TestClock.Z, TestClock.Z + SECOND, SESSION));
        assertThat(entry().sessionNanos()).isEqualTo(SESSION);
    }

    @Test
    void taskThatFoundTheThreadIdleWaitsForNoHeartbeatThatIsDue() {
        acquires("l1");
        List<String> order = new ArrayList<>();
        a.store.onClockWrite(() -> {
            order.add("heartbeat");
            return ScriptedStore.unavailable();
        });
        a.clock.advance(SESSION / 3);

        assertThat(a.partition.executeUnlessSending(() -> order.add("task"))).isTrue();
        assertThat(a.partition.executeUnlessSending(() -> order.add("another")))
                .as("one at a time")
                .isFalse();
        a.runtime.runDue();

        assertThat(order).containsExactly("task", "heartbeat");
    }

    @Test
    void taskIsAcceptedWhileAnOperationIsAnsweredButNotWhileACommandIsUnanswered() {
        List<Boolean> accepted = new ArrayList<>();
        a.store.onRead(() -> accepted.add(a.partition.executeUnlessSending(() -> {})));

        PendingOperation operation = a.submit(new Request.Acquire("l1", "h", null, null));
        operation.answer().thenRun(() -> accepted.add(a.partition.executeUnlessSending(() -> accepted.add(true))));
        a.runtime.runDue();

        assertThat(accepted).containsExactly(false, true, true);
    }

    @Test
    void refusedAcquisitionBeginsNoSession() {
        a.store.put(byOther("l1", "other", 1, TestClock.Z));

        PendingOperation operation = a.submitAndRun(new Request.Acquire("l1", "h", null, null));

        assertThat(SteppedPartition.refused(operation)).isNotNull();
        assertThat(a.store.clockWrites()).isEmpty();
    }

    @Test
    @DisplayName("SE-15: a hundred thousand leases cost one heartbeat a period, and all of them live by it")
    void manyLeasesCostOneHeartbeat() {
        List<Tenure> tenures = new ArrayList<>();
        for (int round = 0; round < 200; round++) {
            int from = 500 * round;
            List<PendingOperation> acquisitions = IntStream.range(from, from + 500)
                    .mapToObj(number -> a.submit(new Request.Acquire("l" + number, "h", null, null)))
                    .toList();
            a.runtime.runDue();
            acquisitions.forEach(acquisition -> tenures.add(granted(acquisition)));
        }
        int commits = a.store.commits().size();

        a.runtime.runFor(3 * PERIOD);

        assertThat(heartbeats()).hasSize(3);
        assertThat(a.store.commits()).hasSize(commits);
        assertThat(a.store.leaseWrites()).isEmpty();
        assertThat(tenures).allMatch(a.partition.validities()::isValid);
    }

    @Test
    @DisplayName("SE-4: a transaction acknowledges too, and the next heartbeat counts from there")
    void transactionPutsTheHeartbeatOff() {
        acquires("l1");
        a.runtime.runFor(PERIOD - 1);
        a.claims("term", "h");

        a.runtime.runFor(PERIOD - 1);
        assertThat(heartbeats()).isEmpty();

        a.runtime.runFor(1);
        assertThat(heartbeats()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "UO-3, UO-4: a heartbeat while an outcome is open moves the time of the entry, and not what tells of the transaction")
    void heartbeatWhileAnOutcomeIsOpenLeavesItsTrace(boolean landed) {
        acquires("l1");
        a.runtime.runFor(PERIOD - SECOND);
        a.store.onCommit(landed ? a.store::landUnheard : ScriptedStore::sentInVain);
        a.store.onCommitAgain(ScriptedStore::unknown);
        int commits = a.store.commits().size();
        PendingOperation claim = a.submitClaimAndRun("term");

        a.clock.advance(SECOND);
        a.runtime.runFor(SECOND);

        assertThat(a.store.clockWrites())
                .extracting(Object::getClass)
                .containsSubsequence(ClockWrite.Heartbeat.class, ClockWrite.Barrier.class);
        assertThat(granted(claim).token()).isEqualTo(1);
        assertThat(a.store.commits()).hasSize(commits + (landed ? 1 : 2));
    }

    @Test
    @DisplayName("SE-5: the validity counts from before the heartbeat was sent, however late its answer")
    void validityCountsFromTheReadingBeforeTheHeartbeat() {
        Tenure l1 = acquires("l1");
        a.store.onClockWrite(() -> {
            a.clock.advance(4 * SECOND);
            return apply();
        });

        a.runtime.runFor(PERIOD);

        a.clock.advance(TestClock.Z + PERIOD + SESSION - 1 - a.nowNanos());
        assertThat(a.partition.validities().isValid(l1)).isTrue();
        a.clock.advance(1);
        assertThat(a.partition.validities().isValid(l1)).isFalse();
    }

    @Test
    @DisplayName("SE-6: a heartbeat without an answer changes no validity; the next one with an answer does")
    void unansweredHeartbeatChangesNoValidity() {
        Tenure l1 = acquires("l1");
        a.store.onClockWrite(() -> {
            apply();
            return ScriptedStore.unknown();
        });

        a.clock.advance(PERIOD);
        a.runtime.runDue();

        assertThat(entry().timeNanos()).as("it landed").isEqualTo(TestClock.Z + PERIOD);
        assertThat(a.partition.validities().remainingNanos(l1)).isEqualTo(SESSION - PERIOD);
        assertThat(a.partition.heartbeatFailure()).isNotNull();

        a.runtime.runFor(PERIOD / 2);
        assertThat(a.partition.validities().remainingNanos(l1)).isGreaterThan(SESSION - PERIOD);
        assertThat(a.partition.heartbeatFailure()).isNull();
    }

    @Test
    @DisplayName("HA-15: a driver that looks for a server for longer than the session lasts is why it was lost")
    void heartbeatThatIsNotAnsweredByNowIsTrouble() {
        acquires("l1");
        List<Boolean> troubled = new ArrayList<>();
        a.store.onClockWrite(() -> {
            a.clock.advance(SESSION);
            troubled.add(a.partition.heartbeatFailure() != null);
            return apply();
        });

        a.runtime.runFor(PERIOD);

        assertThat(troubled).containsExactly(true);
    }

    @Test
    @DisplayName("HA-15: the same if it is another command for which it looks, behind which the heartbeat waits")
    void commandThatKeepsTheHeartbeatFromBeingSentIsTrouble() {
        acquires("l1");
        List<String> troubles = new ArrayList<>();
        a.store.onRead(() -> {
            a.clock.advance(SESSION);
            troubles.add(String.valueOf(a.partition.heartbeatFailure()));
        });

        a.submitAndRun(new Request.Acquire("l2", "h", null, null));

        assertThat(troubles).singleElement().asString().contains("has not answered for 30 s");
    }

    @Test
    void commandThatTakesNoLongerThanAHeartbeatMayWaitIsNoTrouble() {
        acquires("l1");
        List<Boolean> troubled = new ArrayList<>();
        a.store.onRead(() -> {
            a.clock.advance(PERIOD - 1);
            troubled.add(a.partition.heartbeatFailure() != null);
        });

        a.submitAndRun(new Request.Acquire("l2", "h", null, null));

        assertThat(troubled).containsExactly(false);
    }

    @Test
    void heartbeatOfAnEngineThatWasSuspendedIsNotWhyItWasLost() {
        acquires("l1");
        List<Boolean> troubled = new ArrayList<>();
        a.store.onClockWrite(() -> {
            troubled.add(a.partition.heartbeatFailure() != null);
            return apply();
        });

        a.clock.advance(SESSION);
        a.runtime.runDue();

        assertThat(troubled).containsExactly(false);
    }

    @Test
    @DisplayName("Never again 8, HA-14: a heartbeat that fails is tried again long before the session is over")
    void failedHeartbeatIsTriedAgain() {
        Tenure l1 = acquires("l1");
        a.store.onClockWrite(ScriptedStore::unavailable, ScriptedStore::conflict);

        a.runtime.runFor(PERIOD + SECOND);

        assertThat(heartbeats()).hasSize(3);
        assertThat(a.partition.validities().remainingNanos(l1)).isGreaterThan(SESSION - SECOND);
        assertThat(losses).isEmpty();
    }

    @Test
    @DisplayName("Never again 8, HA-16: a heartbeat that throws does not end the schedule")
    void throwingHeartbeatDoesNotEndTheSchedule() {
        acquires("l1");
        a.store.onClockWrite(() -> {
            throw new IllegalStateException("unexpected");
        });

        a.runtime.runFor(3 * PERIOD);

        assertThat(heartbeats()).hasSizeGreaterThan(2);
        assertThat(entry().timeNanos()).isGreaterThanOrEqualTo(TestClock.Z + 2 * PERIOD);
    }

    @Test
    @DisplayName("A session that is about to be lost is told in the log once, in time to look at the database")
    void sessionThatIsNotAcknowledgedForLongIsToldOnceBeforeItIsLost() {
        acquires("l1");
        try (LogCapture log = new LogCapture()) {
            heartbeatsFail(1000);
            a.runtime.runFor(SESSION / 2);
            assertThat(log.warnings()).as("it has time yet").isEmpty();

            a.runtime.runFor(SESSION / 3);
            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .startsWith("namespace 'billing', writer 'a#1': ")
                    .contains("has not been acknowledged for 20", "are lost after 30000 ms", "scripted outage");
            assertThat(losses).isEmpty();
        }
    }

    @Test
    void sessionThatWasAcknowledgedAfterAllIsToldAnewTheNextTime() {
        acquires("l1");
        try (LogCapture log = new LogCapture()) {
            heartbeatsFail(1000);
            a.runtime.runFor(SESSION * 5 / 6);
            a.store.forgetClockWriteScripts();
            a.runtime.runFor(PERIOD);
            heartbeatsFail(1000);
            a.runtime.runFor(SESSION);

            assertThat(log.warnings()).hasSize(2);
        }
    }

    private void heartbeatsFail(int times) {
        for (int i = 0; i < times; i++) {
            a.store.onClockWrite(ScriptedStore::unavailable);
        }
    }

    @Test
    @DisplayName(
            "CO-3: after a heartbeat that missed, no lease is written without the clock until a write of the clock is acknowledged")
    void missedHeartbeatStopsWritesOfLeasesAlone() {
        Tenure l1 = acquires("l1");
        a.store.put(byOther("l2", null, 4, 17));
        a.partition.reads().poll(Set.of("l2"), a.nowNanos() + SECOND);
        a.runtime.runDue();
        newerSchemaIsMet();
        a.runtime.runFor(PERIOD);

        newerSchemaIsMet();
        PendingOperation acquisition = a.submitAndRun(new Request.Acquire("l2", "h", null, null));
        newerSchemaIsMet();
        PendingOperation release = a.submitAndRun(new Request.Release(l1));

        assertThat(SteppedPartition.failure(acquisition)).isInstanceOf(CorruptDocumentException.class);
        assertThat(SteppedPartition.failure(release)).isInstanceOf(CorruptDocumentException.class);
        assertThat(a.store.leaseWrites()).isEmpty();
        assertThat(a.partition.health().storeFailure()).contains("schema");

        a.runtime.runFor(PERIOD);
        acquires("l2");
        assertThat(a.store.leaseWrites()).hasSize(1);
    }

    /** The next write of the clock, by itself or in a transaction, misses it, and the read after that says why. */
    private void newerSchemaIsMet() {
        a.store.forgetClockWriteScripts();
        a.store.onClockWrite(() -> WriteOutcome.MISSED);
        a.store.onCommit((transaction, mayCommit) -> WriteOutcome.MISSED);
        a.store.onRead(ScriptedStore.failing(new CorruptDocumentException(SteppedPartition.NAMESPACE, "schema", "2")));
    }

    @Test
    @DisplayName(
            "A lease that the session keeps is released with the clock once the session is not acknowledged any more")
    void sessionThatIsOverIsNoGroundToWriteALeaseAlone() {
        Tenure l1 = acquires("l1");
        heartbeatsFail(1000);
        a.runtime.runFor(SESSION);

        a.submitAndRun(new Request.Release(l1));

        assertThat(a.store.leaseWrites()).isEmpty();
        assertThat(a.store.document("l1").isVacant()).isTrue();
    }

    @Test
    @DisplayName("An eviction that is met late is not told as trouble of the session that comes next")
    void evictionIsNotToldOfTheNewWriter() {
        acquires("l1");
        try (LogCapture log = new LogCapture()) {
            heartbeatsFail(1000);
            a.runtime.runFor(SESSION * 3 / 5);
            a.store.forgetClockWriteScripts();
            a.store.removeWriter("a#1");
            a.clock.advance(SESSION / 6);
            a.runtime.runFor(SESSION / 6);

            assertThat(log.warnings())
                    .isNotEmpty()
                    .allSatisfy(warning -> assertThat(warning).contains("writer 'a#1'"))
                    .noneSatisfy(warning -> assertThat(warning).contains("is lost after"));
        }
    }

    @Test
    @DisplayName(
            "SE-11: after an eviction the entry is not made again; all session leases are lost, and a new writer goes on")
    void evictionLosesAllSessionLeases() {
        Tenure l1 = acquires("l1");
        Tenure l2 = acquires("l2");
        a.store.removeWriter("a#1");

        a.runtime.runFor(PERIOD);

        assertThat(losses).containsExactlyInAnyOrder("l1 EVICTED", "l2 EVICTED");
        assertThat(a.partition.validities().isValid(l1)).isFalse();
        assertThat(a.partition.validities().isValid(l2)).isFalse();
        assertThat(a.store.writerNames()).isEmpty();
        acquires("l3");
        assertThat(a.store.writerNames()).containsExactly("a#2");
    }

    @Test
    @DisplayName(
            "Time that has passed ends a validity before any engine is asked: what is learned later is not why it was lost")
    void whatTimeHasEndedIsNotLostByTheEviction() {
        Tenure l1 = acquires("l1");
        a.store.removeWriter("a#1");
        a.clock.advance(SESSION);

        a.runtime.runFor(PERIOD);
        Tenure l2 = acquires("l2");

        assertThat(losses).as("left to what watches the time").isEmpty();
        assertThat(a.partition.validities().isValid(l1)).isFalse();
        assertThat(a.partition.validities().isValid(l2)).isTrue();
        assertThat(a.store.writerNames()).containsExactly("a#2");
    }

    @Test
    @DisplayName("An engine that was suspended brings its session back to life before it claims")
    void claimAfterASuspendAcknowledgesFirst() {
        acquires("l1");
        a.store.put(byOther("l2", null, 1, 17));
        a.clock.stepWall(SESSION);

        Tenure l2 = acquires("l2");

        assertThat(heartbeats()).hasSize(1);
        assertThat(a.partition.validities().remainingNanos(l2)).isEqualTo(SESSION);
    }

    @Test
    void joinWithoutAnAnswerTakesAFreshWriter() {
        a.store.onClockWrite(ScriptedStore::unknown);

        acquires("l1", SECOND);

        assertThat(a.store.document("l1").writer()).isEqualTo("a#2");
        assertThat(a.store.writerNames()).containsExactly("a#2");
    }

    @Test
    @DisplayName("SE-14: closing takes the whole entry out in one write")
    void closingFreesAllAtOnce() {
        acquires("l1");
        acquires("l2");

        a.partition.closeAfter(CompletableFuture.completedFuture(null), 0, false);
        a.runtime.runDue();

        assertThat(a.store.clockWrites()).endsWith(new ClockWrite.Leave("a#1"));
        assertThat(a.store.writerNames()).isEmpty();
        assertThat(a.runtime.isQuiet()).isTrue();
    }

    @Test
    void heldBackReleaseGoesThroughATransaction() {
        Tenure l1 = acquires("l1");
        a.store.onLeaseWrites(writes -> ScriptedStore.conflict());

        PendingOperation release = a.submit(new Request.Release(l1));
        a.runtime.runFor(SECOND);

        assertThat(granted(release)).isEqualTo(l1);
        assertThat(a.store.leaseWrites()).hasSize(1);
        assertThat(a.store.commits()).hasSize(2);
    }

    @Test
    @DisplayName("Of single writes that share a command each has its own answer")
    void singleWritesAreToldApart() {
        acquires("first");
        a.store.put(byOther("l1", null, 1, 17));
        a.store.put(byOther("l2", null, 1, 17));
        a.store.onLeaseWrites(writes -> {
            a.store.put(byOther("l2", "thief", 2, 18));
            return a.store.applyAlone(writes);
        });

        PendingOperation l1 = a.submit(new Request.Acquire("l1", "h", null, null));
        PendingOperation l2 = a.submit(new Request.Acquire("l2", "h", null, null));
        a.runtime.runFor(SECOND);

        assertThat(granted(l1).token()).isEqualTo(2);
        assertThat(SteppedPartition.refused(l2).message()).contains("thief");
    }

    @Test
    @DisplayName("A single write without an answer is over behind a barrier, and the lease tells")
    void singleWriteOfUnknownOutcomeIsResolvedBehindABarrier() {
        acquires("first");
        a.store.put(byOther("landed", null, 1, 17));
        a.store.onLeaseWrites(a.store::landAloneUnheard);

        PendingOperation operation = a.submit(new Request.Acquire("landed", "h", null, null));
        a.runtime.runFor(SECOND);

        assertThat(granted(operation).token()).isEqualTo(2);
        assertThat(a.store.clockWrites()).hasAtLeastOneElementOfType(ClockWrite.Barrier.class);
    }

    @Test
    @DisplayName(
            "While the outcome of a single write is unknown no transaction is sent, not even that of the same round")
    void nothingIsSentTogetherWhileASingleWriteIsUnknown() {
        acquires("first");
        a.store.put(byOther("landed", null, 1, 17));
        int commits = a.store.commits().size();
        a.store.onLeaseWrites(a.store::landAloneUnheard);

        PendingOperation alone = a.submit(new Request.Acquire("landed", "h", null, null));
        PendingOperation together = a.submitClaim("term");
        a.runtime.runDue();
        assertThat(a.store.leaseWrites()).isNotEmpty();
        assertThat(a.store.commits()).hasSize(commits);

        a.runtime.runFor(SECOND);
        granted(alone);
        granted(together);
    }

    /** A single write without an answer, whose caller has gone by the time it is found out what became of it. */
    private PendingOperation forsakenAcquisition(Runnable meanwhile) {
        acquires("first");
        a.store.put(byOther("name", null, 1, 17));
        List<PendingOperation> forsaken = new ArrayList<>();
        a.store.onLeaseWrites(writes -> {
            a.store.applyAlone(writes);
            forsaken.get(0).timeOut();
            meanwhile.run();
            return ScriptedStore.unknown();
        });
        forsaken.add(a.submit(new Request.Acquire("name", "h", null, null)));
        a.runtime.runFor(SECOND);
        return forsaken.get(0);
    }

    private static CompletionStage<LeaseResult> resolution(PendingOperation operation) {
        return ((LeaseOutcomeUnknownException) SteppedPartition.failure(operation)).resolution();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "A single write without an answer that others have written over, or that damage hides, is never said not to have been carried out")
    void singleWriteThatOthersHaveHiddenIsNeverKnown(boolean damaged) {
        PendingOperation operation = forsakenAcquisition(() -> a.store.put(
                damaged
                        ? new StoredLease.Corrupt("name", "billing#name", "expiry", "a double")
                        : new StoredLease.Sound(byOther("name", "heir", 3, 18))));

        assertThatThrownBy(resolution(operation).toCompletableFuture()::join)
                .hasCauseInstanceOf(LeaseStoreException.class)
                .hasMessageContaining("it will never be known what became of it");
    }

    @Test
    void singleWriteThatLandedIsToldTheCallerThatWasSentAway() {
        PendingOperation operation = forsakenAcquisition(() -> {});

        assertThat(resolution(operation).toCompletableFuture().join().isGranted())
                .isTrue();
    }

    @Test
    void singleWriteThatDidNotLandIsToldTheCallerThatWasSentAway() {
        PendingOperation operation = forsakenAcquisition(() -> a.store.put(byOther("name", null, 1, 17)));

        assertThatThrownBy(resolution(operation).toCompletableFuture()::join)
                .hasCauseInstanceOf(LeaseUnavailableException.class);
    }

    @Test
    @DisplayName(
            "What was not held for an instant stays lost, also when so much was granted since that it is cleared away")
    void clearingAwayBringsNoValidityBack() {
        Tenure l1 = acquires("l1");
        a.clock.advance(SESSION);
        assertThat(a.partition.validities().isValid(l1)).isFalse();
        a.runtime.runFor(SECOND);
        for (int i = 0; i < 2 * 1024; i++) {
            a.submitClaim("other " + i);
        }
        a.runtime.runDue();

        Tenure again = acquires("l1", SECOND);

        assertThat(again.token()).isGreaterThan(l1.token());
        assertThat(a.partition.validities().isValid(l1)).isFalse();
        assertThat(a.partition.validities().isValid(again)).isTrue();
    }

    @Test
    @DisplayName(
            "Heartbeats are sent often as long as others may judge by them, and no longer because the thread was late")
    void heartbeatsAreHastenedUntilAnInstant() {
        acquires("l1");
        a.hastenFor(7 * SECOND);
        a.runtime.runFor(PERIOD);
        assertThat(heartbeats()).as("each tenth of the session").hasSize((int) (7 * SECOND * 10 / SESSION));

        int before = heartbeats().size();
        a.hastenFor(7 * SECOND);
        a.clock.advance(PERIOD);
        a.runtime.runFor(PERIOD);
        assertThat(heartbeats()).as("that were due").hasSize(before + 2);
    }

    @Test
    @DisplayName(
            "A commit that is found to have landed after a later heartbeat was answered makes no heartbeat due sooner")
    void commitFoundAfterALaterHeartbeat() {
        acquires("l1");
        a.runtime.runFor(PERIOD - SECOND);
        a.store.onCommit(a.store::landUnheard);
        a.store.onCommitAgain(ScriptedStore::unknown);
        PendingOperation claim = a.submitClaimAndRun("term");
        a.clock.advance(SECOND);
        a.runtime.runFor(SECOND);
        assertThat(granted(claim).token()).isEqualTo(1);
        assertThat(heartbeats()).hasSize(1);

        a.hastenFor(SESSION);
        a.runtime.runFor(SESSION / 10);

        assertThat(entry().timeNanos())
                .as("a tenth of the session later")
                .isEqualTo(TestClock.Z + PERIOD + SESSION / 10);
    }

    @Test
    @DisplayName("A new writer has no ticket by which others judge it, and sends heartbeats as rarely as any other")
    void heartbeatsOfANewWriterAreNotHastened() {
        acquires("l1");
        a.hastenFor(SESSION);
        a.store.removeWriter("a#1");
        a.runtime.runFor(SESSION / 10);
        acquires("l2");
        int before = heartbeats().size();

        a.runtime.runFor(PERIOD);

        assertThat(a.store.writerNames()).containsExactly("a#2");
        assertThat(heartbeats()).hasSize(before + 1);
    }

    private List<ClockWrite> heartbeats() {
        return a.store.clockWrites().stream()
                .filter(ClockWrite.Heartbeat.class::isInstance)
                .toList();
    }

    /** What the newest write of the clock document would have done. */
    private WriteOutcome apply() {
        return a.store.applyClock(
                a.store.clockWrites().get(a.store.clockWrites().size() - 1));
    }

    private WriterEntry.Sound entry() {
        return a.store.entry("a#1");
    }

    private Tenure acquires(String name) {
        return acquires(name, 0);
    }

    private Tenure acquires(String name, long withinNanos) {
        PendingOperation operation = a.submit(new Request.Acquire(name, "h", null, null));
        a.runtime.runFor(withinNanos);
        return granted(operation);
    }
}
