package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.plan.Plan;
import org.jspecify.annotations.Nullable;

/**
 * A history that is not as it should be.
 *
 * @param index its place in the batch, from 0
 * @param status how a run ends if this is all that failed
 * @param words what failed
 * @param violation of the invariant that it broke, twice in the same way; null when it failed otherwise
 * @param thrown with which the simulator or the engine crashed; null when neither did
 */
public record Failure(
        long index,
        Plan plan,
        ExitStatus status,
        String words,
        @Nullable Violation violation,
        @Nullable Throwable thrown) {

    static Failure broken(long index, Plan plan, Violation violation) {
        ExitStatus status = violation.guarantee().isSafety() ? ExitStatus.UNSAFE : ExitStatus.NOT_LIVE;
        String words = violation.guarantee() + " is broken. " + violation.sentence();
        return new Failure(index, plan, status, words, violation, null);
    }

    static Failure unrepeatable(long index, Plan plan, String difference) {
        String words = "played twice, it went in two ways: " + difference;
        return new Failure(index, plan, ExitStatus.NOT_DETERMINISTIC, words, null, null);
    }

    static Failure crashed(long index, Plan plan, Throwable thrown) {
        return new Failure(index, plan, ExitStatus.CRASHED, "could not be played: " + thrown, null, thrown);
    }
}
