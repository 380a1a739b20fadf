package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.check.Verdict;
import dev.leasehold.simulator.check.Violation;
import dev.leasehold.simulator.history.History;
import dev.leasehold.simulator.history.HistoryRunner;
import dev.leasehold.simulator.plan.Plan;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How histories come to be, and who judges them.
 *
 * @param plans draws the plan of a seed
 * @param runners each makes a player of plans for one job
 * @param judge says which promises a history kept
 * @param wanted picks the violation that counts, of those that a judge found; null when none of them does
 */
public record Bench(
        LongFunction<Plan> plans,
        Supplier<HistoryRunner> runners,
        Function<History, Verdict> judge,
        Function<Verdict, @Nullable Violation> wanted) {

    /** A bench on which every violation counts. */
    public static Bench of(
            LongFunction<Plan> plans, Supplier<HistoryRunner> runners, Function<History, Verdict> judge) {
        return new Bench(plans, runners, judge, Verdict::first);
    }
}
