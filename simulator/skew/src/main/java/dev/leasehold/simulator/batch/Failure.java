package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.plan.Plan;

/** A history that is not as it should be. */
public sealed interface Failure {

    /** Its place in the batch, from 0. */
    long index();

    Plan plan();

    /** How a run ends if this is all that failed. */
    ExitStatus status();

    /** What failed. */
    String words();

    /** It breaks an invariant, and did so twice in the same way. */
    record Broken(long index, Plan plan, Violation violation) implements Failure {

        @Override
        public ExitStatus status() {
            return violation.guarantee().isSafety() ? ExitStatus.UNSAFE : ExitStatus.NOT_LIVE;
        }

        @Override
        public String words() {
            return violation.guarantee() + " is broken. " + violation.sentence();
        }
    }

    /** Played twice, it went in two ways; the first event that differs. */
    record Unrepeatable(long index, Plan plan, String difference) implements Failure {

        @Override
        public ExitStatus status() {
            return ExitStatus.NOT_DETERMINISTIC;
        }

        @Override
        public String words() {
            return "played twice, it went in two ways: " + difference;
        }
    }

    /** The simulator or the engine crashed. */
    record Crashed(long index, Plan plan, Throwable thrown) implements Failure {

        @Override
        public ExitStatus status() {
            return ExitStatus.CRASHED;
        }

        @Override
        public String words() {
            return "could not be played: " + thrown;
        }
    }
}
