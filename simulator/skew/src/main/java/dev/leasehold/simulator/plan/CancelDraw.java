package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MICRO;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;

import dev.leasehold.simulator.conditions.SeededRandom;

/**
 * Has some acquisitions of some histories cancelled: while they wait, or while the grant is on its way. Draws from a stream of its own:
 * what else is in a plan does not depend on it.
 */
final class CancelDraw {

    private static final int HISTORIES_ONE_IN = 4;
    private static final int ACQUISITIONS_ONE_IN = 3;

    private final SeededRandom seededRandom;
    private final boolean cancels;

    CancelDraw(SeededRandom seededRandom) {
        this.seededRandom = seededRandom;
        this.cancels = seededRandom.oneIn(HISTORIES_ONE_IN);
    }

    Action given(Action action) {
        return cancels && action instanceof Action.Acquire acquire && seededRandom.oneIn(ACQUISITIONS_ONE_IN)
                ? acquire.withCancel(afterNanos(acquire))
                : action;
    }

    private long afterNanos(Action.Acquire acquire) {
        return seededRandom.coin()
                ? seededRandom.spread(MICRO, 300 * MILLI)
                : seededRandom.upTo(acquire.waitNanos() + SECOND);
    }
}
