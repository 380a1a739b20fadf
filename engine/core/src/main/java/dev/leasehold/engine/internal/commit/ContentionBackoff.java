package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.internal.runtime.Backoff;

/**
 * Estimates the contention on the clock document from conflicts, and gives the wait after one. Engine thread only.
 *
 * <p>Each conflict raises the level by one and each committed transaction lowers it by one, so it settles where half of
 * the attempts fail. The level outlasts the operations: a new operation under contention waits long from its first
 * conflict on. An operation that has failed more often waits less, so that none is overtaken for ever. If one still
 * fails after many attempts, contention is not the reason, and it waits longest.
 */
final class ContentionBackoff {

    private static final int LEVEL_MAX = 8;
    private static final int CONTENTION_FAILURES_MAX = 10;

    private int level;

    /** A transaction met a conflict that may have been on the clock. */
    void conflicted() {
        level = Math.min(level + 1, LEVEL_MAX);
    }

    /** A transaction was committed. */
    void committed() {
        level = Math.max(level - 1, 0);
    }

    /**
     * The longest wait after a conflict that may have been on the clock. Call it after {@link #conflicted}.
     *
     * @param failures of the operation that failed most often, 1 or more
     */
    long windowNanos(int failures) {
        return Backoff.windowNanos(failures > CONTENTION_FAILURES_MAX ? failures : Math.max(1, level - failures / 2));
    }
}
