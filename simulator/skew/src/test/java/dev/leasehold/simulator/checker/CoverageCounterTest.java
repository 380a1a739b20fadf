package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.HistoryBuilder.S;
import static dev.leasehold.simulator.checker.HistoryBuilder.heldBy;
import static dev.leasehold.simulator.checker.HistoryBuilder.tenure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import org.junit.jupiter.api.Test;

/** Which states are counted. */
class CoverageCounterTest {

    private static final HeldTenure A = tenure("a", 1);

    private final HistoryBuilder history = new HistoryBuilder();

    private void assertReached(String state, long times) {
        assertThat(history.verdict().reached()).containsEntry(state, times);
    }

    @Test
    void faultsAndMarks() {
        history.at(S).fault(0, "PAUSE", S).tell(new Event.Reached(S, 0, "BATCH"));

        assertReached("PAUSE", 1);
        assertReached("BATCH", 1);
    }

    @Test
    void contention() {
        int lost = history.at(S).call(1, Kind.CLAIM, "b", null, S);
        history.claims(0, "a", 1, S);
        history.at(2 * S).no(lost, "HELD", heldBy("a", 1));

        assertReached("CONTENTION_WON", 1);
        assertReached("CONTENTION_LOST", 1);
    }

    @Test
    void unknownOutcomes() {
        int call = history.at(S).call(0, Kind.CLAIM, "a", null, S);
        history.unknown(call);
        assertReached("UNKNOWN", 1);

        history.resolved(call, Answer.Kind.NO, null);
        assertReached("UNKNOWN_RESOLVED_NO", 1);
    }

    @Test
    void takingsOrdersAndExtensionsElsewhere() {
        history.at(S).claims(0, "a", 1, S);
        history.at(S + 1).extend(1, A, S, history.stamp(1) + 2 * S);
        history.at(9 * S).takesOver(0, "b", 2, S);
        int order = history.call(1, Kind.FORCE_EXPIRE, null, null, 0);
        history.vacates(1, 3).yes(order, tenure("b", 2));

        assertReached("EXTENDED_ELSEWHERE", 1);
        assertReached("TAKEN_OVER", 1);
        assertReached("FORCED_EXPIRY", 1);
    }

    @Test
    void evictionsAndLateHeartbeats() {
        history.at(S).beats(0).at(12 * S).beats(0).at(30 * S).evicts(1, 0);

        assertReached("LATE_HEARTBEAT", 1);
        assertReached("EVICTED", 1);
    }

    @Test
    void rollbacksAndCrashes() {
        history.at(S).lags().call(0, Kind.CLAIM, "a", null, S);
        history.beats(0).rollsBack(0).crash(0).fault(0, "CRASH", S);

        assertReached("ROLLBACK_BELOW_MAJORITY", 1);
        assertReached("REBOOT_DURING_OPERATION", 1);
    }

    @Test
    void assertionsAndLosses() {
        int handle = history.at(S).acquires(0, "a", 1);
        int gate = history.call(0, Kind.GATE, null, A, 0);
        history.gate(0, gate, A, A).yes(gate, null).loses(0, handle, A, "EXPIRED");

        assertReached("ASSERTION_PASSED", 1);
        assertReached("HANDLE_LOST", 1);
    }
}
