package dev.leasehold.simulator.plan;

import dev.leasehold.simulator.conditions.SeededRandom;

/**
 * Gives some leases of some histories gate stripes, wherever a handle is acquired whose story says nothing about them. Draws from a
 * stream of its own: what else is in a plan does not depend on it.
 */
final class StripeDraw {

    private static final int HISTORIES_ONE_IN = 6;
    private static final int STRIPES_MOST = 4;

    private final SeededRandom seededRandom;
    private final int[] byLease;

    StripeDraw(SeededRandom seededRandom, int leases) {
        this.seededRandom = seededRandom;
        this.byLease = new int[leases];
        if (seededRandom.oneIn(HISTORIES_ONE_IN)) {
            for (int lease = 0; lease < leases; lease++) {
                byLease[lease] = seededRandom.coin() ? 0 : some();
            }
        }
    }

    private int some() {
        return 1 + seededRandom.pick(STRIPES_MOST);
    }

    /** Now and then another number than the last time, or none, which must not be fewer in the end. */
    Action given(Action action) {
        if (!(action instanceof Action.Acquire acquire) || acquire.stripes() != null || byLease[acquire.lease()] == 0) {
            return action;
        }
        return switch (seededRandom.pick(4)) {
            case 0 -> acquire;
            case 1 -> acquire.withStripes(some());
            default -> acquire.withStripes(byLease[acquire.lease()]);
        };
    }
}
