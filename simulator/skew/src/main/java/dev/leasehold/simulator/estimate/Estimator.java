package dev.leasehold.simulator.estimate;

import dev.leasehold.simulator.conditions.SeededRandom;
import dev.leasehold.simulator.estimate.Circumstances.Kind;
import dev.leasehold.simulator.plan.HistoryRunner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/** Plays histories and measures them. Used by one thread. */
public final class Estimator {

    /** As many for each line as make no more than a day of it. */
    public static final int HISTORIES_MAX = 1_000_000;

    private final HistoryRunner runner;
    private final Circumstances circumstances;
    private final long seed;
    private final int histories;
    private final IntConsumer watcher;
    private int played;

    /**
     * Will play them.
     *
     * @param runner plays histories
     * @param circumstances for which
     * @param seed everything is drawn from it
     * @param histories how many for each line of the result, 1 to {@value #HISTORIES_MAX}
     * @param watcher is told after each history how many were played
     */
    public Estimator(HistoryRunner runner, Circumstances circumstances, long seed, int histories, IntConsumer watcher) {
        if (histories < 1 || histories > HISTORIES_MAX) {
            throw new IllegalArgumentException(
                    histories + " histories are refused: 1 to " + HISTORIES_MAX + " are possible");
        }
        this.runner = runner;
        this.circumstances = circumstances;
        this.seed = seed;
        this.histories = histories;
        this.watcher = watcher;
    }

    /** How many histories are played for a number of histories for each line. */
    public static int total(int histories) {
        return histories * Kind.values().length * Scenario.values().length;
    }

    /** Plays and measures all of them. */
    public Estimate estimate() {
        List<TakeOvers> takeOvers = new ArrayList<>();
        List<Gates> gates = new ArrayList<>();
        for (Scenario scenario : Scenario.values()) {
            for (Kind kind : Kind.values()) {
                if (scenario.isDeath()) {
                    takeOvers.add(takeOvers(kind, scenario));
                } else {
                    gates.add(gates(kind, scenario));
                }
            }
        }
        return new Estimate(circumstances, histories, takeOvers, gates);
    }

    private TakeOvers takeOvers(Kind kind, Scenario scenario) {
        long[] nanos = new long[histories];
        int came = 0;
        SeededRandom seeds = new SeededRandom(seed);
        for (int i = 0; i < histories; i++) {
            long delayNanos = play(kind, scenario, seeds.next()).takeOverNanos();
            if (delayNanos != HistoryReading.NEVER) {
                nanos[came] = delayNanos;
                came++;
            }
        }
        Sample delays = new Sample(Arrays.copyOf(nanos, came));
        return new TakeOvers(kind, scenario, delays, histories - came, circumstances.ruleNanos(kind));
    }

    private Gates gates(Kind kind, Scenario scenario) {
        GateShares shares = GateShares.NONE;
        SeededRandom seeds = new SeededRandom(seed);
        for (int i = 0; i < histories; i++) {
            shares = shares.plus(play(kind, scenario, seeds.next()).gates());
        }
        return new Gates(kind, scenario, shares);
    }

    private HistoryReading play(Kind kind, Scenario scenario, long ofSeed) {
        HistoryReading reading =
                new HistoryReading(runner.run(new PlanDraw(circumstances, kind, scenario, ofSeed).plan()));
        played++;
        watcher.accept(played);
        return reading;
    }
}
