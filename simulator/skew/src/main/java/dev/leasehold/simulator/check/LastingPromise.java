package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Event;

/**
 * The part of G2 about beliefs: who was told that it holds a lease for so long yet is not told less later, as long as it goes on believing.
 * An extension for a shorter time does not shorten what its engine believes either.
 */
final class LastingPromise {

    private final Lives lives;
    private final Patience patience;
    private final Findings findings;

    LastingPromise(Lives lives, Patience patience, Findings findings) {
        this.lives = lives;
        this.patience = patience;
        this.findings = findings;
    }

    /** The end of a belief comes earlier than was said before. */
    void shortened(Belief belief, Event.Believed event) {
        Life life = belief.life();
        if (belief.untilNanos() - event.untilNanos() > mayDifferNanos(life, belief.untilNanos() - event.atNanos())
                && !lives.hasUnevenTime(life.machine(), event.atNanos())) {
            findings.violationInside(
                    Promise.G2,
                    event.atNanos(),
                    event.tenure().lease(),
                    life + " said before "
                            + Words.seconds(event.atNanos()) + " that " + Words.holder(event.tenure())
                            + " holds the lease until "
                            + Words.seconds(belief.untilNanos()) + ", and says now that it does so until "
                            + Words.seconds(event.untilNanos()));
        }
    }

    /** Each stamp that is sent bounds the end by time of day anew, and the two clocks of a machine come to it a little apart. */
    private long mayDifferNanos(Life life, long leftNanos) {
        return patience.outlivedNanos(leftNanos) - leftNanos + 2 * life.wallPrecisionNanos() + life.unseenNanos();
    }
}
