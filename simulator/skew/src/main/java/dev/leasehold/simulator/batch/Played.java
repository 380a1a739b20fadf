package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.plan.History;
import org.jspecify.annotations.Nullable;

/**
 * What came of one history.
 *
 * @param history what happened; null when the simulator failed
 * @param verdict what the judges say; null when there was nothing to be judged
 * @param failure what is wrong with it; null when nothing is
 * @param hash of the history, if it was played twice; else 0
 */
public record Played(
        @Nullable History history,
        @Nullable Verdict verdict,
        @Nullable Failure failure,
        long hash) {

    static Played crashed(Failure.Crashed failure) {
        return new Played(null, null, failure, 0);
    }
}
