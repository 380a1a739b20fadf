package dev.leasehold.engine.internal.commit;

/** What the write that ended a tenure has made of the lease. */
public enum ReleaseOutcome {
    /** Nothing: the tenure was over before. */
    OVER_BEFORE,
    /** Vacant. */
    VACANT,
    /** Held by the ticket of another engine. */
    GRANTED,
    /** The same, of the instance that was asked for. */
    GRANTED_AS_ASKED,
    /** Held by a waiter of this engine. */
    NEXT,
    /** Nothing yet: the tenure was not ended. */
    NOT_RELEASED;

    /** Whether the tenure is certainly over. */
    public boolean isOver() {
        return this != NOT_RELEASED;
    }

    /** Whether the next tenure has begun in the same write. */
    public boolean isHandOver() {
        return this == GRANTED || this == GRANTED_AS_ASKED || this == NEXT;
    }
}
