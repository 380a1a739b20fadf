package dev.leasehold.simulator.history;

import org.jspecify.annotations.Nullable;

/**
 * What was asked of an engine.
 *
 * @param lease about which lease; null for all
 * @param holder for which it is, or the entity that pins it; null where the operation names none
 * @param tenure about which tenure; null where the operation names none
 * @param durationNanos for how long; for an acquisition by session the length of the session; 0 where nothing is asked for a time
 * @param session whether the lease is to be kept by the session
 * @param waitNanos for how long an acquisition waits while others hold the lease; 0 for all others
 * @param supersede whether an acquisition takes it from the same holder in another engine
 * @param atLeastNanos for how long since an acquisition no other holder is to have the lease; 0 for no time, and for all others
 * @param handle which handle is closed: the call by which it was acquired; null for all others
 * @param priority with which an acquisition waits; null for none of its own
 * @param forgetful whether a caller's transaction forgets to assert when it is run again, by its own mistake
 * @param occurrence which occurrence of the work of the lease a caller's transaction does, or is looked for; null for none
 */
public record Operation(
        Kind kind,
        @Nullable String lease,
        @Nullable String holder,
        @Nullable HeldTenure tenure,
        long durationNanos,
        boolean session,
        long waitNanos,
        boolean supersede,
        long atLeastNanos,
        @Nullable Integer handle,
        @Nullable Integer priority,
        boolean forgetful,
        @Nullable String occurrence) {

    /** What a campaign of a leader election waits: longer than any history, and from the end of the queue again after each failure. */
    public static final long FOR_EVER_NANOS = 7_200_000_000_000L;

    /** One that takes what it can have, and keeps no other holder from it afterwards. */
    public Operation(
            Kind kind,
            @Nullable String lease,
            @Nullable String holder,
            @Nullable HeldTenure tenure,
            long durationNanos,
            boolean session,
            long waitNanos) {
        this(kind, lease, holder, tenure, durationNanos, session, waitNanos, false, 0, null, null, false);
    }

    /** One that is about no occurrence. */
    public Operation(
            Kind kind,
            @Nullable String lease,
            @Nullable String holder,
            @Nullable HeldTenure tenure,
            long durationNanos,
            boolean session,
            long waitNanos,
            boolean supersede,
            long atLeastNanos,
            @Nullable Integer handle,
            @Nullable Integer priority,
            boolean forgetful) {
        this(
                kind,
                lease,
                holder,
                tenure,
                durationNanos,
                session,
                waitNanos,
                supersede,
                atLeastNanos,
                handle,
                priority,
                forgetful,
                null);
    }

    /** One that does not wait while others hold the lease. */
    public Operation(
            Kind kind,
            @Nullable String lease,
            @Nullable String holder,
            @Nullable HeldTenure tenure,
            long durationNanos,
            boolean session) {
        this(kind, lease, holder, tenure, durationNanos, session, 0);
    }

    /** Which operation. */
    public enum Kind {
        CLAIM,
        TAKE_OVER,
        EXTEND,
        RELEASE,
        EXPIRE,
        REFRESH,
        LIST,
        HOUSEKEEPING,
        ACQUIRE,
        CLOSE_HANDLE,
        STEP_DOWN,
        GATE,
        /** Looks whether an occurrence was done. */
        FIND_OCCURRENCE,
        CHECK,
        FORCE_EXPIRE,
        PIN,
        UNPIN,
        CLOSE_ENGINE
    }
}
