package dev.leasehold.simulator.check;

import static dev.leasehold.simulator.check.Paper.S;
import static dev.leasehold.simulator.check.Promise.G8;
import static dev.leasehold.simulator.check.Promise.LIM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** LIM and G8: what callers are told to have gone wrong has. */
class FailuresTest {

    private static final String CORRUPT = "CorruptDocumentException";

    private final Paper paper = new Paper();

    private static List<Promise> told(Paper paper, String reason) {
        return paper.at(2 * S)
                .no(paper.call(0, Kind.CLAIM, "a", null, S), reason)
                .broken();
    }

    private void damage() {
        paper.at(S)
                .store(
                        Paper.hand(),
                        new LeaseRow("a", 1, paper.writer(0), paper.stamp(0), paper.stamp(0) + S, 0, Set.of(), false));
    }

    @Test
    void whatPassesByItselfGoesWrong() {
        assertThat(told(paper, "LeaseUnavailableException")).isEmpty();
    }

    @Test
    void nothingFailsUnexpectedly() {
        assertThat(told(paper, "LeaseStoreException")).containsExactly(LIM);
    }

    @Test
    void nobodyMayEverKnowWhatBecameOfSomething() {
        int call = paper.at(S).call(0, Kind.CLAIM, "a", null, S);
        paper.unknown(call)
                .at(2 * S)
                .tell(new Event.Resolved(
                        2 * S, call, new Answer(Answer.Kind.UNKNOWN, null, "LeaseStoreException", List.of())));

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void onlyClocksBeyondTheBoundGoWrong() {
        assertThat(told(paper, "ClockAnomalyException")).containsExactly(G8);
        assertThat(told(new Paper(false, 0, 0, 0), "ClockAnomalyException")).isEmpty();
    }

    @Test
    void aSoundLeaseIsNotDamaged() {
        assertThat(told(paper, CORRUPT)).containsExactly(G8);
    }

    @Test
    void aDamagedLeaseIs() {
        damage();

        assertThat(told(paper, CORRUPT)).isEmpty();
    }

    @Test
    void whoAsksForAllLeasesMeetsAnyThatIsDamaged() {
        int list = paper.at(S).call(0, new Operation(Kind.LIST, null, null, null, 0, false));
        paper.no(list, CORRUPT);
        assertThat(paper.broken()).containsExactly(G8);

        damage();
        assertThat(paper.broken()).isEmpty();
    }
}
