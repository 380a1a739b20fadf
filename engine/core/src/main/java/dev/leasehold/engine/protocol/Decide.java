package dev.leasehold.engine.protocol;

import static dev.leasehold.engine.protocol.Preconditions.hasCertainlyExpired;
import static dev.leasehold.engine.protocol.Preconditions.isHeldUnder;
import static dev.leasehold.engine.protocol.Preconditions.isLongVacant;
import static dev.leasehold.engine.protocol.Preconditions.isTermLease;
import static dev.leasehold.engine.protocol.Preconditions.runsLongEnough;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.ClockAnomalyException;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.engine.protocol.Decision.Rests;
import dev.leasehold.engine.protocol.Sighting.Lease;
import dev.leasehold.engine.store.LeaseDocument;
import dev.leasehold.engine.store.LeaseWrite;
import dev.leasehold.engine.time.Belief;
import dev.leasehold.engine.time.SafeAfter;
import org.jspecify.annotations.Nullable;

/** What follows for one request from what was seen. A pure function. */
public final class Decide {

    private final Request request;
    private final Situation at;
    private final @Nullable Belief belief;

    private Decide(Request request, Situation at, @Nullable Belief belief) {
        this.request = request;
        this.at = at;
        this.belief = belief;
    }

    /**
     * Decides.
     *
     * @param request what is asked
     * @param sighting what is known of the lease
     * @param at who decides, and when
     * @param belief what this engine believes of the request's tenure; null for nothing
     */
    public static Decision decide(Request request, Sighting sighting, Situation at, @Nullable Belief belief) {
        try {
            return new Decide(request, at, belief).on(sighting);
        } catch (ArithmeticException e) {
            return new Decision.Impossible(new ClockAnomalyException(
                    request.describe() + " in namespace '" + at.namespace() + "': " + e.getMessage(), e));
        }
    }

    private Decision on(Sighting sighting) {
        if (sighting instanceof Sighting.Unusable unusable) {
            return new Decision.Impossible(
                    new CorruptDocumentException(unusable.documentId(), unusable.field(), unusable.found()));
        }
        return sighting instanceof Lease lease ? onDocument(lease) : onNothing(sighting);
    }

    private Decision onNothing(Sighting nothing) {
        if (request instanceof Request.Claim claim) {
            return first(claim);
        }
        return refuse(Reason.NO_SUCH_LEASE, nothing);
    }

    private Decision onDocument(Lease lease) {
        if (request instanceof Request.Claim claim) {
            return claim(claim, lease);
        }
        if (request instanceof Request.TakeOver takeOver) {
            return takeOver(takeOver, lease);
        }
        if (request instanceof Request.Extend extend) {
            return extend(extend, lease);
        }
        if (request instanceof Request.Release release) {
            return release(release, lease);
        }
        return request instanceof Request.Expire ? expire(lease) : remove(lease);
    }

    private Decision first(Request.Claim claim) {
        Tenure tenure = new Tenure(at.namespace(), claim.name(), claim.holder(), Math.addExact(at.tokenFloor(), 1));
        LeaseDocument document = held(tenure, claim.durationNanos(), claim.comment());
        return new Decision.Write(
                new LeaseWrite.Insert(document), tenure, termFor(claim.durationNanos()), new Rests.OnTokenFloor());
    }

    private Decision claim(Request.Claim claim, Lease lease) {
        if (lease.isHeld()) {
            boolean past = hasCertainlyExpired(lease, at.nowNanos());
            return refuse(past ? Reason.HELD_PAST_EXPIRY : Reason.HELD, lease);
        }
        return beginTenure(lease, claim.holder(), claim.durationNanos(), claim.comment());
    }

    private Decision takeOver(Request.TakeOver takeOver, Lease lease) {
        Reason objection = objectionToEnding(lease);
        if (objection != null) {
            return refuse(objection, lease);
        }
        return beginTenure(lease, takeOver.holder(), takeOver.durationNanos(), takeOver.comment());
    }

    private Decision expire(Lease lease) {
        Reason objection = objectionToEnding(lease);
        return objection == null ? endTenure(lease) : refuse(objection, lease);
    }

    private @Nullable Reason objectionToEnding(Lease lease) {
        if (!lease.isHeld()) {
            return Reason.VACANT;
        }
        if (!isTermLease(lease)) {
            return Reason.SESSION_LEASE;
        }
        return hasCertainlyExpired(lease, at.nowNanos()) ? null : Reason.NOT_EXPIRED;
    }

    private Decision extend(Request.Extend extend, Lease lease) {
        Reason objection = objectionToActingAs(extend.tenure(), lease);
        if (objection != null) {
            return refuse(objection, lease);
        }
        if (runsLongEnough(lease, belief, at, extend.durationNanos())) {
            return new Decision.AlreadySo(extend.tenure(), termFor(extend.durationNanos()));
        }
        LeaseDocument seen = lease.document();
        long expiryNanos = Math.max(expiryNanos(extend.durationNanos()), oldExpiryOnMyClock(lease));
        LeaseDocument next = written(seen.holder(), seen, seen.token(), expiryNanos);
        return replace(lease, next, extend.tenure(), termFor(extend.durationNanos()));
    }

    /**
     * The old promise, carried over to the clock of the new writer. Only an instant strictly past the bound is certainly
     * not before the old expiry, hence the one nanosecond.
     */
    private static long oldExpiryOnMyClock(Lease lease) {
        return lease.own() ? lease.safeAfterNanos() : SafeAfter.firstNanosAfter(lease.safeAfterNanos());
    }

    private Decision release(Request.Release release, Lease lease) {
        Reason objection = objectionToActingAs(release.tenure(), lease);
        return objection == null ? endTenure(lease) : refuse(objection, lease);
    }

    private @Nullable Reason objectionToActingAs(Tenure tenure, Lease lease) {
        if (!lease.isHeld()) {
            return Reason.VACANT;
        }
        if (!isHeldUnder(tenure, lease)) {
            return Reason.NOT_THAT_TENURE;
        }
        return isTermLease(lease) ? null : Reason.SESSION_LEASE;
    }

    private Decision remove(Lease lease) {
        if (!isLongVacant(lease, at.nowNanos())) {
            return refuse(lease.isHeld() ? Reason.HELD : Reason.NOT_EXPIRED, lease);
        }
        LeaseDocument seen = lease.document();
        LeaseWrite write = new LeaseWrite.Remove(seen.name(), seen.guard(), seen.token());
        return new Decision.Write(write, null, null, new Rests.OnOwnEntry());
    }

    private Decision beginTenure(Lease lease, String holder, long durationNanos, @Nullable String comment) {
        LeaseDocument seen = lease.document();
        Tenure tenure = new Tenure(at.namespace(), seen.name(), holder, Math.addExact(seen.token(), 1));
        return replace(lease, held(tenure, durationNanos, comment), tenure, termFor(durationNanos));
    }

    private Decision endTenure(Lease lease) {
        LeaseDocument seen = lease.document();
        return replace(lease, written(null, seen, seen.token(), null), seen.tenure(), null);
    }

    private LeaseDocument held(Tenure tenure, long durationNanos, @Nullable String comment) {
        return new LeaseDocument(
                at.namespace(),
                tenure.name(),
                tenure.holder(),
                tenure.token(),
                at.writer(),
                at.stampNanos(),
                expiryNanos(durationNanos),
                0,
                comment,
                at.wallTime());
    }

    private LeaseDocument written(
            @Nullable String holder, LeaseDocument seen, long token, @Nullable Long expiryNanos) {
        return new LeaseDocument(
                at.namespace(),
                seen.name(),
                holder,
                token,
                at.writer(),
                at.stampNanos(),
                expiryNanos,
                seen.gates(),
                holder == null ? null : seen.comment(),
                seen.since());
    }

    /**
     * Counted from the stamp, which is ahead of the reading where the clock stands still: others take the stamp for a reading,
     * and would be early by as much if the expiry were not late by as much. The holder believes by the reading.
     */
    private long expiryNanos(long durationNanos) {
        return Math.addExact(at.stampNanos(), durationNanos);
    }

    private Hold termFor(long durationNanos) {
        return new Hold.Term(Belief.from(at.nowNanos(), at.wallNanos(), durationNanos));
    }

    private static Decision replace(Lease lease, LeaseDocument next, Tenure tenure, @Nullable Hold hold) {
        Rests rests = lease.orphaned() ? new Rests.OnAbsentWriter(lease.document().writer()) : new Rests.OnOwnEntry();
        return new Decision.Write(new LeaseWrite.Replace(lease.document().guard(), next, false), tenure, hold, rests);
    }

    private Decision refuse(Reason reason, Sighting sighting) {
        String operation = request.describe() + " in namespace '" + at.namespace() + "'";
        return new Decision.Refused(new Refusal(operation, reason, Standing.of(sighting, at.nowNanos())));
    }
}
