package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.plan.Plan;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where plans come from, what plays them, and what checks the histories.
 *
 * @param plans draws the plan of a seed
 * @param runners makes a player of plans for one job
 * @param checker says which invariants a history kept; used by all jobs
 * @param counts whether it matters that an invariant is broken
 */
public record CheckerSetup(
        LongFunction<Plan> plans,
        Supplier<HistoryRunner> runners,
        Function<History, Verdict> checker,
        Predicate<Guarantee> counts) {

    /**
     * The same for a mutant: what the unchanged engine breaks as well, on the same plan, does not count. Only what breaks something is
     * played once more.
     *
     * @param unchanged makes a player of plans with the unchanged engine
     */
    public CheckerSetup comparedWith(Supplier<HistoryRunner> unchanged) {
        return new CheckerSetup(plans, runners, history -> ownViolations(history, unchanged), counts);
    }

    private Verdict ownViolations(History history, Supplier<HistoryRunner> unchanged) {
        Verdict verdict = checker.apply(history);
        if (first(verdict, counts) == null) {
            return verdict;
        }
        try (HistoryRunner runner = unchanged.get()) {
            Verdict without = checker.apply(runner.run(history.plan()));
            List<Violation> own = verdict.violations().stream()
                    .filter(violation -> first(without, violation.guarantee()::equals) == null)
                    .toList();
            return new Verdict(own, verdict.reached());
        }
    }

    /** The first violation of such an invariant; null when there is none. */
    static @Nullable Violation first(Verdict verdict, Predicate<Guarantee> invariants) {
        for (Violation violation : verdict.violations()) {
            if (invariants.test(violation.guarantee())) {
                return violation;
            }
        }
        return null;
    }
}
