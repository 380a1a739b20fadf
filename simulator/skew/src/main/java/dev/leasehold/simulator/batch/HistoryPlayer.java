package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.batch.PlayedHistory.Outcome;
import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.report.HistoryHash;
import java.util.Optional;

/** Plays one plan after the other and judges each history. A failing one is played again before it is reported. */
public final class HistoryPlayer implements AutoCloseable {

    private final CheckerSetup setup;
    private final HistoryRunner runner;

    HistoryPlayer(CheckerSetup setup) {
        this.setup = setup;
        this.runner = setup.runners().get();
    }

    /** Plays a single plan twice. Blocks until that is done. */
    public static PlayedHistory play(CheckerSetup setup, Plan plan) throws InterruptedException {
        return SimulationTask.await("replay", () -> {
            try (HistoryPlayer player = new HistoryPlayer(setup)) {
                return player.play(0, plan, true);
            }
        });
    }

    PlayedHistory play(long index, Plan plan, boolean twice) {
        try {
            History history = runner.run(plan);
            Outcome outcome = new Outcome(history, setup.checker().apply(history));
            Violation violation = CheckerSetup.first(outcome.verdict(), setup.counts());
            if (!twice && violation == null) {
                return new PlayedHistory(outcome, null, 0);
            }
            Optional<String> difference = HistoryHash.firstDifference(history, runner.run(plan));
            Failure failure = difference.isPresent()
                    ? new Failure.Unrepeatable(index, plan, difference.get())
                    : violation == null ? null : new Failure.Broken(index, plan, violation);
            return new PlayedHistory(outcome, failure, HistoryHash.of(history));
        } catch (RuntimeException | Error e) {
            return new PlayedHistory(null, new Failure.Crashed(index, plan, e), 0);
        }
    }

    @Override
    public void close() {
        runner.close();
    }
}
