package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.time.Validity;
import org.jspecify.annotations.Nullable;

/**
 * What this engine knows of the tenure under which it observes a lease as held.
 *
 * @param validity the validity of the tenure in this process; null if it has none
 * @param over true if the tenure was released or lost in this engine and the database still shows it. Its holder may
 *     begin another tenure, but never gets this one back
 * @param sessionValid whether the session of this engine keeps what is granted to it now
 * @param queue the tickets as read under this tenure; null if they were not
 */
public record LocalKnowledge(
        @Nullable Validity validity,
        boolean over,
        boolean sessionValid,
        @Nullable WaitQueue queue) {

    /** A tenure that is not held through this engine. */
    public static final LocalKnowledge NOTHING = new LocalKnowledge(null, false, false, null);
}
