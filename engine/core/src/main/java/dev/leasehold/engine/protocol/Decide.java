package dev.leasehold.engine.protocol;

import static dev.leasehold.engine.protocol.Preconditions.hasCertainlyExpired;
import static dev.leasehold.engine.protocol.Preconditions.isHeldBy;
import static dev.leasehold.engine.protocol.Preconditions.isHeldUnder;
import static dev.leasehold.engine.protocol.Preconditions.isKeptFree;
import static dev.leasehold.engine.protocol.Preconditions.isLongVacant;
import static dev.leasehold.engine.protocol.Preconditions.isPinned;
import static dev.leasehold.engine.protocol.Preconditions.isTermLease;
import static dev.leasehold.engine.protocol.Preconditions.runsLongEnough;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.ClockAnomalyException;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.engine.protocol.Sighting.Lease;
import org.jspecify.annotations.Nullable;

/** What follows for one request from what was seen. A pure function. */
public final class Decide {

    private final Request request;
    private final Situation at;
    private final Memory memory;
    private final Writes writes;

    private Decide(Request request, Situation at, Memory memory) {
        this.request = request;
        this.at = at;
        this.memory = memory;
        this.writes = new Writes(at);
    }

    /**
     * Decides.
     *
     * @param request what is asked
     * @param sighting what is known of the lease
     * @param at who decides, and when
     * @param memory of the tenure that was seen
     */
    public static Decision decide(Request request, Sighting sighting, Situation at, Memory memory) {
        try {
            return new Decide(request, at, memory).on(sighting);
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
        return request instanceof Request.ToHold asked && !(request instanceof Request.TakeOver)
                ? writes.first(asked)
                : refuse(Reason.NO_SUCH_LEASE, nothing);
    }

    private Decision onDocument(Lease lease) {
        if (request instanceof Request.Claim claim) {
            return claim(claim, lease);
        }
        if (request instanceof Request.TakeOver takeOver) {
            return takeOver(takeOver, lease);
        }
        if (request instanceof Request.Acquire acquire) {
            return acquire(acquire, lease);
        }
        if (request instanceof Request.Extend extend) {
            return extend(extend, lease);
        }
        if (request instanceof Request.Release release) {
            return release(release, lease);
        }
        if (request instanceof Request.ForceExpire forced) {
            return forceExpire(forced, lease);
        }
        if (request instanceof Request.Pin pin) {
            return writes.pin(lease, pin);
        }
        return request instanceof Request.Expire ? expire(lease) : remove(lease);
    }

    private Decision claim(Request.Claim claim, Lease lease) {
        if (lease.isHeld()) {
            boolean past = hasCertainlyExpired(lease, at.nowNanos());
            return refuse(past ? Reason.HELD_PAST_EXPIRY : Reason.HELD, lease);
        }
        return begin(claim, lease);
    }

    private Decision takeOver(Request.TakeOver takeOver, Lease lease) {
        Reason objection = objectionToEnding(lease);
        return objection == null ? begin(takeOver, lease) : refuse(objection, lease);
    }

    private Decision acquire(Request.Acquire acquire, Lease lease) {
        if (!lease.isHeld()) {
            return begin(acquire, lease);
        }
        if (hasCertainlyExpired(lease, at.nowNanos()) || isGivenUpBy(acquire.holder(), lease)) {
            return begin(acquire, lease);
        }
        return maySupersede(acquire, lease) ? supersede(acquire, lease) : refuse(Reason.HELD, lease);
    }

    /** Whether its holder has done with it through this engine, and the word of that is still on its way to the database. */
    private boolean isGivenUpBy(String holder, Lease lease) {
        return lease.own() && memory.over() && isHeldBy(holder, lease);
    }

    /** What this very engine keeps for that holder is no other incarnation's. */
    private static boolean maySupersede(Request.Acquire acquire, Lease lease) {
        return acquire.supersede() && !lease.own() && isHeldBy(acquire.holder(), lease);
    }

    private Decision supersede(Request.Acquire acquire, Lease lease) {
        return isPinned(lease) ? refuse(Reason.PINNED, lease) : writes.superseding(acquire, lease);
    }

    private Decision begin(Request.ToHold asked, Lease lease) {
        if (isPinned(lease)) {
            return refuse(Reason.PINNED, lease);
        }
        return isKeptFree(lease, at.nowNanos()) ? refuse(Reason.NOT_YET, lease) : writes.next(asked, lease);
    }

    private Decision expire(Lease lease) {
        Reason objection = objectionToEnding(lease);
        if (objection != null) {
            return refuse(objection, lease);
        }
        return isPinned(lease) ? refuse(Reason.PINNED, lease) : writes.end(lease, true, null);
    }

    private @Nullable Reason objectionToEnding(Lease lease) {
        if (!lease.isHeld()) {
            return Reason.VACANT;
        }
        return hasCertainlyExpired(lease, at.nowNanos()) ? null : Reason.NOT_EXPIRED;
    }

    private Decision extend(Request.Extend extend, Lease lease) {
        Reason objection = objectionToActingAs(extend.tenure(), lease);
        if (objection != null) {
            return refuse(objection, lease);
        }
        return isTermLease(lease) ? renew(lease, extend.durationNanos()) : refuse(Reason.SESSION_LEASE, lease);
    }

    private Decision renew(Lease lease, long durationNanos) {
        return runsLongEnough(lease, memory.belief(), at, durationNanos)
                ? new Decision.AlreadySo(lease.document().tenure(), at.termOf(durationNanos))
                : writes.longer(lease, durationNanos);
    }

    private Decision release(Request.Release release, Lease lease) {
        Reason objection = objectionToActingAs(release.tenure(), lease);
        if (objection != null) {
            return refuse(objection, lease);
        }
        return mayRelease(lease)
                ? writes.end(lease, false, release.notBeforeNanos())
                : refuse(Reason.SESSION_LEASE, lease);
    }

    /** Not what another writer's session keeps: that writer may believe in it until its session is over. */
    private static boolean mayRelease(Lease lease) {
        return lease.own() || isTermLease(lease);
    }

    private static @Nullable Reason objectionToActingAs(Tenure tenure, Lease lease) {
        if (!lease.isHeld()) {
            return Reason.VACANT;
        }
        return isHeldUnder(tenure, lease) ? null : Reason.NOT_THAT_TENURE;
    }

    private Decision forceExpire(Request.ForceExpire forced, Lease lease) {
        if (!lease.isHeld()) {
            return forced.tenure() == null && isKeptFree(lease, at.nowNanos())
                    ? writes.forcedEnd(lease, forced.reason())
                    : refuse(Reason.VACANT, lease);
        }
        return forced.tenure() == null || isHeldUnder(forced.tenure(), lease)
                ? writes.forcedEnd(lease, forced.reason())
                : refuse(Reason.NOT_THAT_TENURE, lease);
    }

    private Decision remove(Lease lease) {
        if (lease.isHeld()) {
            return refuse(Reason.HELD, lease);
        }
        if (isPinned(lease)) {
            return refuse(Reason.PINNED, lease);
        }
        return isLongVacant(lease, at.nowNanos()) ? writes.removal(lease) : refuse(Reason.NOT_EXPIRED, lease);
    }

    private Decision refuse(Reason reason, Sighting sighting) {
        String operation = request.describe() + " in namespace '" + at.namespace() + "'";
        return new Decision.Refused(new Refusal(operation, reason, Standing.of(sighting, at.nowNanos())));
    }
}
