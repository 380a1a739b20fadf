package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MICRO;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;

import dev.leasehold.simulator.conditions.Draws;

/**
 * Has some acquisitions of some histories cancelled: while they wait, or while the grant is on its way. Draws from a stream of its own:
 * what else is in a plan does not depend on it.
 */
final class CancelDraw {

    private static final int HISTORIES_ONE_IN = 4;
    private static final int ACQUISITIONS_ONE_IN = 3;

    private final Draws draws;
    private final boolean cancels;

    CancelDraw(Draws draws) {
        this.draws = draws;
        this.cancels = draws.oneIn(HISTORIES_ONE_IN);
    }

    Action given(Action action) {
        return cancels && action instanceof Action.Acquire acquire && draws.oneIn(ACQUISITIONS_ONE_IN)
                ? acquire.withCancel(afterNanos(acquire))
                : action;
    }

    private long afterNanos(Action.Acquire acquire) {
        return draws.coin() ? draws.spread(MICRO, 300 * MILLI) : draws.upTo(acquire.waitNanos() + SECOND);
    }
}
