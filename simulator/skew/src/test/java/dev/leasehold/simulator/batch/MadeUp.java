package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.PlanGenerator;
import dev.leasehold.simulator.plan.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/** Histories that were not played, and checkers that say what a test wants. */
public final class MadeUp implements HistoryRunner {

    private static final AtomicLong STAMPS = new AtomicLong();

    private final List<Long> repeatingNot;
    private final List<Long> crashing;

    private MadeUp(List<Long> repeatingNot, List<Long> crashing) {
        this.repeatingNot = repeatingNot;
        this.crashing = crashing;
    }

    /** Plays every plan as one event that comes from its seed. */
    public static HistoryRunner runner() {
        return new MadeUp(List.of(), List.of());
    }

    static HistoryRunner notRepeating(long... seeds) {
        return new MadeUp(list(seeds), List.of());
    }

    static HistoryRunner crashing(long... seeds) {
        return new MadeUp(List.of(), list(seeds));
    }

    private static List<Long> list(long... seeds) {
        List<Long> list = new ArrayList<>();
        for (long seed : seeds) {
            list.add(seed);
        }
        return list;
    }

    @Override
    public History run(Plan plan) {
        if (crashing.contains(plan.seed())) {
            throw new IllegalStateException("no way to play " + plan.seed());
        }
        long stamp = repeatingNot.contains(plan.seed()) ? STAMPS.incrementAndGet() : 0;
        return new History(plan, List.of(new Event.Exceeded(plan.seed(), "made up " + stamp)), List.of(), 1);
    }

    @Override
    public void close() {}

    /** All is well. */
    public static Verdict good() {
        return new Verdict(List.of(), new TreeMap<>());
    }

    /** An invariant is broken. */
    public static Verdict broken(Guarantee guarantee) {
        return new Verdict(List.of(violation(guarantee)), new TreeMap<>());
    }

    static Violation violation(Guarantee guarantee) {
        return new Violation(guarantee, 7, "lease-0", "h was granted lease-0, and had it not");
    }

    /** A state was reached once. */
    static Verdict reaching(String state) {
        TreeMap<String, Long> reached = new TreeMap<>();
        reached.put(state, 1L);
        return new Verdict(List.of(), reached);
    }

    static Plan plan(long seed) {
        return PlanGenerator.draw(Profile.CALM, seed, 1_000);
    }

    /** A checker that goes by the seed alone. */
    static CheckerSetup setup(HistoryRunner runner, LongFunction<Verdict> verdicts) {
        return new CheckerSetup(
                MadeUp::plan,
                () -> runner,
                history -> verdicts.apply(history.plan().seed()),
                guarantee -> true);
    }
}
