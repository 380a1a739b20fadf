package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.check.Promise;
import dev.leasehold.simulator.check.Verdict;
import dev.leasehold.simulator.check.Violation;
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
        Promise promise = failure.violation().promise();
        Plan minimal = Shrinker.shrink(
                failure.plan(),
                plan -> Bench.first(bench.judge().apply(runner.run(plan)), promise::equals) != null,
                TRIES_MAX);
        History history = runner.run(minimal);
        Verdict verdict = bench.judge().apply(history);
        Violation violation = Bench.first(verdict, promise::equals);
        if (violation == null) {
            throw new IllegalStateException(
                    "the shrunk plan of seed " + failure.plan().seed() + " breaks " + promise + " no more");
        }
        return new Case(failure, minimal, history, verdict, violation);
    }
}
