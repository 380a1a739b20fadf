package dev.leasehold.engine.internal.commit;

import static dev.leasehold.engine.internal.commit.SteppedPartition.HOUR;
import static dev.leasehold.engine.internal.commit.SteppedPartition.SECOND;
import static dev.leasehold.engine.internal.commit.SteppedPartition.byOther;
import static dev.leasehold.engine.internal.commit.SteppedPartition.failure;
import static dev.leasehold.engine.internal.commit.SteppedPartition.granted;
import static dev.leasehold.engine.internal.commit.SteppedPartition.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.TestClock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Operations share transactions, and each has an answer of its own. */
class CommitLoopTest {

    private static final long Z = TestClock.Z;

    private final SteppedPartition a = new SteppedPartition();

    @Test
    @DisplayName("TX-4: operations that arrive together share one transaction, each with its own verdict")
    void claimsShareATransaction() {
        List<PendingOperation> claims = new ArrayList<>();
        for (int number = 0; number < 512; number++) {
            claims.add(a.submitClaim("lease" + number));
        }
        a.store.put(byOther("lease7", "h2", 5, 17));

        a.runtime.runDue();

        assertThat(a.store.commits()).hasSize(1);
        assertThat(a.store.reads()).hasSize(1);
        assertThat(refused(claims.get(7)).reason()).isEqualTo(Reason.HELD);
        claims.remove(7);
        assertThat(claims)
                .allSatisfy(claim -> assertThat(granted(claim).token()).isEqualTo(1));
        assertThat(a.store.ticks()).as("registration and transaction").isEqualTo(2);
    }

    @Test
    @DisplayName(
            "A burst of operations is one task of the engine's thread: with one for each, heartbeats would wait behind all of them")
    void burstIsOneTask() {
        int before = a.runtime.tasksWaiting();
        List<PendingOperation> claims = new ArrayList<>();
        for (int number = 0; number < 1_000; number++) {
            claims.add(a.submitClaim("lease" + number));
        }

        assertThat(a.runtime.tasksWaiting()).isEqualTo(before + 1);

        a.runtime.runDue();
        assertThat(claims)
                .allSatisfy(claim -> assertThat(granted(claim).token()).isEqualTo(1));
    }

    @Test
    @DisplayName("Where one arrival could not be told to the engine's thread, the next one is")
    void arrivalThatCouldNotBeTold() {
        a.runtime.throwAtNextTaskOf("", new InternalError("out of memory"));
        assertThatThrownBy(() -> a.submitClaim("one")).isInstanceOf(InternalError.class);

        PendingOperation two = a.submitClaim("two");
        a.runtime.runDue();

        assertThat(granted(two).token()).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "Gate stripes count: a transaction of thousands of documents would keep all others from the clock for seconds")
    void transactionHasALimitOfDocumentsToo() {
        List<PendingOperation> acquisitions = new ArrayList<>();
        for (int number = 0; number < 100; number++) {
            acquisitions.add(a.submit(
                    new Request.Acquire("lease" + number, "h", HOUR, null, 64, false, 0, 0, 0, null, 0, null)));
        }

        a.runtime.runDue();

        assertThat(a.store.commits())
                .extracting(commit -> commit.writes().size())
                .containsExactly(30, 30, 30, 10);
        assertThat(acquisitions)
                .allSatisfy(
                        acquisition -> assertThat(granted(acquisition).token()).isEqualTo(1));
        assertThat(a.runtime.windowsNanos()).as("the others go at once").isEmpty();
    }

    @Test
    @DisplayName("The stripes of a removal count twice: they are written before they are removed")
    void removalsOfStripesAreFewerStill() {
        List<PendingOperation> removals = new ArrayList<>();
        for (int number = 0; number < 20; number++) {
            String name = "lease" + number;
            PendingOperation acquisition =
                    a.submitAndRun(new Request.Acquire(name, "h", SECOND, null, 64, false, 0, 0, 0, null, 0, null));
            a.submitAndRun(new Request.Release(granted(acquisition)));
        }
        a.clock.advance(2 * HOUR);
        int before = a.store.commits().size();

        for (int number = 0; number < 20; number++) {
            removals.add(a.submit(new Request.Remove("lease" + number)));
        }
        a.runtime.runDue();

        assertThat(a.store.commits().stream().skip(before))
                .extracting(commit -> commit.writes().size())
                .containsExactly(15, 5);
        assertThat(removals)
                .extracting(removal -> removal.answer().join().refusal())
                .containsOnlyNulls();
    }

    @Test
    @DisplayName("TX-5: one missed guard refuses its own operation; the others go with the next transaction")
    void missedGuardIsItsOwnOperationsAlone() {
        PendingOperation one = a.submitClaim("one");
        PendingOperation taken = a.submitClaim("taken");
        PendingOperation three = a.submitClaim("three");
        a.store.onCommit((transaction, mayCommit) -> {
            a.store.put(byOther("taken", "h2", 1, Z));
            return a.store.apply(transaction, mayCommit);
        });

        a.runtime.runDue();

        assertThat(granted(one)).isEqualTo(tenure("one", "h", 1));
        assertThat(granted(three)).isEqualTo(tenure("three", "h", 1));
        assertThat(refused(taken).reason()).isEqualTo(Reason.HELD);
        assertThat(a.store.commits())
                .extracting(commit -> commit.writes().size())
                .containsExactly(3, 2);
        assertThat(a.runtime.windowsNanos())
                .as("a first miss costs a read and no wait")
                .isEmpty();
    }

    @Test
    @DisplayName("TX-6: every expiry counts from the instant of the transaction")
    void expiriesCountFromTheTransaction() {
        PendingOperation one = a.submit(new Request.Claim("one", "h", SECOND, null));
        a.clock.advance(3 * SECOND);
        PendingOperation two = a.submitAndRun(new Request.Claim("two", "h", HOUR, null));

        assertThat(a.store.document("one").expiryNanos()).isEqualTo(Z + 4 * SECOND);
        assertThat(a.store.document("two").expiryNanos()).isEqualTo(Z + 3 * SECOND + HOUR);
        assertThat(a.partition.validities().remainingNanos(granted(one))).isEqualTo(SECOND);
        assertThat(a.partition.validities().remainingNanos(granted(two))).isEqualTo(HOUR);
    }

    @Test
    @DisplayName("TX-6: time that passes while the transaction runs is taken off the validity")
    void validityCountsFromBeforeTheSending() {
        PendingOperation claim = a.submit(new Request.Claim("one", "h", 10 * SECOND, null));
        a.store.onCommit((transaction, mayCommit) -> {
            a.clock.advance(4 * SECOND);
            return a.store.apply(transaction, mayCommit);
        });

        a.runtime.runDue();

        assertThat(a.partition.validities().remainingNanos(granted(claim))).isEqualTo(6 * SECOND);
    }

    @Test
    @DisplayName("G7: a pin leaves writer and stamp alone, and so what was known of the end of the term")
    void pinsDoNotPutOffTheEndOfATerm() {
        a.store.put(byOther("one", "h2", 1, Z));
        a.partition.reads().poll(Set.of("one"), Z + SECOND);
        a.runtime.runDue();

        a.clock.advance(40 * SECOND);
        for (boolean pinned : List.of(true, false)) {
            a.submit(new Request.Pin("one", "ops", pinned));
            a.runtime.runDue();
        }
        a.clock.advance(20 * SECOND + 1);
        PendingOperation takeOver = a.submitAndRun(new Request.TakeOver("one", "h", 60 * SECOND, null));

        assertThat(granted(takeOver).token()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "What is remembered of pins is no answer: neither one's own that others took away, nor the lack of theirs")
    void pinsOfOthersCount() {
        a.store.put(byOther("one", null, 1, Z));
        a.submitAndRun(new Request.Pin("one", "ops", true));
        a.store.put(byOther("one", null, 1, Z));
        assertThat(a.claims("one", "h").token()).isEqualTo(2);

        a.store.put(byOther("two", null, 1, Z));
        a.submitAndRun(new Request.Pin("two", "ops", false));
        a.store.put(byOther("two", null, 1, Z).withPin("others", true));
        PendingOperation claim = a.submitClaimAndRun("two");
        assertThat(refused(claim).reason()).isEqualTo(Reason.PINNED);
    }

    @Test
    @DisplayName(
            "OP-20, OP-21: the entry carries the stamp of the write, and stamps increase while the clock stands still")
    void stampsStrictlyIncrease() {
        a.claims("one", "h");
        a.claims("two", "h");
        a.claims("three", "h");

        assertThat(a.store.commits())
                .extracting(commit -> commit.clock().stampNanos())
                .containsExactly(Z, Z + 1, Z + 2);
        assertThat(a.store.commits())
                .extracting(commit -> commit.clock().acknowledgedNanos())
                .containsExactly(Z - 1, Z, Z + 1);
        assertThat(a.store.document("three").writtenNanos()).isEqualTo(Z + 2);
        assertThat(a.store.document("three").expiryNanos()).as("by the stamp").isEqualTo(Z + 2 + 60 * SECOND);
    }

    @Test
    @DisplayName("RA-15: a no is never given from memory")
    void refusalIsReadFirst() {
        a.store.put(byOther("one", "h2", 5, 17));
        PendingOperation refusedFirst = a.submitClaimAndRun("one");
        assertThat(refused(refusedFirst).reason()).isEqualTo(Reason.HELD);

        a.store.put(byOther("one", null, 5, 18));
        PendingOperation again = a.submitClaimAndRun("one");

        assertThat(granted(again)).isEqualTo(tenure("one", "h", 6));
    }

    @Test
    void yesMayRestOnMemorySinceTheGuardsCheckIt() {
        Tenure tenure = a.claims("one", "h");
        int reads = a.store.reads().size();

        PendingOperation release = a.submitAndRun(new Request.Release(tenure));

        assertThat(granted(release)).isEqualTo(tenure);
        assertThat(a.store.reads()).hasSize(reads);
    }

    @Test
    @DisplayName(
            "What was over for those that ask by tenure stays so, also when the renewal of a handle has landed and is answered late")
    void renewalThatIsAnsweredLateBringsNoValidityBack() {
        Tenure tenure = a.claims("name", "h");
        a.store.onCommit((transaction, mayCommit) -> appliesUntilItIsOver(tenure, transaction, mayCommit));

        PendingOperation renewal =
                new PendingOperation("billing", new Request.Extend(tenure, HOUR, true), a.nowNanos() + 2 * HOUR);
        a.partition.commitLoop().submit(renewal);
        a.runtime.runDue();

        assertThat(granted(renewal)).isEqualTo(tenure);
        assertThat(a.partition.validities().isValid(tenure)).isFalse();
    }

    @Test
    @DisplayName("A caller that extends by tenure asks for a validity anew")
    void extensionByACallerThatIsAnsweredLateBeginsAValidity() {
        Tenure tenure = a.claims("name", "h");
        a.store.onCommit((transaction, mayCommit) -> appliesUntilItIsOver(tenure, transaction, mayCommit));

        PendingOperation extend = a.submitAndRun(new Request.Extend(tenure, HOUR));

        assertThat(granted(extend)).isEqualTo(tenure);
        assertThat(a.partition.validities().isValid(tenure)).isTrue();
    }

    private WriteOutcome appliesUntilItIsOver(
            Tenure tenure, GuardedTransaction transaction, BooleanSupplier mayCommit) {
        WriteOutcome outcome = a.store.apply(transaction, mayCommit);
        a.clock.advance(60 * SECOND);
        assertThat(a.partition.validities().isValid(tenure)).isFalse();
        return outcome;
    }

    @Test
    @DisplayName("OP-9: an extend that needs no write reads the lease, and writes nothing")
    void longEnoughTermIsAnsweredFromARead() {
        Tenure tenure = a.claims("one", "h");
        int calls = a.store.calls();
        int reads = a.store.reads().size();

        PendingOperation extend = a.submitAndRun(new Request.Extend(tenure, SECOND));

        assertThat(granted(extend)).isEqualTo(tenure);
        assertThat(a.store.calls()).isEqualTo(calls + 1);
        assertThat(a.store.reads()).hasSize(reads + 1);
        assertThat(a.partition.validities().remainingNanos(tenure)).isEqualTo(60 * SECOND);
    }

    @Test
    @DisplayName("A yes that comes after its time says that the tenure was extended, and not that it is held now")
    void extensionThatIsOverWhenItsAnswerComesIsAYesWithoutAValidity() {
        PendingOperation claim = a.submitAndRun(new Request.Claim("one", "h", 2 * SECOND, null));
        Tenure tenure = granted(claim);
        a.store.onCommit((transaction, mayCommit) -> {
            WriteOutcome outcome = a.store.apply(transaction, mayCommit);
            a.clock.advance(2 * SECOND);
            return outcome;
        });
        a.clock.advance(SECOND);

        PendingOperation extend = a.submitAndRun(new Request.Extend(tenure, 2 * SECOND));

        assertThat(granted(extend)).isEqualTo(tenure);
        assertThat(a.partition.validities().isValid(tenure)).isFalse();
        assertThat(a.store.document("one").expiryNanos()).isEqualTo(TestClock.Z + 3 * SECOND);
    }

    @Test
    @DisplayName("What a suspend has ended is not answered from memory when time of day is set back")
    void termThatASuspendHasEndedIsWrittenThoughTheWallGoesBack() {
        Tenure tenure = a.claims("one", "h");
        a.clock.stepWall(60 * SECOND);
        assertThat(a.partition.validities().isValid(tenure)).isFalse();
        a.store.put(byOther("one", "heir", 2, TestClock.Z + 1));
        a.clock.stepWall(-60 * SECOND);

        PendingOperation extend = a.submitAndRun(new Request.Extend(tenure, SECOND));

        assertThat(refused(extend).message()).contains("heir");
        assertThat(a.partition.validities().isValid(tenure)).isFalse();
    }

    @Test
    @DisplayName("CO-6: a corrupt entry of another writer fails the operations on its leases alone")
    void corruptEntryOfAnotherWriterFailsItsLeasesAlone() {
        a.store.put(byOther("theirs", "h2", 5, 17));
        a.store.put(new WriterEntry.Corrupt("b#1", "time", "0"));
        PendingOperation bad = a.submitClaim("theirs");
        PendingOperation good = a.submitClaim("good");

        a.runtime.runDue();

        assertThat(failure(bad)).isInstanceOf(CorruptDocumentException.class).hasMessageContaining("writers.b#1.time");
        assertThat(granted(good).name()).isEqualTo("good");
    }

    @Test
    @DisplayName("OP-18: the token floor is pinned for first documents, and missed when it has risen")
    void risenTokenFloorIsReadAgain() {
        a.claims("one", "h");
        a.partition.reads().poll(Set.of("two"), a.nowNanos() + SECOND);
        a.runtime.runDue();
        a.store.tokenFloor(41);

        assertThat(a.claims("two", "h").token()).isEqualTo(42);
        assertThat(a.store.commits())
                .last()
                .extracting(commit -> commit.clock().tokenFloor())
                .isEqualTo(41L);
    }

    @Test
    void transactionNeverHasTwoWritesOfOneLease() {
        Tenure tenure = a.claims("one", "h");
        for (int number = 1; number <= 5; number++) {
            a.submit(new Request.Extend(tenure, HOUR + number * SECOND));
        }

        a.runtime.runDue();

        assertThat(a.store.commits()).allSatisfy(commit -> {
            List<String> names = commit.writes().stream().map(LeaseWrite::name).toList();
            assertThat(new HashSet<>(names)).hasSameSizeAs(names);
        });
        long lastStampNanos = a.store.document("one").writtenNanos();
        assertThat(a.store.document("one").expiryNanos()).isEqualTo(lastStampNanos + HOUR + 5 * SECOND);
    }

    /** While the load lasts, each transaction brings the next operation. */
    private void underSteadyLoad(int transactions) {
        for (int number = 0; number < transactions; number++) {
            String next = "load" + number;
            a.store.onCommit((transaction, mayCommit) -> {
                a.clock.advance(1_000_000);
                a.submitClaim(next);
                return a.store.apply(transaction, mayCommit);
            });
        }
        a.submitClaim("load");
    }

    @Test
    void steadyLoadLetsReadsIn() {
        underSteadyLoad(100);
        int[] sent = new int[1];
        a.partition
                .reads()
                .poll(Set.of("one"), a.nowNanos() + 60 * SECOND)
                .thenRun(() -> sent[0] = a.store.commits().size());

        a.runtime.runDue();

        assertThat(sent[0]).as("transactions before the read").isOne();
    }

    @Test
    void steadyLoadLetsRetriesIn() {
        PendingOperation unlucky = a.submitClaim("one");
        a.store.onCommit((transaction, mayCommit) -> ScriptedStore.conflict());
        a.runtime.runDue();
        int[] sent = new int[1];
        unlucky.answer().thenRun(() -> sent[0] = a.store.commits().size());

        underSteadyLoad(100);
        a.runtime.runDue();

        assertThat(sent[0]).as("transactions before the retry was done").isBetween(2, 8);
    }

    private static Tenure tenure(String name, String holder, long token) {
        return new Tenure(SteppedPartition.NAMESPACE, name, holder, token);
    }
}
