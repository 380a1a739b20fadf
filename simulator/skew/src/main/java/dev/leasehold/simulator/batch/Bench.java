package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.check.Promise;
import dev.leasehold.simulator.check.Verdict;
import dev.leasehold.simulator.check.Violation;
import dev.leasehold.simulator.history.History;
import dev.leasehold.simulator.history.HistoryRunner;
import dev.leasehold.simulator.plan.Plan;
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
        Predicate<Promise> counts) {

    /** The first violation of a promise that counts; null when there is none. */
    static @Nullable Violation first(Verdict verdict, Predicate<Promise> counts) {
        for (Violation violation : verdict.violations()) {
            if (counts.test(violation.promise())) {
                return violation;
            }
        }
        return null;
    }
}
