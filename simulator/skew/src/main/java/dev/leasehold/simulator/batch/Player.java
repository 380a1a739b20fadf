package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.report.HistoryHash;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Plays one history after the other and judges each. A failing one is played again before anybody hears of it. */
final class Player implements AutoCloseable {

    private final Bench bench;
    private final HistoryRunner runner;

    Player(Bench bench) {
        this.bench = bench;
        this.runner = bench.runners().get();
    }

    Played play(long index, Plan plan, boolean twice) {
        try {
            return judged(index, plan, twice);
        } catch (RuntimeException | Error e) {
            return Played.crashed(new Failure.Crashed(index, plan, e));
        }
    }

    private Played judged(long index, Plan plan, boolean twice) {
        History history = runner.run(plan);
        Verdict verdict = bench.judge().apply(history);
        Violation violation = Bench.first(verdict, bench.counts());
        if (!twice && violation == null) {
            return new Played(history, verdict, null, 0);
        }
        return new Played(history, verdict, failure(index, history, violation), HistoryHash.of(history));
    }

    private @Nullable Failure failure(long index, History history, @Nullable Violation violation) {
        Plan plan = history.plan();
        Optional<String> difference = HistoryHash.firstDifference(history, runner.run(plan));
        if (difference.isPresent()) {
            return new Failure.Unrepeatable(index, plan, difference.get());
        }
        return violation == null ? null : new Failure.Broken(index, plan, violation);
    }

    @Override
    public void close() {
        runner.close();
    }
}
