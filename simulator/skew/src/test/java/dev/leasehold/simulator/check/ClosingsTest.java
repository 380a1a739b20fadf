package dev.leasehold.simulator.check;

import static dev.leasehold.simulator.check.Paper.S;
import static dev.leasehold.simulator.check.Promise.G7;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** G7: whatever comes back from a close in time has freed what was held. A close has two seconds. */
class ClosingsTest {

    private final Paper paper = new Paper();

    private List<Promise> broken() {
        return paper.at(60 * S).heal().tell(new Event.Finished(61 * S)).broken();
    }

    private HeldTenure holds() {
        HeldTenure a = paper.at(5 * S).acquires(0, "a", 1);
        paper.believes(0, a, 15 * S);
        return a;
    }

    private int closes(HeldTenure tenure) {
        int call = paper.at(10 * S).call(0, Kind.CLOSE_HANDLE, null, tenure, 0);
        paper.doubts(0, tenure);
        return call;
    }

    private void ends() {
        paper.store(paper.engine(0, -1), paper.row(0, null, 1, paper.stamp(0), null));
    }

    @Test
    void aCloseThatComesBackInTimeHasFreedTheLease() {
        int call = closes(holds());
        ends();
        paper.at(11 * S).yes(call, null);

        assertThat(broken()).isEmpty();
    }

    @Test
    void orElseItHasNot() {
        int call = closes(holds());
        paper.at(11 * S).yes(call, null);

        assertThat(broken()).containsExactly(G7);
    }

    @Test
    void aMajorityHasToHaveIt() {
        int call = closes(holds());
        paper.lag();
        ends();
        paper.at(11 * S).yes(call, null).at(12 * S).majority(paper.version());

        assertThat(broken()).containsExactly(G7);
    }

    @Test
    void whatTakesAllItsTimeGoesOnInTheBackground() {
        int call = closes(holds());
        paper.at(12 * S).yes(call, null);

        assertThat(broken()).isEmpty();
    }

    @Test
    void anotherHandleKeepsTheLease() {
        HeldTenure a = holds();
        paper.acquiresAlso(0, a);
        paper.at(11 * S).yes(paper.call(0, Kind.CLOSE_HANDLE, null, a, 0), null);

        assertThat(broken()).isEmpty();
    }

    @Test
    void whatWasLostBeforeIsNotThisHandlesToFree() {
        HeldTenure a = holds();
        paper.at(9 * S).doubts(0, a).loses(0, a);
        paper.at(11 * S).closes(0, a);

        assertThat(broken()).isEmpty();
    }

    @Test
    void norIsWhatTimeEndsWhileItIsClosed() {
        HeldTenure a = holds();
        int call = paper.at(15 * S - 1).call(0, Kind.CLOSE_HANDLE, null, a, 0);
        paper.doubts(0, a).at(15 * S).yes(call, null);

        assertThat(broken()).isEmpty();
    }

    // ---- engines ----

    private int leaves() {
        HeldTenure a = holds();
        int call = paper.at(10 * S).call(0, Kind.CLOSE_ENGINE, null, null, 0);
        paper.doubts(0, a).loses(0, a, "CLOSED");
        return call;
    }

    @Test
    void anEngineThatIsClosedTakesItsSessionAlong() {
        int close = leaves();
        paper.entry(paper.engine(0, -1), 0, null, null).yes(close, null);

        assertThat(broken()).isEmpty();
    }

    @Test
    void orElseItDoesNot() {
        int close = leaves();
        paper.yes(close, null);

        assertThat(broken()).containsExactly(G7);
    }

    @Test
    void itTakesThoseOfAllPartitionsAlong() {
        HeldTenure a = holds();
        paper.writesElsewhere(0).beats(0);
        int close = paper.at(10 * S).call(0, Kind.CLOSE_ENGINE, null, null, 0);
        paper.doubts(0, a)
                .loses(0, a, "CLOSED")
                .entry(paper.engine(0, -1), 0, null, null)
                .yes(close, null);

        assertThat(broken()).containsExactly(G7);
    }

    @Test
    void aSessionThatKeepsNothingMayStay() {
        paper.at(9 * S).beats(0);
        int close = paper.at(10 * S).call(0, Kind.CLOSE_ENGINE, null, null, 0);
        paper.yes(close, null);

        assertThat(broken()).isEmpty();
    }

    @Test
    void whoWasInTroubleMayLeaveItBehind() {
        int close = leaves();
        paper.fault(-1, "FAIL_OVER", S).at(10 * S + S / 2).yes(close, null);

        assertThat(broken()).isEmpty();
    }

    @Test
    void soMayWhoWasNotHeard() {
        int close = leaves();
        paper.sends(0).yes(close, null);

        assertThat(broken()).isEmpty();
    }

    /** The server lets a write wait for a second. */
    @Test
    void soMayWhoMetTheTransactionOfAnother() {
        paper.close(6 * S);
        int close = leaves();
        paper.at(11 * S).yes(close, null);

        assertThat(broken()).isEmpty();
    }
}
