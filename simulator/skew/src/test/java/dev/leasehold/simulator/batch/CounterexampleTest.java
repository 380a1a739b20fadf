package dev.leasehold.simulator.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.Plan;
import org.junit.jupiter.api.Test;

class CounterexampleTest {

    /** A history that claims breaks G1, and one that does not breaks G7. */
    private static Verdict check(History history) {
        boolean claims = history.plan().commands().stream().anyMatch(it -> it.action() instanceof Action.Claim);
        return MadeUp.broken(claims ? Guarantee.G1 : Guarantee.G7);
    }

    private static Plan planWithAClaim() {
        for (long seed = 0; ; seed++) {
            Plan plan = MadeUp.plan(seed);
            if (plan.commands().stream().anyMatch(it -> it.action() instanceof Action.Claim)
                    && plan.commands().size() > 5) {
                return plan;
            }
        }
    }

    @Test
    void theShrunkPlanBreaksTheSameInvariant() throws InterruptedException {
        CheckerSetup setup =
                new CheckerSetup(MadeUp::plan, MadeUp::runner, CounterexampleTest::check, guarantee -> true);
        Failure failure = Failure.broken(3, planWithAClaim(), MadeUp.violation(Guarantee.G1));

        Counterexample found = Counterexample.of(setup, failure);

        assertThat(found.minimal().commands())
                .singleElement()
                .satisfies(it -> assertThat(it.action()).isInstanceOf(Action.Claim.class));
        assertThat(found.violation().guarantee()).isEqualTo(Guarantee.G1);
        assertThat(found.failure()).isSameAs(failure);
    }

    @Test
    void aKeptPlanIsPlayedTwice() throws InterruptedException {
        CheckerSetup setup = MadeUp.setup(MadeUp.notRepeating(4), seed -> MadeUp.good());
        assertThat(HistoryPlayer.play(setup, MadeUp.plan(4)).failure())
                .extracting(Failure::status)
                .isEqualTo(ExitStatus.NOT_DETERMINISTIC);
        assertThat(HistoryPlayer.play(setup, MadeUp.plan(5)).failure()).isNull();
    }
}
