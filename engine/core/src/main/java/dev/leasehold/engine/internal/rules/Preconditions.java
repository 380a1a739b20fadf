package dev.leasehold.engine.internal.rules;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.rules.ObservedLease.Lease;
import dev.leasehold.engine.internal.time.ExpiryBound;
import dev.leasehold.engine.internal.time.Validity;
import org.jspecify.annotations.Nullable;

/**
 * What an operation may require of a lease, a name each. The same facts are required again by the database, as guards
 * of the write: a precondition decides, the guard makes sure that it still holds.
 */
final class Preconditions {

    private Preconditions() {}

    /** Of a held lease: the same holder, under the same token. One uninterrupted holding, past its expiry or not. */
    static boolean isHeldUnder(Tenure tenure, Lease held) {
        return held.document().token() == tenure.token() && isHeldBy(tenure.holder(), held);
    }

    /** Of a held lease: the same holder, under whichever token. */
    static boolean isHeldBy(String holder, Lease held) {
        return holder.equals(held.document().holder());
    }

    /**
     * Of a held lease: its last writer's clock is certainly past the expiry that it wrote, or past the end of the session
     * that keeps the lease. Equality proves nothing yet. This engine's own session is never over in its own eyes: others end
     * it, or it ends it itself by leaving.
     */
    static boolean hasCertainlyExpired(Lease held, long nowNanos) {
        boolean ownSession = held.own() && held.document().isSessionLease();
        return !ownSession && ExpiryBound.hasPassed(nowNanos, held.safeAfterNanos());
    }

    /** Nobody holds it, and it is not certain yet that its last writer's clock has passed the time for which it is kept free. */
    static boolean isKeptFree(Lease lease, long nowNanos) {
        return !ExpiryBound.hasPassed(nowNanos, lease.freeAfterNanos());
    }

    /** Somebody wants that nobody takes it. */
    static boolean isPinned(Lease lease) {
        return !lease.document().pins().isEmpty();
    }

    /** The lease carries its own term; a session lease is its writer's alone to change. */
    static boolean isTermLease(Lease lease) {
        return !lease.document().isSessionLease();
    }

    /**
     * Of a lease that nobody holds: nobody has held it for the whole retention, by its last writer's clock, or by this one where
     * the writer is gone; nor is it kept free by then.
     */
    static boolean isLongVacant(Lease vacant, long nowNanos) {
        return ExpiryBound.hasPassed(nowNanos, vacant.safeAfterNanos());
    }

    /**
     * Of a held term lease: the term that is stored covers what is asked, and nothing needs to be written. Only this
     * engine's own write can tell: what another engine wrote is known here no better than "not before", and the earliest
     * possible end of its term may lie behind the true one. The belief must cover it too, by the wall as well: after a
     * suspend the stored term may be over although the monotonic clock stood still. And the clock must not have gone back
     * behind the write itself.
     */
    static boolean runsLongEnough(Lease held, @Nullable Validity validity, DecisionContext at, long durationNanos) {
        return held.own()
                && validity != null
                && held.document().writtenNanos() <= at.nowNanos()
                && at.nowNanos() <= held.safeAfterNanos() - durationNanos
                && validity.remainingNanos(at.nowNanos(), at.wallNanos()) >= durationNanos;
    }
}
