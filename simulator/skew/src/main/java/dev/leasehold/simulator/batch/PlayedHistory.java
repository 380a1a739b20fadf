package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.plan.History;
import org.jspecify.annotations.Nullable;

/**
 * What came of one plan.
 *
 * @param outcome what happened and what the checker says about it; null when the simulator crashed
 * @param failure what is wrong with it; null when nothing is
 * @param hash of the history, if it was played twice; else 0
 */
public record PlayedHistory(
        @Nullable Outcome outcome, @Nullable Failure failure, long hash) {

    /** What happened, and what the checker says about it. */
    public record Outcome(History history, Verdict verdict) {}
}
