package dev.leasehold.engine.internal.commit;

import static dev.leasehold.engine.internal.commit.SteppedPartition.BUDGET;
import static dev.leasehold.engine.internal.commit.SteppedPartition.SECOND;
import static dev.leasehold.engine.internal.commit.SteppedPartition.failure;
import static dev.leasehold.engine.internal.commit.SteppedPartition.granted;
import static dev.leasehold.engine.internal.commit.SteppedPartition.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Granted;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.TestClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A commit whose answer was lost: nothing may be concluded until it is known. */
class UnknownCommitTest {

    private static final long HOUR = 3_600 * SECOND;
    private static final Tenure TENURE = new Tenure(SteppedPartition.NAMESPACE, "one", "h", 1);

    private final SteppedPartition a = new SteppedPartition();

    @AutoClose
    private final LogCapture log = new LogCapture();

    @Test
    @DisplayName("UO-1: the commit landed and is repeated: a yes, one effect, counted from its own instant")
    void landedCommitIsAYes() {
        a.store.onCommit(a.store::landUnheard);
        a.store.onCommitAgain(() -> WriteOutcome.APPLIED);
        PendingOperation claim = a.submitClaim("one");

        a.runtime.runFor(SECOND);

        assertThat(granted(claim)).isEqualTo(TENURE);
        assertThat(a.store.commits()).hasSize(1);
        assertThat(a.store.commitsAgain()).isEqualTo(1);
        assertThat(a.partition.validities().remainingNanos(TENURE)).isEqualTo(59 * SECOND);
    }

    @Test
    @DisplayName("What was sent before time of day was set forward does not bound what is granted after that")
    void stampsOfEarlierRoundsBoundNoLaterValidity() {
        a.claims("one", "h");
        a.clock.stepWall(3600 * SECOND);

        Tenure later = a.claims("two", "h");

        assertThat(a.partition.validities().remainingNanos(later)).isEqualTo(60 * SECOND);
    }

    @Test
    @DisplayName(
            "A term that lands while a change reports that the clock document is lost is never valid, though no read finds it")
    void landedWhileTheClockDocumentIsReportedLost() {
        a.claims("registered", "h");
        a.store.onCommit((transaction, mayCommit) -> {
            WriteOutcome outcome = a.store.apply(transaction, mayCommit);
            a.partition.clockReportedLost();
            return outcome;
        });
        PendingOperation claim = a.submitClaim("one");

        a.runtime.runFor(SECOND);

        assertThat(granted(claim)).isEqualTo(TENURE);
        assertThat(a.partition.validities().isValid(TENURE)).isFalse();
        assertThat(a.partition.validities().cutShortBy(TENURE)).isEqualTo(LeaseLoss.Reason.CLOCK_DOCUMENT_LOST);
        assertThat(a.partition.validities().isValid(a.claims("two", "h"))).isTrue();
    }

    @Test
    @DisplayName(
            "Where the database has too much to do, an unknown outcome is looked into as often as a heartbeat is tried again")
    void overloadDelaysResolutionNoLongerThanAHeartbeat() {
        a.claims("registered", "h");
        a.store.onCommit(a.store::landUnheard);
        List<Long> tries = new ArrayList<>();
        a.store.onCommitAgain(() -> {
            tries.add(a.nowNanos());
            return overload();
        });
        for (int i = 0; i < 20; i++) {
            a.store.onClockWrite(() -> {
                tries.add(a.nowNanos());
                return overload();
            });
        }

        a.submitClaim("one");
        a.runtime.runFor(30 * SECOND);

        assertThat(tries).hasSizeGreaterThan(10);
        for (int i = 1; i < tries.size(); i++) {
            assertThat(tries.get(i) - tries.get(i - 1)).isLessThanOrEqualTo(SteppedPartition.SESSION / 3 / 4);
        }
    }

    private static WriteOutcome overload() {
        return WriteOutcome.unknown(new LeaseUnavailableException("shed", null, true));
    }

    @Test
    @DisplayName("UO-2: the commit never arrived: tried again with a new stamp, one effect")
    void lostCommitIsTriedAgain() {
        a.store.onCommit(ScriptedStore::sentInVain);
        a.store.onCommitAgain(ScriptedStore::conflict);
        PendingOperation claim = a.submitClaim("one");

        a.runtime.runFor(SECOND);

        assertThat(granted(claim)).isEqualTo(TENURE);
        assertThat(a.store.document("one").token()).isEqualTo(1);
        assertThat(a.store.commits())
                .extracting(commit -> commit.clock().stampNanos())
                .doesNotHaveDuplicates()
                .hasSize(2);
    }

    @Test
    @DisplayName("UO-5: unknown to the end: its own exception, no validity, and the next call reads how it stands")
    void unresolvedCommitIsUnknown() {
        a.claims("registered", "h");
        a.store.onCommit(a.store::landUnheard);
        a.store.onCommitAgain(ScriptedStore::unknown);
        a.store.onClockWrite(stillUnknown());
        PendingOperation claim = a.submitClaim("one");

        a.runtime.runFor(BUDGET);
        assertThat(claim.answer()).isNotDone();
        a.runtime.runFor(SECOND);

        assertThat(failure(claim))
                .isInstanceOf(LeaseOutcomeUnknownException.class)
                .hasMessageContaining("claim of lease 'one' for 'h'")
                .hasMessageContaining(SteppedPartition.NAMESPACE);
        assertThat(a.partition.validities().isValid(TENURE)).isFalse();
        a.store.forgetClockWriteScripts();
        PendingOperation again = a.submitClaim("one");
        a.runtime.runFor(SECOND);
        assertThat(refused(again).reason()).isEqualTo(Reason.HELD);
    }

    @Test
    void nothingElseStartsWhileAnOutcomeIsOpen() {
        a.store.onCommit(a.store::landUnheard);
        a.store.onCommitAgain(ScriptedStore::unknown, ScriptedStore::unknown, () -> WriteOutcome.APPLIED);
        a.submitClaimAndRun("one");

        PendingOperation other = a.submitClaimAndRun("two");
        assertThat(a.store.commits()).hasSize(1);
        assertThat(other.answer()).isNotDone();
        a.runtime.runFor(SECOND);

        granted(other);
        assertThat(a.store.commits()).hasSize(2);
    }

    @Test
    @DisplayName(
            "SE-17: no writer is removed while an outcome is open, since any write would take away the means to find it out")
    void noWriterIsRemovedWhileAnOutcomeIsOpen() {
        a.store.onCommit(a.store::landUnheard);
        a.store.onCommitAgain(ScriptedStore::unknown, ScriptedStore::unknown, () -> WriteOutcome.APPLIED);
        a.submitClaimAndRun("one");
        a.store.put(new WriterEntry.Sound("b#1", 17, null, null, null));

        CompletableFuture<WriteOutcome.Verdict> pruned =
                a.partition.prune(List.of(new WriterEntry.Sound("b#1", 17, null, null, null)), a.nowNanos() + BUDGET);
        a.runtime.runDue();

        assertThat(pruned).isCompletedWithValue(WriteOutcome.Verdict.WITHHELD);
        assertThat(a.store.writerNames()).contains("b#1");
    }

    @Test
    void arrivalsWhileAnOutcomeIsOpenDoNotAskMoreOften() {
        a.claims("registered", "h");
        a.store.onCommit(a.store::landUnheard);
        a.store.onCommitAgain(ScriptedStore::unknown);
        a.store.onClockWrite(stillUnknown());
        a.submitClaimAndRun("one");
        for (int number = 0; number < 100; number++) {
            a.submitClaim("lease" + number);
        }

        a.runtime.runFor(SECOND);

        assertThat(a.store.clockWrites()).as("one chain of doubling waits").hasSizeBetween(3, 15);
    }

    @Test
    @DisplayName(
            "UO-7: an extend of unknown outcome leaves the old validity to its own end, also when it is found to have landed")
    void resolvedExtendLeavesTheOldValidity() {
        Tenure tenure = a.claims("one", "h");
        a.store.onCommit(a.store::landUnheard);
        a.store.onCommitAgain(ScriptedStore::unknown);
        a.store.onClockWrite(stillUnknown());
        PendingOperation extend = a.submit(new Request.Extend(tenure, 600 * SECOND));
        a.runtime.runFor(BUDGET + SECOND);
        CompletableFuture<LeaseResult> resolution =
                ((LeaseOutcomeUnknownException) failure(extend)).resolution().toCompletableFuture();
        assertThat(a.partition.validities().remainingNanos(tenure)).isEqualTo(60 * SECOND - BUDGET - SECOND);

        a.store.forgetClockWriteScripts();
        a.runtime.runFor(SECOND);

        assertThat(resolution).isCompletedWithValue(new Granted(tenure));
        assertThat(a.partition.validities().remainingNanos(tenure)).isEqualTo(60 * SECOND - BUDGET - 2 * SECOND);
        a.runtime.runFor(60 * SECOND);
        assertThat(a.partition.validities().isValid(tenure)).isFalse();
    }

    @Test
    @DisplayName("UO-5: an attempt that came to nothing does not answer for a later one of unknown outcome")
    void anEarlierAttemptDoesNotResolveALaterOne() {
        a.claims("registered", "h");
        a.store.onCommit((transaction, mayCommit) -> ScriptedStore.conflict(), a.store::landUnheard);
        a.store.onCommitAgain(ScriptedStore::unknown);
        a.store.onClockWrite(stillUnknown());
        PendingOperation claim = a.submitClaim("one");
        a.runtime.runFor(BUDGET + SECOND);
        CompletableFuture<LeaseResult> resolution =
                ((LeaseOutcomeUnknownException) failure(claim)).resolution().toCompletableFuture();

        assertThat(resolution).isNotDone();
        a.store.forgetClockWriteScripts();
        a.runtime.runFor(SECOND);

        assertThat(resolution).isCompletedWithValue(new Granted(TENURE));
    }

    @Test
    void whatNothingWaitsForIsFoundOutAllTheSameBeforeAnythingElse() {
        a.store.onCommit(a.store::landUnheard);
        a.store.onCommitAgain(ScriptedStore::unknown);
        PendingOperation claim = a.submitClaimAndRun("one");
        claim.detach();

        PendingOperation next = a.submitClaim("two");
        a.runtime.runFor(SECOND);

        assertThat(a.store.clockWrites()).last().isInstanceOf(ClockWrite.Barrier.class);
        granted(next);
    }

    @Test
    @DisplayName(
            "A single write that the server gave up is looked for behind a barrier: an earlier copy of it may land yet")
    void copyOfWhatTheServerGaveUpIsFound() {
        a.submitAndRun(new Request.Acquire("first", "h", null, null));
        a.store.commits().clear();
        a.store.put(SteppedPartition.byOther("one", null, 1, 17));
        List<LeaseWrite.Alone> copy = new ArrayList<>();
        a.store.onLeaseWrites(writes -> {
            copy.addAll(writes);
            return ScriptedStore.conflict();
        });
        a.store.onClockWrite(() -> {
            a.store.applyAlone(copy);
            return a.store.applyClock(new ClockWrite.Barrier(a.partition.writer()));
        });
        PendingOperation acquire = a.submitAndRun(new Request.Acquire("one", "h", null, null));

        assertThat(copy).isNotEmpty();
        assertThat(granted(acquire).token()).isEqualTo(2);
        assertThat(a.store.commits()).as("nothing was tried again").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("UO-3, UO-4: the writer's entry behind the barrier tells whether it had landed: yes, or tried again")
    void whetherItLandedIsToldByTheEntry(boolean landed) {
        a.store.onCommit(landed ? a.store::landUnheard : ScriptedStore::sentInVain);
        a.store.onCommitAgain(ScriptedStore::unknown);
        PendingOperation claim = a.submitClaim("one");

        a.runtime.runFor(SECOND);

        assertThat(granted(claim)).isEqualTo(TENURE);
        assertThat(a.store.commits()).hasSize(landed ? 1 : 2);
    }

    @Test
    void noCommitIsSentOnceTheBarrierHasBegun() {
        a.claims("registered", "h");
        a.store.onCommit(ScriptedStore::sentInVain);
        a.store.onCommitAgain(ScriptedStore::unknown);
        a.store.onClockWrite(ScriptedStore::unknown, ScriptedStore::unavailable, ScriptedStore::unknown);
        PendingOperation claim = a.submitClaim("one");

        a.runtime.runFor(SECOND);

        granted(claim);
        assertThat(a.store.commitsAgain()).isEqualTo(1);
    }

    /** The commit stays unknown until the entry of its writer is gone. */
    private PendingOperation claimAsItIsEvicted(ScriptedStore.CommitScript commit) {
        a.store.onCommit(commit);
        a.store.onCommitAgain(ScriptedStore::unknown);
        PendingOperation claim = a.submitClaimAndRun("one");
        a.store.removeWriter("a#1");
        a.runtime.runFor(SECOND);
        return claim;
    }

    @Test
    void entryGoneAndLeaseNotWrittenIsNeverKnown() {
        PendingOperation claim = claimAsItIsEvicted(ScriptedStore::sentInVain);

        assertThat(failure(claim)).isInstanceOf(LeaseOutcomeUnknownException.class);
    }

    @Test
    @DisplayName(
            "Where another engine's write stands, even one of the same holder and token, nothing is left to be released")
    void whatIsNeverKnownAndWrittenByAnotherEngineIntendsNoTenure() {
        PendingOperation claim = claimAsItIsEvicted((transaction, mayCommit) -> {
            a.store.put(SteppedPartition.byOther("one", "h", 1, 17));
            return ScriptedStore.sentInVain(transaction, mayCommit);
        });

        assertThat(failure(claim)).isInstanceOf(LeaseOutcomeUnknownException.class);
        assertThat(claim.intendedTenure()).isNull();
    }

    @Test
    @DisplayName(
            "UO-4: it had not landed, and without the entry the lease, which is what it was before, tells: tried again")
    void entryGoneAndLeaseUntouchedIsANo() {
        a.store.put(SteppedPartition.byOther("one", null, 4, 17));
        PendingOperation claim = claimAsItIsEvicted(ScriptedStore::sentInVain);

        assertThat(granted(claim).token()).isEqualTo(5);
        assertThat(a.store.commits()).hasSize(2);
    }

    @Test
    void entryGoneButLeaseWrittenIsAYes() {
        PendingOperation claim = claimAsItIsEvicted(a.store::landUnheard);

        assertThat(granted(claim)).isEqualTo(TENURE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "That there is no such transaction is no answer from a server that may have forgotten it: a suspend inside the commit")
    void whatMayBeForgottenIsSearched(boolean landed) {
        a.store.onCommit((transaction, mayCommit) -> {
            if (landed) {
                a.store.landUnheard(transaction, mayCommit);
            } else {
                ScriptedStore.sentInVain(transaction, mayCommit);
            }
            a.clock.stepWall(HOUR);
            return ScriptedStore.unavailable();
        });
        PendingOperation claim = a.submitClaim("one");

        a.runtime.runFor(SECOND);

        assertThat(granted(claim)).isEqualTo(TENURE);
        assertThat(a.store.commits()).as("tried again if it has not landed").hasSize(landed ? 1 : 2);
    }

    @Test
    @DisplayName("Nor is it from one to which the commit is sent again: a suspend before it answers")
    void whatMayBeForgottenByTheRepeatedCommitIsSearched() {
        a.store.onCommit(a.store::landUnheard);
        a.store.onCommitAgain(() -> {
            a.clock.stepWall(HOUR);
            return ScriptedStore.unavailable();
        });
        PendingOperation claim = a.submitClaim("one");

        a.runtime.runFor(SECOND);

        assertThat(granted(claim)).isEqualTo(TENURE);
    }

    @Test
    @DisplayName("After so long the commit is not sent again at all")
    void whatMayBeForgottenIsNotSentAgain() {
        a.store.onCommit(a.store::landUnheard);
        PendingOperation claim = a.submitClaimAndRun("one");
        a.clock.advance(HOUR);

        a.runtime.runFor(SECOND);

        assertThat(a.store.commitsAgain()).isZero();
        assertThat(granted(claim)).isEqualTo(TENURE);
    }

    @Test
    void overtakenStampIsTakenNoteOf() {
        a.store.onCommit(a.store::landUnheard);
        a.store.onCommitAgain(stillUnknown());
        a.submitClaim("one");
        a.runtime.runFor(BUDGET + SECOND);

        a.claims("two", "h");

        assertThat(a.store.writerNames()).as("still the same writer").containsExactly("a#1");
        assertThat(a.store.commits())
                .last()
                .extracting(commit -> commit.clock().acknowledgedNanos())
                .isEqualTo(TestClock.Z);
    }

    @Test
    void unexpectedFailureWhileRepeatingLeavesTheOutcomeUnknown() {
        a.store.onCommit(a.store::landUnheard);
        a.store.onCommitAgain(() -> {
            throw new IllegalStateException("a bug");
        });
        PendingOperation claim = a.submitClaim("one");

        a.runtime.runFor(SECOND);

        assertThat(failure(claim)).isInstanceOf(LeaseOutcomeUnknownException.class);
        assertThat(a.partition.validities().isValid(TENURE)).isFalse();
        granted(a.submitClaimAndRun("two"));
    }

    @Test
    @DisplayName("An error that ends the engine just before the commit is sent again leaves no resolution open")
    void failStopWhileRepeatingEndsTheResolution() {
        a.claims("registered", "h");
        a.store.onCommit(a.store::landUnheard);
        a.store.onCommitAgain(() -> {
            throw new LeaseEngineClosedException("an error has ended the engine", null);
        });
        PendingOperation claim = a.submitClaimAndRun("one");
        claim.timeOut();

        a.runtime.runFor(SECOND);

        assertThat(failure(claim))
                .isInstanceOfSatisfying(
                        LeaseOutcomeUnknownException.class,
                        unknown -> assertThat(unknown.resolution()).isCompletedExceptionally());
    }

    @Test
    void closingLeavesTheOutcomeUnknownAndRefusesWhatWaitsBehind() {
        a.store.onCommit(a.store::landUnheard);
        PendingOperation one = a.submitClaim("one");
        PendingOperation two = a.submitClaim("two");
        a.runtime.runDue();
        PendingOperation behind = a.submitClaimAndRun("three");

        a.partition.closeAfter(CompletableFuture.completedFuture(null), 0, false);
        a.runtime.runFor(SECOND);

        assertThat(failure(one)).isInstanceOf(LeaseOutcomeUnknownException.class);
        assertThat(failure(two)).isInstanceOf(LeaseOutcomeUnknownException.class);
        assertThat(failure(behind)).isInstanceOf(LeaseEngineClosedException.class);
        assertThat(a.store.closes()).isEqualTo(1);
    }

    @SuppressWarnings("unchecked")
    private static Supplier<WriteOutcome>[] stillUnknown() {
        return Stream.generate(() -> (Supplier<WriteOutcome>) ScriptedStore::unknown)
                .limit(1000)
                .toArray(Supplier[]::new);
    }
}
