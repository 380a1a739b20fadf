package dev.leasehold.simulator.check;

import static dev.leasehold.simulator.check.Paper.S;
import static dev.leasehold.simulator.check.Paper.heldBy;
import static dev.leasehold.simulator.check.Promise.G8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an answer shows of the time of a lease follows from what its writer stored, and is the reason that the answer gives. */
class ShownTimesTest {

    private final Paper paper = new Paper();

    /** A term that the clock of its writer passes at 15 s. */
    private Paper held() {
        paper.at(5 * S).claims(0, "a", 1, 10 * S);
        return paper;
    }

    private Paper refused(Kind kind, String reason, Answer.Shown shown) {
        return paper.no(paper.call(1, kind, "b", null, S), reason, shown).tell(new Event.Finished(60 * S));
    }

    @Test
    void whoseTimeIsOverIsRefusedAsSuchAndNobodyElseIs() {
        held().at(15 * S + 1);
        refused(Kind.CLAIM, "HELD_PAST_EXPIRY", heldBy("a", 1, true, 15 * S + 1));
        assertThat(paper.broken()).isEmpty();

        refused(Kind.CLAIM, "HELD", heldBy("a", 1, true, 15 * S + 1));
        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void whoseTimeMayLastIsNotRefusedAsOver() {
        held().at(6 * S);
        refused(Kind.CLAIM, "HELD", heldBy("a", 1, false, 15 * S));
        assertThat(paper.broken()).isEmpty();

        refused(Kind.CLAIM, "HELD_PAST_EXPIRY", heldBy("a", 1, false, 15 * S));
        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void nothingIsShownAsOverBeforeItIs() {
        held().at(15 * S);

        assertThat(refused(Kind.CLAIM, "HELD_PAST_EXPIRY", heldBy("a", 1, true, 15 * S))
                        .broken())
                .containsExactly(G8);
    }

    @Test
    void theLatestExpiryIsNoEarlierThanTheExpiry() {
        held().at(6 * S);
        refused(Kind.TAKE_OVER, "NOT_EXPIRED", heldBy("a", 1, false, 15 * S));
        assertThat(paper.broken()).isEmpty();

        refused(Kind.TAKE_OVER, "NOT_EXPIRED", heldBy("a", 1, false, 15 * S - 1));
        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void theLatestExpiryIsNoLaterThanWhatWasStoredCanLastFromNowOn() {
        held().at(6 * S);
        refused(Kind.TAKE_OVER, "NOT_EXPIRED", heldBy("a", 1, false, 16 * S + 30_000_000));
        assertThat(paper.broken()).isEmpty();

        refused(Kind.TAKE_OVER, "NOT_EXPIRED", heldBy("a", 1, false, 16 * S + 40_000_000));
        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void whoFallsAsleepBeforeTheLatestExpiryIsNotToldOfAnother() {
        held().at(6 * S);
        refused(Kind.TAKE_OVER, "NOT_EXPIRED", heldBy("a", 1, false, 14 * S))
                .at(10 * S)
                .fault(1, "PAUSE", S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void aSessionLastsFromTheOldestSignOfLifeThatMayHaveBeenSeen() {
        paper.at(5 * S).acquires(0, "a", 1);
        int call = paper.at(6 * S).call(1, Kind.REFRESH, null, null, 0);
        paper.beats(0).at(7 * S).beats(0).at(8 * S);
        Answer.Shown old = heldBy("a", 1, false, 15 * S);
        paper.tell(new Event.Answered(8 * S, call, new Answer(Answer.Kind.YES, null, null, List.of(old))));
        paper.tell(new Event.Finished(60 * S));
        assertThat(paper.broken()).isEmpty();

        paper.at(9 * S);
        int late = paper.call(1, Kind.REFRESH, null, null, 0);
        paper.tell(new Event.Answered(9 * S, late, new Answer(Answer.Kind.YES, null, null, List.of(old))));
        assertThat(paper.broken()).containsExactly(G8);
    }
}
