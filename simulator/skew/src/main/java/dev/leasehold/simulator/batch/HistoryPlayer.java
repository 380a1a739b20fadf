package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.report.EventText;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Plays one plan after the other and checks each history. A failing one is played again before it is reported. */
public final class HistoryPlayer implements AutoCloseable {

    private final CheckerSetup setup;
    private final HistoryRunner runner;

    HistoryPlayer(CheckerSetup setup) {
        this.setup = setup;
        this.runner = setup.runners().get();
    }

    /** What happened, and what the checker says about it. */
    public record Outcome(History history, Verdict verdict) {}

    /**
     * What came of one plan.
     *
     * @param outcome null when the simulator crashed
     * @param failure what is wrong with it; null when nothing is
     * @param fingerprint of the history, if it was played twice; else 0
     */
    public record Played(
            @Nullable Outcome outcome, @Nullable Failure failure, long fingerprint) {}

    /** Plays a single plan twice. Blocks until that is done. */
    public static Played play(CheckerSetup setup, Plan plan) throws InterruptedException {
        return SimulationTask.await("replay", () -> {
            try (HistoryPlayer player = new HistoryPlayer(setup)) {
                return player.play(0, plan, true);
            }
        });
    }

    Played play(long index, Plan plan, boolean twice) {
        try {
            History history = runner.run(plan);
            Outcome outcome = new Outcome(history, setup.checker().apply(history));
            Violation violation = CheckerSetup.first(outcome.verdict(), setup.counts());
            if (!twice && violation == null) {
                return new Played(outcome, null, 0);
            }
            Optional<String> difference = EventText.firstDifference(history, runner.run(plan));
            Failure failure = difference.isPresent()
                    ? Failure.unrepeatable(index, plan, difference.get())
                    : violation == null ? null : Failure.broken(index, plan, violation);
            return new Played(outcome, failure, EventText.fingerprint(history));
        } catch (RuntimeException | Error e) {
            return new Played(null, Failure.crashed(index, plan, e), 0);
        }
    }

    @Override
    public void close() {
        runner.close();
    }
}
