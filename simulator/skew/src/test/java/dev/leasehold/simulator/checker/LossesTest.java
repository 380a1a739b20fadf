package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G8;
import static dev.leasehold.simulator.checker.HistoryBuilder.S;
import static dev.leasehold.simulator.checker.HistoryBuilder.tenure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A handle whose validity has ended, of a tenure that a call by the tenure has made valid anew: G8. */
class LossesTest {

    private static final HeldTenure A = tenure("a", 1);

    private final HistoryBuilder history = new HistoryBuilder();
    private final int handle = acquires();

    private int acquires() {
        int call =
                history.at(5 * S).call(0, new Operation(Kind.ACQUIRE, HistoryBuilder.LEASE, "a", null, 3 * S, false));
        history.store(history.engine(0), history.row(0, "a", 1, history.stamp(0) + 3 * S));
        history.holds(0, A, 8 * S).yes(call, A);
        return call;
    }

    private void isExtended(long atNanos) {
        history.at(atNanos).extend(0, A, 9 * S, history.stamp(0) + 9 * S).holds(0, A, atNanos + 9 * S);
    }

    private void assertToldTooMuch() {
        assertThat(history.verdict().violations())
                .singleElement()
                .satisfies(violation -> assertThat(violation.guarantee()).isEqualTo(G8))
                .extracting(Violation::sentence)
                .asString()
                .contains("and its engine held it still");
    }

    @Test
    @DisplayName("It is lost, though its tenure was extended between the end and the word of it")
    void isLostThoughItsTenureWasExtendedSince() {
        history.at(8 * S).holdsNoMore(0, A);
        isExtended(8 * S);
        history.at(8 * S + 1).loses(0, handle, A, "EXPIRED");

        assertThat(history.broken()).isEmpty();
    }

    @Test
    @DisplayName("It is not lost if its validity was prolonged before the end")
    void isNotLostIfItWasProlonged() {
        isExtended(7 * S);
        history.at(8 * S + 1).loses(0, handle, A, "EXPIRED");

        assertToldTooMuch();
    }

    @Test
    @DisplayName("A handle that was acquired since then is not lost with it")
    void handleThatWasAcquiredSinceIsNotLost() {
        history.at(8 * S).holdsNoMore(0, A);
        isExtended(8 * S);
        int later = history.at(8 * S + 1).joins(0, A);
        history.loses(0, handle, A, "EXPIRED").at(8 * S + 2).loses(0, later, A, "EXPIRED");

        assertToldTooMuch();
    }
}
