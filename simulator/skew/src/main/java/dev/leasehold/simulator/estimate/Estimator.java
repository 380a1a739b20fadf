package dev.leasehold.simulator.estimate;

import dev.leasehold.simulator.conditions.SeededRandom;
import dev.leasehold.simulator.plan.HistoryRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/** Plays histories and measures them. Used by one thread. */
public final class Estimator {

    /** As many for each line as make no more than a day of it. */
    private static final int HISTORIES_MAX = 1_000_000;

    private final HistoryRunner runner;
    private final EstimateSettings settings;
    private final long seed;
    private final int histories;
    private final IntConsumer watcher;
    private int played;

    /**
     * Will play them.
     *
     * @param runner plays histories
     * @param seed everything is drawn from it
     * @param histories how many for each line of the result
     * @param watcher is told after each history how many were played
     */
    public Estimator(HistoryRunner runner, EstimateSettings settings, long seed, int histories, IntConsumer watcher) {
        this.runner = runner;
        this.settings = settings;
        this.seed = seed;
        this.histories = histories;
        this.watcher = watcher;
    }

    /** How many histories are played for a number of histories for each line. */
    public static int total(int histories) {
        if (histories < 1 || histories > HISTORIES_MAX) {
            throw new IllegalArgumentException(
                    "number of histories " + histories + " is refused: 1 to " + HISTORIES_MAX + " are possible");
        }
        return histories * LeaseKind.values().length * HolderCase.values().length;
    }

    /** Plays and measures all of them. */
    public Estimate estimate() {
        List<Estimate.Line> lines = new ArrayList<>();
        for (HolderCase holder : HolderCase.values()) {
            for (LeaseKind kind : LeaseKind.values()) {
                SeededRandom seeds = new SeededRandom(seed);
                Measurement all = new Measurement();
                for (int i = 0; i < histories; i++) {
                    EstimatePlan plan = new EstimatePlan(settings, kind, holder, seeds.next());
                    all.add(runner.run(plan.plan()));
                    played++;
                    watcher.accept(played);
                }
                lines.add(all.line(kind, holder));
            }
        }
        return new Estimate(settings, histories, lines);
    }
}
