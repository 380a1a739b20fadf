package dev.leasehold.simulator.check;

import static dev.leasehold.simulator.check.Paper.S;
import static dev.leasehold.simulator.check.Paper.SESSION;
import static dev.leasehold.simulator.check.Promise.LIM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.HeldTenure;
import org.junit.jupiter.api.Test;

/** LIM: nobody writes what needs no write. A heartbeat is due every three seconds. */
class EffortTest {

    private static final long MICRO = 1_000;

    private final Paper paper = new Paper();

    private void beats() {
        paper.entry(new Author(Author.Kind.SINGLE_WRITE, 0, 0, -1, null, null), 0, paper.stamp(0), SESSION);
    }

    private Paper beatsTwice(long nanos) {
        paper.at(10 * S).beats(0);
        paper.at(20 * S);
        beats();
        paper.at(20 * S + nanos);
        beats();
        return paper;
    }

    @Test
    void heartbeatsComeWhenTheyAreDue() {
        assertThat(beatsTwice(3 * S - MICRO).broken()).isEmpty();
    }

    @Test
    void andNotBefore() {
        assertThat(beatsTwice(3 * S - MICRO - 1).broken()).containsExactly(LIM);
    }

    @Test
    void oneWithoutAnAnswerIsSentAgainSoon() {
        paper.at(20 * S).tell(new Event.Message(20 * S, 0, 7, Event.Leg.REPLY_LOST, "update"));

        assertThat(beatsTwice(S).broken()).isEmpty();
    }

    @Test
    void soIsOneThatNoMajorityHad() {
        paper.lag();

        assertThat(beatsTwice(S).broken()).isEmpty();
    }

    @Test
    void whatTheSessionKeepsIsWrittenOnce() {
        HeldTenure a = paper.at(10 * S).acquires(0, "a", 1);
        paper.at(12 * S)
                .store(paper.engine(0, -1), paper.row(0, "a", 1, paper.stamp(0), null))
                .believes(0, a, 13 * S);

        assertThat(paper.broken()).containsExactly(LIM);
    }

    @Test
    void aTermIsRenewed() {
        HeldTenure a = paper.at(10 * S).claims(0, "a", 1, 10 * S);
        paper.at(12 * S).extend(0, a, 10 * S, paper.stamp(0) + 10 * S);

        assertThat(paper.broken()).isEmpty();
    }
}
