package dev.leasehold.simulator.check;

import static dev.leasehold.simulator.check.Paper.S;
import static dev.leasehold.simulator.check.Paper.SESSION;
import static dev.leasehold.simulator.check.Promise.G7;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** G7: callers have as much time as they were given. An operation has two seconds, and so has the close of a handle. */
class BudgetsTest {

    private static final String UNAVAILABLE = "LeaseUnavailableException";
    private static final long BUDGET = 2 * S;
    private static final long MICRO = 1_000;

    /** Slow by 1000 ppm. */
    private static final long SLOW = -1_000_000;

    private Paper paper = new Paper();

    private List<Promise> broken() {
        return paper.at(60 * S).heal().tell(new Event.Finished(61 * S)).broken();
    }

    /** What is broken by trouble that is told so long after a claim. */
    private List<Promise> afterTrouble(long nanos) {
        paper = new Paper();
        int call = paper.at(10 * S).call(0, Kind.CLAIM, "a", null, S);
        paper.at(10 * S + nanos).no(call, UNAVAILABLE);
        return broken();
    }

    @Test
    void anOperationIsAnsweredWithinItsBudget() {
        assertThat(afterTrouble(BUDGET + MICRO)).isEmpty();
        assertThat(afterTrouble(BUDGET + MICRO + 1)).containsExactly(G7);
    }

    @Test
    void anOperationIsTriedForAsLongAsItsBudgetLasts() {
        assertThat(afterTrouble(BUDGET - MICRO)).isEmpty();
        assertThat(afterTrouble(BUDGET - MICRO - 1)).containsExactly(G7);
    }

    @Test
    void nobodyWaitsToLearnWhatADamagedDocumentDoesNotTell() {
        int call = paper.at(10 * S).call(0, Kind.CLAIM, "a", null, S);
        paper.store(
                Paper.hand(),
                new LeaseRow("a", 1, paper.writer(0), paper.stamp(0), paper.stamp(0) + S, 0, Set.of(), false));
        paper.at(11 * S).no(call, "LeaseOutcomeUnknownException");

        assertThat(broken()).isEmpty();
    }

    /** What is broken by a doubt that is told before the time of a claim is over. */
    private List<Promise> afterDoubt(boolean isEvicted) {
        paper = new Paper();
        paper.at(S).beats(0);
        int call = paper.at(10 * S).call(0, Kind.CLAIM, "a", null, S);
        if (isEvicted) {
            paper.at(11 * S + 1).entry(paper.engine(1, -1), 0, null, null);
        }
        paper.at(11 * S + 2).no(call, "LeaseOutcomeUnknownException");
        return broken();
    }

    @Test
    void norWhatTheEvictedHaveLostTheTraceOf() {
        assertThat(afterDoubt(false)).containsExactly(G7);
        assertThat(afterDoubt(true)).isEmpty();
    }

    @Test
    void itIsTheCallersOwnClockThatCounts() {
        paper = new Paper(true, SLOW, 0, 0);
        int call = paper.at(10 * S).call(0, Kind.CLAIM, "a", null, S);
        paper.at(12 * S + 2_002_002).no(call, UNAVAILABLE);

        assertThat(broken()).isEmpty();
    }

    @Test
    void whoIsAsleepMayAnswerLate() {
        int call = paper.at(10 * S).call(0, Kind.CLAIM, "a", null, S);
        paper.fault(0, "PAUSE", 30 * S).at(40 * S).no(call, UNAVAILABLE);

        assertThat(broken()).isEmpty();
    }

    @Test
    void whatIsBeingClosedGivesUpAtOnce() {
        int call = paper.at(10 * S).call(0, Kind.CLAIM, "a", null, S);
        int close = paper.call(0, Kind.CLOSE_ENGINE, null, null, 0);
        paper.no(call, UNAVAILABLE).yes(close, null);

        assertThat(broken()).isEmpty();
    }

    @Test
    void aRefusalMayComeAtOnce() {
        paper.at(5 * S).claims(1, "b", 1, 30 * S);
        paper.at(10 * S).no(paper.call(0, Kind.CLAIM, "a", null, S), "HELD", Paper.heldBy("b", 1));

        assertThat(broken()).isEmpty();
    }

    // ---- waits ----

    private int waits(long nanos) {
        paper = new Paper();
        paper.at(5 * S).claims(1, "b", 1, 30 * S);
        return paper.at(10 * S).call(0, new Operation(Kind.ACQUIRE, Paper.LEASE, "a", null, SESSION, true, nanos));
    }

    private List<Promise> afterRefusal(long nanos) {
        int call = waits(5 * S);
        paper.at(10 * S + nanos).no(call, "HELD", Paper.heldBy("b", 1));
        return broken();
    }

    private List<Promise> afterTroubleOfAWait(long waitNanos, long nanos) {
        int call = waits(waitNanos);
        paper.at(10 * S + nanos).no(call, UNAVAILABLE);
        return broken();
    }

    @Test
    void aWaitIsNotOverBeforeItsTime() {
        assertThat(afterRefusal(5 * S - MICRO)).isEmpty();
        assertThat(afterRefusal(5 * S - MICRO - 1)).containsExactly(G7);
    }

    @Test
    void aWaitIsOverOneBudgetAfterItsTime() {
        assertThat(afterRefusal(5 * S + BUDGET + MICRO)).isEmpty();
        assertThat(afterRefusal(5 * S + BUDGET + MICRO + 1)).containsExactly(G7);
    }

    @Test
    void troubleDoesNotEndAWaitBeforeAnOperationMayFail() {
        assertThat(afterTroubleOfAWait(5 * S, BUDGET - MICRO)).isEmpty();
        assertThat(afterTroubleOfAWait(5 * S, BUDGET - MICRO - 1)).containsExactly(G7);
    }

    @Test
    void norDoesItSendAwaySoonerWhoDoesNotWait() {
        assertThat(afterTroubleOfAWait(0, BUDGET - MICRO)).isEmpty();
        assertThat(afterTroubleOfAWait(0, BUDGET - MICRO - 1)).containsExactly(G7);
    }

    // ---- closing ----

    private List<Promise> afterAClose(long nanos) {
        paper = new Paper();
        HeldTenure held = paper.at(5 * S).acquires(0, "a", 1);
        int call = paper.at(10 * S).call(0, Kind.CLOSE_HANDLE, null, held, 0);
        paper.at(10 * S + nanos).yes(call, null);
        return broken();
    }

    @Test
    void aCloseReturnsInTimeWhateverTheDatabaseDoes() {
        assertThat(afterAClose(BUDGET + MICRO)).isEmpty();
        assertThat(afterAClose(BUDGET + MICRO + 1)).containsExactly(G7);
    }
}
