package dev.leasehold.simulator.check;

import static dev.leasehold.simulator.check.Paper.S;
import static dev.leasehold.simulator.check.Promise.G8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import org.junit.jupiter.api.Test;

/** Nobody takes what is pinned, and nobody but those who are asked to take a pin away do so. */
class PinsTest {

    private static final String PIN = "entity-0";

    private final Paper paper = new Paper();

    private HeldTenure pinned() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 2 * S);
        int pin = paper.call(1, Kind.PIN, null, null, 0);
        paper.pins(paper.engine(1, pin), PIN).yes(pin, null);
        return a;
    }

    @Test
    void whatIsPinnedIsPinnedUntilSomebodyTakesThatAway() {
        pinned();
        int unpin = paper.at(6 * S).call(1, Kind.UNPIN, null, null, 0);
        paper.pins(paper.engine(1, unpin)).yes(unpin, null);
        paper.at(9 * S).takesOver(1, "b", 2, S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void anExtensionForgetsNoPins() {
        HeldTenure a = pinned();
        paper.at(6 * S).extend(0, a, 2 * S, paper.stamp(0) + 2 * S);

        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void nobodyTakesWhatIsPinned() {
        pinned();
        paper.at(9 * S).takesOver(1, "b", 2, S);

        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void nobodyRemovesWhatIsPinned() {
        pinned();
        paper.at(6 * S)
                .pins(paper.engine(1, paper.call(1, Kind.PIN, null, null, 0)), PIN)
                .store(paper.engine(1, -1), null);

        assertThat(paper.broken()).contains(G8);
    }

    @Test
    void whoIsToldThatALeaseIsPinnedCanRelyOnThat() {
        paper.at(5 * S).claims(0, "a", 1, 2 * S);
        paper.yes(paper.call(1, Kind.PIN, null, null, 0), null);

        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void whoIsToldThatThereIsNothingToBePinnedCanRelyOnThat() {
        paper.no(paper.at(4 * S).call(1, Kind.PIN, null, null, 0), "UNCHANGED");
        int early = paper.call(1, Kind.UNPIN, null, null, 0);
        paper.at(5 * S).claims(0, "a", 1, 2 * S);
        paper.at(6 * S).no(early, "UNCHANGED");
        assertThat(paper.broken()).isEmpty();

        paper.no(paper.at(7 * S).call(1, Kind.PIN, null, null, 0), "LeaseUnavailableException");
        assertThat(paper.broken()).isEmpty();

        paper.no(paper.at(8 * S).call(1, Kind.UNPIN, null, null, 0), "UNCHANGED");
        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void theObserverLeavesNoPinBehindThatItWasToldIsGone() {
        pinned();
        paper.at(60 * S).heal();
        int unpin = paper.call(2, Kind.UNPIN, null, null, 0);
        paper.yes(unpin, null).tell(new Event.Finished(60 * S + 1));

        assertThat(paper.broken()).containsExactly(G8);
    }
}
