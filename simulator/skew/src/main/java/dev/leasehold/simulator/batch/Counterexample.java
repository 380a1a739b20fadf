package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.batch.HistoryPlayer.Outcome;
import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.Shrinker;
import java.util.Objects;

/**
 * A broken invariant, and the smallest plan that was found to break it.
 *
 * @param failure as it was found
 * @param minimal the shrunk plan
 * @param outcome what happens when that is played
 * @param violation of the same invariant in that history
 */
public record Counterexample(Failure failure, Plan minimal, Outcome outcome, Violation violation) {

    private static final int TRIES_MAX = 4_000;

    /** Shrinks the plan of a failure. Blocks until it is as small as it gets. */
    public static Counterexample of(CheckerSetup setup, Failure failure) throws InterruptedException {
        return SimulationTask.await("shrinking", () -> {
            try (HistoryRunner runner = setup.runners().get()) {
                return of(setup, failure, runner);
            }
        });
    }

    private static Counterexample of(CheckerSetup setup, Failure failure, HistoryRunner runner) {
        Guarantee invariant = Objects.requireNonNull(failure.violation()).guarantee();
        Plan minimal = Shrinker.shrink(
                failure.plan(),
                plan -> CheckerSetup.first(setup.checker().apply(runner.run(plan)), invariant::equals) != null,
                TRIES_MAX);
        History history = runner.run(minimal);
        Outcome outcome = new Outcome(history, setup.checker().apply(history));
        Violation violation = CheckerSetup.first(outcome.verdict(), invariant::equals);
        if (violation == null) {
            throw new IllegalStateException(
                    "the shrunk plan of seed " + failure.plan().seed() + " breaks " + invariant + " no more");
        }
        return new Counterexample(failure, minimal, outcome, violation);
    }
}
