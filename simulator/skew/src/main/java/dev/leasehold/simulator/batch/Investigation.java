package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.Shrinker;

/** Finds the smallest plan that still breaks the same promise. */
public final class Investigation {

    private static final int TRIES_MAX = 4_000;

    private final Bench bench;

    public Investigation(Bench bench) {
        this.bench = bench;
    }

    /** Blocks until the plan is as small as it gets. */
    public Case examine(Failure.Broken failure) throws InterruptedException {
        return Task.await("investigation", () -> {
            try (HistoryRunner runner = bench.runners().get()) {
                return examine(failure, runner);
            }
        });
    }

    private Case examine(Failure.Broken failure, HistoryRunner runner) {
        Guarantee guarantee = failure.violation().guarantee();
        Plan minimal = Shrinker.shrink(
                failure.plan(),
                plan -> Bench.first(bench.judge().apply(runner.run(plan)), guarantee::equals) != null,
                TRIES_MAX);
        History history = runner.run(minimal);
        Verdict verdict = bench.judge().apply(history);
        Violation violation = Bench.first(verdict, guarantee::equals);
        if (violation == null) {
            throw new IllegalStateException(
                    "the shrunk plan of seed " + failure.plan().seed() + " breaks " + guarantee + " no more");
        }
        return new Case(failure, minimal, history, verdict, violation);
    }
}
