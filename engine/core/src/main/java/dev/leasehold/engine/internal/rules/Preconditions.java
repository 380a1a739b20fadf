package dev.leasehold.engine.internal.rules;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.rules.ObservedLease.Lease;
import dev.leasehold.engine.internal.time.ExpiryBound;
import dev.leasehold.engine.internal.time.Validity;
import org.jspecify.annotations.Nullable;

/**
 * The named preconditions of operations. A precondition decides; the guard of the write makes the database check the
 * same facts again.
 */
final class Preconditions {

    private Preconditions() {}

    /** A held lease has this holder and this token: the same tenure, expired or not. */
    static boolean isHeldUnder(Tenure tenure, Lease held) {
        return held.document().token() == tenure.token() && isHeldBy(tenure.holder(), held);
    }

    /** A held lease has this holder, under any token. */
    static boolean isHeldBy(String holder, Lease held) {
        return holder.equals(held.document().holder());
    }

    /**
     * The clock of a held lease's last writer is certainly past the expiry, or past the end of the session that keeps
     * the lease. At the bound itself nothing is certain yet. This engine's own session never counts as expired: another
     * engine evicts it, or this engine leaves.
     */
    static boolean hasCertainlyExpired(Lease held, long nowNanos) {
        boolean ownSession = held.own() && held.document().isSessionLease();
        return !ownSession && ExpiryBound.hasPassed(nowNanos, held.safeAfterNanos());
    }

    /**
     * The lease is vacant and must not be acquired yet: its last writer's clock is not certainly past the time set at
     * the release.
     */
    static boolean isKeptFree(Lease lease, long nowNanos) {
        return !ExpiryBound.hasPassed(nowNanos, lease.freeAfterNanos());
    }

    /** An entity has pinned the lease, so it must not be acquired. */
    static boolean isPinned(Lease lease) {
        return !lease.document().pins().isEmpty();
    }

    /**
     * Another engine has granted the lease to the ticket of this acquisition, which is still open. The stamp is compared, since this engine
     * may have other tickets, closed ones too.
     */
    static boolean isGrantTo(Request.Acquire acquire, Lease held) {
        Long ticketNanos = acquire.ticketNanos();
        return held.own()
                && ticketNanos != null
                && held.document().writtenNanos() == ticketNanos
                && held.document().isSessionLease()
                && isHeldBy(acquire.holder(), held);
    }

    /** The lease must not be acquired for some time after its release. Then its next tenure does not begin with it. */
    static boolean isToBeKeptFree(Request.Release release, DecisionContext at) {
        return release.notBeforeNanos() != null && release.notBeforeNanos() > at.stampNanos();
    }

    /** The lease has a term of its own. Only its writer may change a session lease. */
    static boolean isTermLease(Lease lease) {
        return !lease.document().isSessionLease();
    }

    /**
     * A vacant lease has been vacant for the whole retention, by its last writer's clock, or by this engine's clock if
     * the writer is gone, and may be acquired.
     */
    static boolean isLongVacant(Lease vacant, long nowNanos) {
        return ExpiryBound.hasPassed(nowNanos, vacant.safeAfterNanos());
    }

    /**
     * The stored term of a held lease already covers the requested duration, so nothing is written. Only this engine's
     * own write can show that: of another engine's write only a "not before" bound is known, and the earliest possible
     * end of its term may be later than the true one. The validity must cover the duration too, also by wall time:
     * after a suspend the stored term may be over although the monotonic clock stood still. And the clock must not have
     * gone back behind the write.
     */
    static boolean runsLongEnough(Lease held, @Nullable Validity validity, DecisionContext at, long durationNanos) {
        return held.own()
                && validity != null
                && held.document().writtenNanos() <= at.nowNanos()
                && at.nowNanos() <= held.safeAfterNanos() - durationNanos
                && validity.remainingNanos(at.nowNanos(), at.wallNanos()) >= durationNanos;
    }
}
