package dev.leasehold.engine.internal.commit;

import static dev.leasehold.engine.internal.commit.SteppedPartition.BUDGET;
import static dev.leasehold.engine.internal.commit.SteppedPartition.SECOND;
import static dev.leasehold.engine.internal.commit.SteppedPartition.byOther;
import static dev.leasehold.engine.internal.commit.SteppedPartition.bySessionOfOther;
import static dev.leasehold.engine.internal.commit.SteppedPartition.failure;
import static dev.leasehold.engine.internal.commit.SteppedPartition.granted;
import static dev.leasehold.engine.internal.commit.SteppedPartition.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.engine.internal.partition.PartitionRouter;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.TestClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A transaction that certainly did not happen: tried again, within the time budget. */
class CommitRetriesTest {

    private static final long MILLI = 1_000_000;

    private final SteppedPartition a = new SteppedPartition();

    @AutoClose
    private final LogCapture log = new LogCapture();

    @Test
    @DisplayName("TX-8: a conflict is retried with a new stamp each time, after a random wait from the first retry on")
    void conflictsAreRetried() {
        a.store.onCommit(conflicts(3));
        PendingOperation claim = a.submitClaim("one");

        a.runtime.runFor(SECOND);

        assertThat(granted(claim).token()).isEqualTo(1);
        List<Long> stamps = stamps();
        assertThat(stamps).hasSize(4).isSorted().doesNotHaveDuplicates();
        assertThat(a.store.document("one").writtenNanos()).isEqualTo(stamps.get(3));
        assertThat(a.store.document("one").expiryNanos())
                .as("counted from the last try")
                .isEqualTo(stamps.get(3) + 60 * SECOND);
        assertThat(a.runtime.windowsNanos()).containsExactly(3 * MILLI, 3 * MILLI, 6 * MILLI);
    }

    @Test
    @DisplayName("The pauses grow while the database has too much to do, in reads and transactions")
    void pausesGrowWhileTheDatabaseIsOverloaded() {
        LeaseUnavailableException overload = new LeaseUnavailableException("shed", null, true);
        a.store.onRead(ScriptedStore.failing(overload), ScriptedStore.failing(overload));
        a.store.onCommit(
                (transaction, mayCommit) -> WriteOutcome.unavailable(overload),
                (transaction, mayCommit) -> WriteOutcome.unavailable(overload));
        PendingOperation claim = a.submitClaim("one");

        a.runtime.runFor(BUDGET);

        assertThat(granted(claim).token()).isEqualTo(1);
        assertThat(a.runtime.windowsNanos()).containsExactly(100 * MILLI, 200 * MILLI, 400 * MILLI, 800 * MILLI);
    }

    @Test
    @DisplayName("TX-8: the total is bounded by the time budget, and said to be contention")
    void endlessConflictEndsWithTheBudget() {
        a.store.onCommit(conflicts(1000));
        PendingOperation claim = a.submitClaim("one");

        a.runtime.runFor(BUDGET);
        assertThat(claim.answer()).isNotDone();
        a.runtime.runFor(SECOND);

        assertThat(failure(claim)).isInstanceOf(LeaseContentionException.class).hasMessageContaining("time budget");
        assertThat(a.store.has("one")).isFalse();
        int sent = a.store.commits().size();
        a.runtime.runFor(BUDGET);
        assertThat(a.store.commits()).as("nothing more is tried").hasSize(sent);
    }

    @Test
    void endlessOutageEndsWithTheBudgetAsUnavailable() {
        a.store.onCommit(times(1000, (transaction, mayCommit) -> ScriptedStore.unavailable()));
        PendingOperation claim = a.submitClaim("one");

        a.runtime.runFor(BUDGET + SECOND);

        assertThat(failure(claim)).isInstanceOf(LeaseUnavailableException.class).hasMessageContaining("time budget");
    }

    @Test
    @DisplayName("RA-3: losing to others again and again ends with the budget as contention")
    void endlessMissesAreContention() {
        a.store.onCommit(times(1000, (transaction, mayCommit) -> WriteOutcome.MISSED));
        PendingOperation claim = a.submitClaim("one");

        a.runtime.runFor(BUDGET + SECOND);

        assertThat(failure(claim)).isInstanceOf(LeaseContentionException.class);
        assertThat(a.store.commits()).as("random waits from the second miss on").hasSizeLessThan(100);
        assertThat(a.store.reads()).as("read before each try").hasSameSizeAs(a.store.commits());
    }

    @Test
    @DisplayName(
            "A tenure that was over by an old read is read again before it is ended, so that no renewal shares a miss")
    void noTenureIsEndedByAnOldRead() {
        Tenure mine = a.claims("mine", "h");
        a.store.put(new WriterEntry.Sound("b#1", 1, null, SteppedPartition.SESSION, null));
        a.store.put(bySessionOfOther("theirs", "b", 1, 1));
        Request.Acquire acquire = new Request.Acquire("theirs", "h", 60 * SECOND, null);
        assertThat(refusal(acquire)).isEqualTo(Reason.HELD);
        // It lives, and only this engine's cache does not know.
        a.store.put(new WriterEntry.Sound("b#1", 2, null, SteppedPartition.SESSION, null));
        a.clock.advance(SteppedPartition.SESSION + SECOND);
        int before = a.store.commits().size();

        PendingOperation renewal = a.submit(new Request.Extend(mine, 60 * SECOND, true));
        assertThat(refusal(acquire)).isEqualTo(Reason.HELD);

        granted(renewal);
        assertThat(a.store.commits()).as("that of the renewal").hasSize(before + 1);
    }

    @Test
    @DisplayName(
            "A renewal that met a conflict goes before a read of what is waited for, which would take longer than its pause")
    void nothingIsReadBetweenTheTriesOfARenewal() {
        Tenure mine = a.claims("mine", "h");
        a.clock.advance(SECOND);
        a.store.onCommit(conflicts(1));
        PendingOperation renewal = a.submit(new Request.Extend(mine, 60 * SECOND, true));
        List<Boolean> renewed = new ArrayList<>();
        a.store.onRead(() -> renewed.add(renewal.answer().isDone()));
        PartitionRouter router = new PartitionRouter(SteppedPartition.NAMESPACE, List.of(a.partition));
        router.poll(Set.of("waited for"), a.nowNanos() + BUDGET);

        a.runtime.runDue();

        assertThat(renewed).containsExactly(true);
    }

    private Reason refusal(Request request) {
        PendingOperation operation = a.submitAndRun(request);
        return refused(operation).reason();
    }

    @Test
    @DisplayName("Never again 8: an extend that meets one transient error is tried again, and not given up")
    void oneTransientErrorDoesNotEndAnExtend() {
        Tenure tenure = a.claims("one", "h");
        a.clock.advance(20 * SECOND);
        a.store.onCommit((transaction, mayCommit) -> ScriptedStore.unavailable());
        PendingOperation extend = a.submit(new Request.Extend(tenure, 60 * SECOND));

        a.runtime.runFor(SECOND);

        assertThat(granted(extend)).isEqualTo(tenure);
        assertThat(a.partition.validities().remainingNanos(tenure))
                .as("counted from the second try")
                .isEqualTo(59 * SECOND + 3 * MILLI);
    }

    @Test
    @DisplayName("TX-9: a commit that was sent and certainly failed is retried, with one effect")
    void conflictInTheCommitIsRetried() {
        a.store.onCommit((transaction, mayCommit) -> {
            assertThat(mayCommit.getAsBoolean()).isTrue();
            return ScriptedStore.conflict();
        });
        PendingOperation claim = a.submitClaim("one");

        a.runtime.runFor(SECOND);

        assertThat(granted(claim).token()).isEqualTo(1);
        assertThat(a.store.commits()).hasSize(2);
    }

    @Test
    void unreachableReadIsRetriedAndThenUnavailable() {
        a.store.onRead(ScriptedStore.failing(new LeaseUnavailableException("no database", null)));
        PendingOperation claim = a.submitClaim("one");

        a.runtime.runFor(SECOND);

        granted(claim);
        assertThat(a.runtime.windowsNanos()).containsExactly(3 * MILLI);
    }

    @Test
    void failedReadThatTryingAgainDoesNotHelpEndsTheBatch() {
        LeaseStoreException refusal = new LeaseStoreException("no right to read", null);
        a.store.onRead(ScriptedStore.failing(refusal));
        PendingOperation one = a.submitClaim("one");
        PendingOperation two = a.submitClaim("two");

        a.runtime.runDue();

        assertThat(failure(one)).isSameAs(refusal);
        assertThat(failure(two)).isSameAs(refusal);
        granted(a.submitClaimAndRun("three"));
    }

    @Test
    void failedCommitEndsItsOperationsAndTheEngineLivesOn() {
        LeaseStoreException refusal = new LeaseStoreException("no right to write", null);
        a.store.onCommit((transaction, mayCommit) -> WriteOutcome.failed(refusal));
        PendingOperation one = a.submitClaimAndRun("one");

        assertThat(failure(one)).isSameAs(refusal);
        granted(a.submitClaimAndRun("one"));
    }

    @Test
    @DisplayName("Never again 8: an unexpected failure is answered and reported, and the engine goes on")
    void unexpectedFailureBeforeTheCommitIsCertainlyNotCarriedOut() {
        IllegalStateException bug = new IllegalStateException("a bug");
        a.store.onCommit((transaction, mayCommit) -> {
            throw bug;
        });
        PendingOperation one = a.submitClaimAndRun("one");

        assertThat(failure(one))
                .isInstanceOf(LeaseStoreException.class)
                .hasCause(bug)
                .hasMessageContaining("'one'");
        granted(a.submitClaimAndRun("one"));
    }

    @Test
    void unexpectedFailureOfTheCommitItselfLeavesTheOutcomeUnknown() {
        a.store.onCommit((transaction, mayCommit) -> {
            a.store.apply(transaction, mayCommit);
            throw new IllegalStateException("a bug");
        });
        PendingOperation one = a.submitClaimAndRun("one");

        assertThat(failure(one)).isInstanceOf(LeaseOutcomeUnknownException.class);
        assertThat(refused(a.submitClaimAndRun("one")).reason())
                .as("it had landed")
                .isEqualTo(Reason.HELD);
    }

    @ParameterizedTest
    @CsvSource({"2, 0", "2, 1", "3, 1", "16, 0", "16, 15", "512, 0", "512, 200", "512, 511"})
    @DisplayName("Section 4: a lease that a caller's transaction holds is found by halving, and delays only itself")
    void blockedLeaseIsFoundByHalving(int size, int blocked) {
        boolean[] open = {true};
        a.store.onCommit(times(
                1000,
                (transaction, mayCommit) -> open[0] && names(transaction).contains("lease" + blocked)
                        ? ScriptedStore.leaseConflict(transaction)
                        : a.store.apply(transaction, mayCommit)));
        List<PendingOperation> others = submitClaims(size);
        PendingOperation held = others.remove(blocked);
        int[] sent = new int[1];
        others.forEach(claim ->
                claim.answer().thenRun(() -> sent[0] = a.store.commits().size()));

        a.runtime.runFor(3 * MILLI);

        assertThat(others).allSatisfy(claim -> granted(claim));
        assertThat(a.runtime.windowsNanos())
                .as("the batch waits once, the blocked one for itself")
                .hasSize(2)
                .startsWith(3 * MILLI);
        assertThat(sent[0]).as("transactions until the others are answered").isLessThanOrEqualTo(2 * log2(size) + 2);
        a.runtime.runFor(6 * MILLI);
        assertThat(held.answer()).isNotDone();
        assertThat(names(last())).as("tried again alone").containsExactly("lease" + blocked);
        open[0] = false;
        a.runtime.runFor(SECOND);
        assertThat(granted(held).token()).isEqualTo(1);
    }

    @Test
    @DisplayName("Section 4: many leases that are held delay only themselves")
    void manyBlockedLeasesAreFound() {
        a.store.onCommit(times(
                1000,
                (transaction, mayCommit) -> names(transaction).stream().anyMatch(name -> name.endsWith("7"))
                        ? ScriptedStore.leaseConflict(transaction)
                        : a.store.apply(transaction, mayCommit)));
        List<PendingOperation> claims = submitClaims(64);

        a.runtime.runFor(3 * MILLI);

        assertThat(claims)
                .allSatisfy(claim -> assertThat(claim.answer().isDone())
                        .isEqualTo(!claim.name().endsWith("7")));
    }

    @Test
    @DisplayName("Section 4: however long the clock is contended, those that share a transaction go on sharing it")
    void contendedClockDividesNothing() {
        a.store.onCommit(conflicts(12));
        List<PendingOperation> claims = submitClaims(512);

        a.runtime.runFor(5 * SECOND);

        assertThat(claims).allSatisfy(claim -> granted(claim));
        assertThat(a.store.commits())
                .hasSize(13)
                .allSatisfy(commit -> assertThat(commit.writes()).hasSize(512));
        assertThat(a.runtime.windowsNanos())
                .as("and wait longest in the end")
                .hasSize(12)
                .startsWith(3 * MILLI)
                .endsWith(192 * MILLI);
    }

    @Test
    void operationThatWasHeldUpForLongIsToldThatItIsItsLease() {
        a.store.onCommit(times(1000, (transaction, mayCommit) -> ScriptedStore.leaseConflict(transaction)));
        PendingOperation claim = a.submitClaim("one");

        a.runtime.runFor(BUDGET + SECOND);

        assertThat(failure(claim))
                .isInstanceOf(LeaseContentionException.class)
                .hasMessageContaining("conflict on a lease");
        assertThat(a.store.commits()).as("with the longest waits at the end").hasSizeLessThan(100);
    }

    @Test
    void operationPastItsDeadlineIsNotEvenSent() {
        PendingOperation late = a.submitClaim("one");
        a.clock.advance(BUDGET + 1);

        a.runtime.runDue();

        assertThat(failure(late)).isInstanceOf(LeaseUnavailableException.class);
        assertThat(a.store.calls()).isZero();
    }

    @Test
    void operationAtItsDeadlineIsStillTried() {
        PendingOperation justInTime = a.submitClaim("one");
        a.clock.advance(BUDGET);

        a.runtime.runDue();

        granted(justInTime);
    }

    @Test
    @DisplayName("TX-11: an operation whose caller went is withheld, and the others go on at once")
    void abandonedOperationIsWithheldFromTheCommit() {
        PendingOperation one = a.submitClaim("one");
        PendingOperation gone = a.submitClaim("gone");
        PendingOperation three = a.submitClaim("three");
        a.store.onCommit((transaction, mayCommit) -> {
            assertThat(gone.cancel()).isTrue();
            return a.store.apply(transaction, mayCommit);
        });

        a.runtime.runDue();

        granted(one);
        granted(three);
        assertThat(a.store.has("gone")).isFalse();
        assertThat(gone.answer()).isNotDone();
        assertThat(a.runtime.windowsNanos()).isEmpty();
        assertThat(stamps()).as("a stamp of its own each").doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("RA-2: a name that was taken meanwhile is refused after one read, without waiting")
    void takenNameIsRefusedAfterOneRead() {
        a.store.onCommit((transaction, mayCommit) -> {
            a.store.put(byOther("one", "h2", 1, TestClock.Z));
            return a.store.apply(transaction, mayCommit);
        });
        PendingOperation claim = a.submitClaimAndRun("one");

        assertThat(refused(claim).reason()).isEqualTo(Reason.HELD);
        assertThat(a.store.commits()).hasSize(1);
        assertThat(a.store.reads()).hasSize(2);
    }

    private List<Long> stamps() {
        return a.store.commits().stream()
                .map(commit -> commit.clock().stampNanos())
                .toList();
    }

    private static List<String> names(GuardedTransaction transaction) {
        return transaction.writes().stream().map(write -> write.name()).toList();
    }

    private GuardedTransaction last() {
        return a.store.commits().get(a.store.commits().size() - 1);
    }

    private List<PendingOperation> submitClaims(int count) {
        List<PendingOperation> claims = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            claims.add(a.submitClaim("lease" + number));
        }
        return claims;
    }

    /** Rounded up. */
    private static int log2(int number) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(number - 1);
    }

    private static ScriptedStore.CommitScript[] conflicts(int times) {
        return times(times, (transaction, mayCommit) -> ScriptedStore.conflict());
    }

    private static ScriptedStore.CommitScript[] times(int times, ScriptedStore.CommitScript script) {
        return Stream.generate(() -> script).limit(times).toArray(ScriptedStore.CommitScript[]::new);
    }
}
