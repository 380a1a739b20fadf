package dev.leasehold.simulator.check;

import static dev.leasehold.simulator.check.Paper.S;
import static dev.leasehold.simulator.check.Promise.G6;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.history.Operation.Kind;
import dev.leasehold.simulator.plan.Action;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** G6: callers' transactions commit only while their tenure stands. */
class GatesTest {

    private final Paper paper = new Paper();

    @Test
    void aTransactionMayCommitAfterTheExpiryAndBeforeAnybodyTookTheLease() {
        HeldTenure a = paper.at(S).claims(0, "a", 1, S);
        paper.at(9 * S).gate(0, -1, a, a);
        paper.takesOver(1, "b", 2, S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void nobodyEndsATransactionThatACallerHasOpen() {
        paper.at(S).tell(new Event.Reached(S, 1, Marks.RESCUED));
        assertThat(paper.broken()).isEmpty();

        paper.tell(new Event.Reached(S, 1, Marks.CALLER_ENDED));
        assertThat(paper.broken()).containsExactly(G6);
    }

    @Test
    void aTransactionThatCommitsAfterTheTakeOverIsTooLate() {
        HeldTenure a = paper.at(S).claims(0, "a", 1, S);
        paper.at(9 * S).takesOver(1, "b", 2, S);
        paper.gate(0, -1, a, a);

        assertThat(paper.verdict().violations()).singleElement().satisfies(violation -> {
            assertThat(violation.promise()).isEqualTo(G6);
            assertThat(violation.sentence())
                    .contains("committed at 9.000000000 s, after m1 had ended the tenure at 9.000000000 s");
        });
    }

    @Test
    void theNextTenureOfTheSameHolderIsNotMeant() {
        HeldTenure a = paper.at(S).claims(0, "a", 1, S);
        HeldTenure again = paper.release(0, a).claims(0, "a", 2, S);
        paper.gate(0, -1, a, again);

        assertThat(paper.broken()).containsExactly(G6);
    }

    @Test
    void aRunWithoutTheAssertionIsNoExcuse() {
        HeldTenure a = paper.at(S).claims(0, "a", 1, S);
        paper.release(0, a).gate(0, -1, a, null);

        assertThat(paper.broken()).containsExactly(G6);
    }

    @Test
    void aCallerWhoForgetsTheAssertionIsCaughtAsItsOwnMistake() {
        HeldTenure a = paper.at(S)
                .planned(0, new Action.Gate(new Action.Choice(0, 0), 0, 0, true))
                .claims(0, "a", 1, S);
        paper.release(0, a).gate(0, -1, a, null);

        assertThat(paper.broken()).isEmpty();
        assertThat(paper.verdict().reached()).containsEntry("MISTAKE_OF_CALLER", 1L);
    }

    @Test
    void aRightfulAssertionIsNotRefused() {
        HeldTenure a = paper.at(S).claims(0, "a", 1, S);
        int call = paper.at(2 * S).call(0, Kind.GATE, null, a, 0);
        paper.at(3 * S).no(call, "NOT_HELD");

        assertThat(paper.broken()).containsExactly(G6);
    }

    @Test
    void anAssertionMayBeRefusedWhenTheTenureEndedDuringTheCall() {
        HeldTenure a = paper.at(S).claims(0, "a", 1, S);
        int call = paper.at(2 * S).call(0, Kind.GATE, null, a, 0);
        paper.at(3 * S).takesOver(1, "b", 2, S);
        paper.no(call, "NOT_HELD");

        assertThat(paper.broken()).isEmpty();
        assertThat(paper.verdict().reached()).containsEntry("ASSERTION_REFUSED", 1L);
    }

    @Test
    void anAssertionMayBeRefusedWhileWhoeverIsToMendADamageWaits() {
        HeldTenure a = paper.at(S).claims(0, "a", 1, 90 * S);
        paper.at(2 * S).store(Paper.hand(), new LeaseRow("a", 1, paper.writer(0), 1, null, 0, Set.of(), false));
        paper.no(paper.at(3 * S).call(0, Kind.GATE, null, a, 0), "NOT_HELD");

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void aRightfulAssertionIsNotRefusedAfterADamageWasMended() {
        HeldTenure a = paper.at(S).claims(0, "a", 1, 90 * S);
        paper.at(2 * S).store(Paper.hand(), new LeaseRow("a", 1, paper.writer(0), 1, null, 0, Set.of(), false));
        int meanwhile = paper.at(3 * S).call(0, Kind.GATE, null, a, 0);
        paper.no(meanwhile, "NOT_HELD").at(4 * S).store(Paper.hand(), paper.row(0, "a", 1, 1, 2L));
        assertThat(paper.broken()).isEmpty();

        int later = paper.at(5 * S).call(0, Kind.GATE, null, a, 0);
        assertThat(paper.no(later, "NOT_HELD").broken()).containsExactly(G6);
    }
}
