package dev.leasehold.engine.internal.commit;

import static dev.leasehold.engine.internal.commit.SteppedPartition.BUDGET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.session.LossListener;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.world.TestClock;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Reads that callers ask for, and when they are made. */
class LeaseReaderTest {

    private final SteppedPartition a = new SteppedPartition();

    @Test
    void readWhoseTimeIsOverBeforeItsTurnIsNotMade() {
        CompletableFuture<?> poll = a.partition.reads().poll(Set.of("one"), a.nowNanos() + BUDGET);
        a.clock.advance(BUDGET + 1);

        a.runtime.runDue();

        assertThatThrownBy(poll::join).hasCauseInstanceOf(LeaseUnavailableException.class);
        assertThat(a.store.reads()).isEmpty();
    }

    @Test
    @DisplayName(
            "A read that an overloaded database turns away is answered by its deadline, however long the pauses are")
    void noPauseLeadsPastTheDeadline() {
        a.store.onRead(Collections.nCopies(100, (Runnable) LeaseReaderTest::tooMuchToDo)
                .toArray(Runnable[]::new));
        CompletableFuture<?> poll = a.partition.reads().poll(Set.of("one"), a.nowNanos() + BUDGET);

        a.runtime.runFor(BUDGET + 1);

        assertThat(poll).isCompletedExceptionally();
    }

    @Test
    @DisplayName("Section 4: also housekeeping's read ends what an older clock document no longer shows")
    void readForHousekeepingExaminesTheOwnEntry() {
        Tenure tenure = a.claims("one", "h");
        a.store.put(new WriterEntry.Sound("a#1", TestClock.Z - 1, null, null, null));

        a.partition.reads().silentWriters(a.nowNanos() + BUDGET);
        a.runtime.runDue();

        assertThat(a.partition.validities().isValid(tenure)).isFalse();
        assertThat(a.partition.writer()).isEqualTo("a#2");
    }

    @Test
    @DisplayName("Section 4: a miss of housekeeping is followed by a read, which examines the own entry too")
    void missOfHousekeepingIsFollowedByARead() {
        Tenure tenure = a.claims("one", "h");
        a.store.put(new WriterEntry.Sound("a#1", TestClock.Z - 1, null, null, null));

        CompletableFuture<WriteOutcome.Verdict> pruned =
                a.partition.prune(List.of(new WriterEntry.Sound("b#1", 17, null, null, null)), a.nowNanos() + BUDGET);
        a.runtime.runDue();

        assertThat(pruned).isCompletedWithValue(WriteOutcome.Verdict.MISSED);
        assertThat(a.partition.validities().isValid(tenure)).isFalse();
        assertThat(a.partition.writer()).isEqualTo("a#2");
    }

    @Test
    @DisplayName("What the session is seen to keep while an outcome is unknown is read again when that is known")
    void keptLeaseIsJudgedOnceNoOutcomeIsUnknown() {
        Map<Tenure, Long> unknown = new ConcurrentHashMap<>();
        a.partition.validities().listener(new LossListener() {
            @Override
            public void onLost(Tenure tenure, LeaseLoss.Reason reason) {}

            @Override
            public void onUnknown(Tenure tenure, long writtenNanos) {
                unknown.put(tenure, writtenNanos);
            }
        });
        a.claims("one", "h");
        LeaseDocument granted = grantedTo("two");
        a.store.put(granted);
        a.store.onCommit(a.store::landUnheard);
        a.store.onCommitAgain(() -> WriteOutcome.APPLIED);
        a.submitClaimAndRun("three");
        assertThat(a.partition.commitLoop().isOutcomeUnknown()).isTrue();

        a.partition.reads().poll(Set.of("two"), a.nowNanos() + BUDGET);
        a.runtime.runDue();
        assertThat(unknown).isEmpty();
        a.store.onRead(LeaseReaderTest::tooMuchToDo, LeaseReaderTest::tooMuchToDo);
        a.runtime.runFor(10 * BUDGET);

        assertThat(unknown).containsOnlyKeys(granted.tenure());
    }

    private static LeaseDocument grantedTo(String name) {
        return new LeaseDocument(
                SteppedPartition.NAMESPACE,
                name,
                "h2",
                5,
                "a#1",
                TestClock.Z,
                null,
                0,
                null,
                Instant.EPOCH,
                Set.of(),
                0,
                null);
    }

    private static void tooMuchToDo() {
        throw new LeaseUnavailableException("scripted", null, true);
    }
}
