package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.internal.runtime.Backoff;

/**
 * How many others write the clock document, as far as conflicts tell, and how long to wait after one. Used by the engine's own
 * thread alone.
 *
 * <p>Each conflict raises the level by one, and each transaction that gets through lowers it, so that it settles where half of the
 * tries are in vain. It outlasts the operations: one that comes into a crowd does not begin by hammering. Within the crowd, who
 * has failed more often waits less, so that nobody is overtaken for ever. Whoever fails all the same does so for another reason
 * than a crowd, and waits longest.
 */
final class ContentionBackoff {

    private static final int LEVEL_MAX = 8;
    private static final int FAILURES_IN_A_CROWD = 10;

    private int level;

    /** A transaction met a conflict that may have been about the clock. */
    void conflicted() {
        level = Math.min(level + 1, LEVEL_MAX);
    }

    /** A transaction was committed. */
    void committed() {
        level = Math.max(level - 1, 0);
    }

    /**
     * How long those wait at the most who met a conflict that may have been about the clock, once that is noted here.
     *
     * @param failures of the one that failed most often, 1 or more
     */
    long windowNanos(int failures) {
        return Backoff.windowNanos(failures > FAILURES_IN_A_CROWD ? failures : Math.max(1, level - failures / 2));
    }
}
