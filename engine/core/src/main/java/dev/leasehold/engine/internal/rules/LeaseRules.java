package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Preconditions.hasCertainlyExpired;
import static dev.leasehold.engine.internal.rules.Preconditions.isGrantTo;
import static dev.leasehold.engine.internal.rules.Preconditions.isHeldBy;
import static dev.leasehold.engine.internal.rules.Preconditions.isHeldUnder;
import static dev.leasehold.engine.internal.rules.Preconditions.isKeptFree;
import static dev.leasehold.engine.internal.rules.Preconditions.isLongVacant;
import static dev.leasehold.engine.internal.rules.Preconditions.isPinned;
import static dev.leasehold.engine.internal.rules.Preconditions.isTermLease;
import static dev.leasehold.engine.internal.rules.Preconditions.isToBeKeptFree;
import static dev.leasehold.engine.internal.rules.Preconditions.runsLongEnough;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.ClockAnomalyException;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.engine.internal.rules.ObservedLease.Lease;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.Waiter;
import org.jspecify.annotations.Nullable;

/**
 * Decides one request from the observation of its lease. A pure function.
 *
 * <p>The lifecycle of a lease:
 * <table>
 * <caption>Transitions</caption>
 * <tr><th>from</th><th>request</th><th>to</th></tr>
 * <tr><td>absent</td><td>claim, acquire</td><td>held, first token above the token floor</td></tr>
 * <tr><td>vacant</td><td>claim, acquire</td><td>held, next token; not before a time set at the release, and not while
 * pinned</td></tr>
 * <tr><td>held, certainly expired</td><td>take over, acquire</td><td>held, next token; not while pinned</td></tr>
 * <tr><td>held, certainly expired</td><td>expire</td><td>vacant, same token; not while pinned</td></tr>
 * <tr><td>held, but over in this engine</td><td>acquire by the same holder</td><td>held, next token; not while
 * pinned</td></tr>
 * <tr><td>held</td><td>extend</td><td>held, same token; only a term lease, and only under its holder and
 * token</td></tr>
 * <tr><td>held</td><td>update payload</td><td>held, same token and expiry; only under its holder and token</td></tr>
 * <tr><td>held</td><td>release</td><td>vacant, same token, or held by the first waiter, next token; only under its holder and
 * token</td></tr>
 * <tr><td>held by a grant to its ticket</td><td>acquire</td><td>the same, and nothing is written</td></tr>
 * <tr><td>held by the same holder</td><td>acquire that supersedes</td><td>held, next token; not while pinned</td></tr>
 * <tr><td>held, or released until a time</td><td>force-expire</td><td>vacant, next token</td></tr>
 * <tr><td>vacant for the retention</td><td>remove</td><td>absent; not while pinned</td></tr>
 * </table>
 */
public final class LeaseRules {

    private final Request request;
    private final DecisionContext at;
    private final LocalKnowledge knowledge;
    private final LeaseWrites leaseWrites;

    private LeaseRules(Request request, DecisionContext at, LocalKnowledge knowledge) {
        this.request = request;
        this.at = at;
        this.knowledge = knowledge;
        this.leaseWrites = new LeaseWrites(at);
    }

    /**
     * Decides a request.
     *
     * @param knowledge what this engine knows of the observed tenure
     */
    public static Decision decide(
            Request request, ObservedLease observed, DecisionContext at, LocalKnowledge knowledge) {
        try {
            return new LeaseRules(request, at, knowledge).decide(observed);
        } catch (ArithmeticException e) {
            return new Decision.Impossible(
                    new ClockAnomalyException(request.describeIn(at.namespace()) + ": " + e.getMessage(), e));
        }
    }

    private Decision decide(ObservedLease observed) {
        if (observed instanceof ObservedLease.Unusable unusable) {
            return new Decision.Impossible(
                    new CorruptDocumentException(unusable.documentId(), unusable.field(), unusable.found()));
        }
        return observed instanceof Lease lease ? onDocument(lease) : onNothing(observed);
    }

    private Decision onNothing(ObservedLease nothing) {
        return request instanceof Request.ToHold asked && !(request instanceof Request.TakeOver)
                ? leaseWrites.first(asked)
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
        if (request instanceof Request.UpdatePayload update) {
            return updatePayload(update, lease);
        }
        if (request instanceof Request.ForceExpire forced) {
            return forceExpire(forced, lease);
        }
        if (request instanceof Request.Pin pin) {
            return leaseWrites.pin(lease, pin);
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
        if (isGrantTo(acquire, lease)) {
            // Hearing of it is no sign of life: it counts by the newest acknowledgement.
            LeaseDocument granted = lease.document();
            return knowledge.sessionValid()
                    ? new Decision.AlreadySo(granted.tenure(), new HoldBasis.Session(), granted.stripes())
                    : refuse(Reason.HELD, lease);
        }
        if (hasCertainlyExpired(lease, at.nowNanos()) || isOverFor(acquire.holder(), lease)) {
            return begin(acquire, lease);
        }
        return maySupersede(acquire, lease) ? supersede(acquire, lease) : refuse(Reason.HELD, lease);
    }

    /** Whether the holder released or lost the lease through this engine, and the database does not show it yet. */
    private boolean isOverFor(String holder, Lease lease) {
        return lease.own() && knowledge.over() && isHeldBy(holder, lease);
    }

    /**
     * What this engine wrote last or still holds, be it by an earlier writer's write, does not belong to another process
     * of that holder, so it is not superseded.
     */
    private boolean maySupersede(Request.Acquire acquire, Lease lease) {
        return acquire.supersede() && !lease.own() && knowledge.validity() == null && isHeldBy(acquire.holder(), lease);
    }

    private Decision supersede(Request.Acquire acquire, Lease lease) {
        return isPinned(lease) ? refuse(Reason.PINNED, lease) : leaseWrites.superseding(acquire, lease);
    }

    private Decision begin(Request.ToHold asked, Lease lease) {
        if (isKeptFree(lease, at.nowNanos())) {
            // Also if it is pinned: then not only the pin prevents it.
            return refuse(Reason.NOT_YET, lease);
        }
        return isPinned(lease) ? refuse(Reason.PINNED, lease) : leaseWrites.next(asked, lease);
    }

    private Decision expire(Lease lease) {
        Reason objection = objectionToEnding(lease);
        if (objection != null) {
            return refuse(objection, lease);
        }
        return isPinned(lease) ? refuse(Reason.PINNED, lease) : leaseWrites.end(lease, true, null, null);
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
        return runsLongEnough(lease, knowledge.validity(), at, durationNanos)
                ? new Decision.AlreadySo(lease.document().tenure(), at.termOf(durationNanos), 0)
                : leaseWrites.longer(lease, durationNanos);
    }

    private Decision release(Request.Release release, Lease lease) {
        Reason objection = objectionToActingAs(release.tenure(), lease);
        if (objection != null) {
            return refuse(objection, lease);
        }
        if (!mayRelease(release, lease)) {
            return refuse(release.untold() ? Reason.NOT_THAT_TENURE : Reason.SESSION_LEASE, lease);
        }
        HandOver handOver = release.handOver();
        return handOver == null || isToBeKeptFree(release, at) || isPinned(lease)
                ? leaseWrites.end(lease, false, release.notBeforeNanos(), handOver)
                : handOver(handOver, lease);
    }

    /** Begins the next tenure in the write that ends this one, if a waiter is known. */
    private Decision handOver(HandOver handOver, Lease lease) {
        WaitQueue queue = knowledge.queue();
        if (queue == null ? handOver.readFirst() : queue.isOld(handOver.readFirst(), at.nowNanos())) {
            return new Decision.ReadFirst();
        }
        if (queue == null) {
            return leaseWrites.end(lease, false, null, handOver);
        }
        Waiter chosen = queue.choose(handOver.openTickets(), handOver.instance());
        Request.Acquire own = ownBefore(chosen, queue, handOver);
        if (own != null) {
            return leaseWrites.nextOf(own, lease, handOver);
        }
        return chosen == null
                ? leaseWrites.end(lease, false, null, handOver)
                : leaseWrites.grant(lease, chosen, handOver);
    }

    /**
     * The acquisition of this engine that goes before the chosen ticket; null if none does. The turn of any ticket of this engine is that of its first
     * waiter: a ticket may be lost, or come late.
     */
    private Request.@Nullable Acquire ownBefore(@Nullable Waiter chosen, WaitQueue queue, HandOver handOver) {
        if (chosen == null || chosen.writer().equals(at.writer())) {
            return handOver.ownFirst();
        }
        Request.Acquire outside = handOver.ownOutside(queue);
        return outside != null && outside.priority() > chosen.priority() && handOver.instance() == null
                ? outside
                : null;
    }

    /** A write of a queue, which rests on nothing that was read. */
    public static Decision decideOfQueue(Request.OfQueue request, DecisionContext at) {
        return LeaseWrites.ofQueue(request, at);
    }

    /**
     * A session lease of another writer is that writer's, as for a release. A term that is over stays as it is: no state of the holder
     * follows its end.
     */
    private Decision updatePayload(Request.UpdatePayload update, Lease lease) {
        Reason objection = objectionToActingAs(update.tenure(), lease);
        if (objection != null) {
            return refuse(objection, lease);
        }
        if (isTermLease(lease)) {
            return hasCertainlyExpired(lease, at.nowNanos())
                    ? refuse(Reason.HELD_PAST_EXPIRY, lease)
                    : leaseWrites.withPayload(lease, update.payload());
        }
        return lease.own() ? leaseWrites.withPayload(lease, update.payload()) : refuse(Reason.SESSION_LEASE, lease);
    }

    /**
     * A session lease of another writer cannot be released: that writer's validity lasts until the end of its session. Of
     * what no caller was told only what this engine wrote last is released.
     */
    private static boolean mayRelease(Request.Release release, Lease lease) {
        return lease.own() || !release.untold() && isTermLease(lease);
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
                    ? leaseWrites.forcedEnd(lease, forced.reason())
                    : refuse(Reason.VACANT, lease);
        }
        return forced.tenure() == null || isHeldUnder(forced.tenure(), lease)
                ? leaseWrites.forcedEnd(lease, forced.reason())
                : refuse(Reason.NOT_THAT_TENURE, lease);
    }

    private Decision remove(Lease lease) {
        if (lease.isHeld()) {
            return refuse(Reason.HELD, lease);
        }
        if (isPinned(lease)) {
            return refuse(Reason.PINNED, lease);
        }
        return isLongVacant(lease, at.nowNanos()) ? leaseWrites.removal(lease) : refuse(Reason.NOT_EXPIRED, lease);
    }

    private Decision refuse(Reason reason, ObservedLease observed) {
        return new Decision.Refused(
                new Refusal(request.describeIn(at.namespace()), reason, observed.stateAt(at.nowNanos())));
    }
}
