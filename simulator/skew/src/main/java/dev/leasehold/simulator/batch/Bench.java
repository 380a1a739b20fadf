package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How histories come to be, and who judges them.
 *
 * @param plans draws the plan of a seed
 * @param runners each makes a player of plans for one job
 * @param judge says which promises a history kept; used by all jobs
 * @param counts whether it matters that a promise is broken
 */
public record Bench(
        LongFunction<Plan> plans,
        Supplier<HistoryRunner> runners,
        Function<History, Verdict> judge,
        Predicate<Guarantee> counts) {

    /**
     * The same, for an engine with a mutant: what the engine without it breaks as well, on the same plan, is not the mutant's doing, and is not
     * held against it. Only what breaks something is played once more.
     *
     * @param sound each makes a player of plans without the mutant
     */
    public Bench blaming(Supplier<HistoryRunner> sound) {
        return new Bench(plans, runners, history -> itsOwnDoing(history.plan(), judge.apply(history), sound), counts);
    }

    private Verdict itsOwnDoing(Plan plan, Verdict verdict, Supplier<HistoryRunner> sound) {
        if (first(verdict, counts) == null) {
            return verdict;
        }
        try (HistoryRunner runner = sound.get()) {
            Verdict without = judge.apply(runner.run(plan));
            List<Violation> own = new ArrayList<>();
            for (Violation violation : verdict.violations()) {
                if (first(without, violation.guarantee()::equals) == null) {
                    own.add(violation);
                }
            }
            return new Verdict(own, verdict.overlaps(), verdict.reached());
        }
    }

    /** The first violation of a promise that counts; null when there is none. */
    static @Nullable Violation first(Verdict verdict, Predicate<Guarantee> counts) {
        for (Violation violation : verdict.violations()) {
            if (counts.test(violation.guarantee())) {
                return violation;
            }
        }
        return null;
    }
}
