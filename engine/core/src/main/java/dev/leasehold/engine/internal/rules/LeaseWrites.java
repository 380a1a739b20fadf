package dev.leasehold.engine.internal.rules;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.rules.Decision.WriteDependency;
import dev.leasehold.engine.internal.rules.ObservedLease.Lease;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Waiter;
import dev.leasehold.engine.internal.time.ExpiryBound;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds the write of a granted request, with its guard and its dependency. */
final class LeaseWrites {

    private final DecisionContext at;

    LeaseWrites(DecisionContext at) {
        this.at = at;
    }

    Decision first(Request.ToHold asked) {
        Tenure tenure = new Tenure(at.namespace(), asked.name(), asked.holder(), Math.addExact(at.tokenFloor(), 1));
        LeaseWrite write = new LeaseWrite.Insert(begun(tenure, asked, Set.of(), 0));
        return new Decision.Write(write, tenure, at.holdFor(asked.termNanos()), new WriteDependency.OnTokenFloor());
    }

    Decision next(Request.ToHold asked, Lease lease) {
        LeaseDocument next = following(asked, lease.document());
        return beginning(asked, lease, next, dependencyOf(lease, next));
    }

    /**
     * Begins the next tenure of the same holder. The previous tenure may still be valid in another process, whose
     * session goes on.
     */
    Decision superseding(Request.ToHold asked, Lease lease) {
        return beginning(asked, lease, following(asked, lease.document()), new WriteDependency.OnOwnEntry());
    }

    private LeaseDocument following(Request.ToHold asked, LeaseDocument seen) {
        Tenure tenure = new Tenure(at.namespace(), seen.name(), asked.holder(), Math.addExact(seen.token(), 1));
        return begun(tenure, asked, seen.pins(), seen.stripes());
    }

    private Decision beginning(Request.ToHold asked, Lease lease, LeaseDocument next, WriteDependency writeDependency) {
        LeaseWrite write = new LeaseWrite.Replace(lease.document().guard(), next, true, next.stripes());
        return new Decision.Write(write, next.tenure(), at.holdFor(asked.termNanos()), writeDependency);
    }

    /** Ends the tenure and begins the next one for a waiter of this engine. */
    Decision nextOf(Request.Acquire waiting, Lease lease, HandOver handOver) {
        LeaseDocument next = following(waiting, lease.document());
        LeaseWrite write =
                new LeaseWrite.Replace(lease.document().guard(), next, true, next.stripes(), handOver.withdrawal());
        return new Decision.Write(write, next.tenure(), new HoldBasis.Session(), dependencyOf(lease, next));
    }

    /**
     * Ends the tenure and begins the next one for a ticket of another engine. Writer and stamp are those of the ticket: the session of that
     * engine is to keep the lease, and its clock has shown the stamp.
     */
    Decision grant(Lease lease, Waiter ticket, HandOver handOver) {
        LeaseDocument seen = lease.document();
        LeaseDocument next = new LeaseDocument(
                at.namespace(),
                seen.name(),
                ticket.holder(),
                Math.addExact(seen.token(), 1),
                ticket.writer(),
                ticket.stampNanos(),
                null,
                0,
                ticket.comment(),
                at.wallTime(),
                seen.pins(),
                Math.max(ticket.stripes(), seen.stripes()),
                ticket.payload());
        LeaseWrite write = new LeaseWrite.Replace(seen.guard(), next, true, next.stripes(), handOver.withdrawal());
        return new Decision.Write(write, seen.tenure(), null, dependencyOf(lease, next));
    }

    static Decision ofQueue(Request.OfQueue request, DecisionContext at) {
        return withoutTenure(queueWrite(request, at), new WriteDependency.OnTheLeaseAlone());
    }

    private static LeaseWrite queueWrite(Request.OfQueue request, DecisionContext at) {
        if (request instanceof Request.Enqueue enqueue) {
            return new LeaseWrite.Enqueue(enqueue.name(), ticket(enqueue, at));
        }
        return request instanceof Request.Withdraw withdraw
                ? withdraw.write()
                : new LeaseWrite.DropAbsent(request.name(), ((Request.DropAbsent) request).writers());
    }

    /** One that was sent before keeps its name, unless it is that of a former writer, which will never hold anything. */
    private static Waiter ticket(Request.Enqueue enqueue, DecisionContext at) {
        Waiter sent = enqueue.sent();
        Request.Acquire acquire = enqueue.acquire();
        return sent != null && sent.writer().equals(at.writer())
                ? sent
                : new Waiter(
                        at.writer(),
                        at.stampNanos(),
                        acquire.holder(),
                        acquire.priority(),
                        acquire.comment(),
                        acquire.stripes(),
                        acquire.payload());
    }

    /** Extends the tenure. The expiry never moves back. */
    Decision longer(Lease lease, long durationNanos) {
        LeaseDocument seen = lease.document();
        long expiryNanos = Math.max(at.expiryNanos(durationNanos), oldExpiryOnOwnClock(lease));
        LeaseDocument next = changed(seen, seen.holder(), seen.token(), expiryNanos, seen.comment(), seen.payload());
        LeaseWrite write = new LeaseWrite.Replace(seen.guard(), next, false);
        return new Decision.Write(write, seen.tenure(), at.termOf(durationNanos), dependencyOf(lease, next));
    }

    /** Changes the payload alone. The time of the tenure stays, and no validity follows from it. */
    Decision withPayload(Lease lease, @Nullable String payload) {
        LeaseDocument seen = lease.document();
        Long expiryNanos = seen.expiryNanos() == null ? null : (Long) oldExpiryOnOwnClock(lease);
        LeaseDocument next = changed(seen, seen.holder(), seen.token(), expiryNanos, seen.comment(), payload);
        LeaseWrite write = new LeaseWrite.Replace(seen.guard(), next, false);
        return new Decision.Write(write, seen.tenure(), null, dependencyOf(lease, next));
    }

    /**
     * Ends the tenure.
     *
     * @param unlessPinned true if the holder did not request it, so that a pin prevents it
     * @param notBeforeNanos when, on this engine's clock, the lease may be acquired again; null for at once
     * @param handOver with the tickets to take out; null for none
     */
    Decision end(Lease lease, boolean unlessPinned, @Nullable Long notBeforeNanos, @Nullable HandOver handOver) {
        Long keptFreeNanos = notBeforeNanos != null && notBeforeNanos > at.stampNanos() ? notBeforeNanos : null;
        LeaseDocument next = changed(lease.document(), null, lease.document().token(), keptFreeNanos, null, null);
        return ending(
                lease, next, unlessPinned, dependencyOf(lease, next), handOver == null ? null : handOver.withdrawal());
    }

    /** Ends the tenure regardless of its expiry. The token moves on, so assertions of the tenure fail from then on. */
    Decision forcedEnd(Lease lease, String reason) {
        long token = Math.addExact(lease.document().token(), 1);
        LeaseDocument next = changed(lease.document(), null, token, null, reason, null);
        return ending(lease, next, false, new WriteDependency.OnOwnEntry(), null);
    }

    Decision pin(Lease lease, Request.Pin pin) {
        LeaseWrite write = new LeaseWrite.Pin(lease.name(), lease.document().guard(), pin.entity(), pin.pinned());
        return withoutTenure(write, new WriteDependency.OnOwnEntry());
    }

    Decision removal(Lease lease) {
        LeaseDocument seen = lease.document();
        LeaseWrite write = new LeaseWrite.Remove(seen.name(), seen.guard(), seen.stripes());
        return withoutTenure(
                write,
                lease.orphaned()
                        ? new WriteDependency.OnAbsentWriter(seen.writer())
                        : new WriteDependency.OnOwnEntry());
    }

    private static Decision withoutTenure(LeaseWrite write, WriteDependency writeDependency) {
        return new Decision.Write(write, null, null, writeDependency);
    }

    private static Decision ending(
            Lease lease,
            LeaseDocument next,
            boolean unlessPinned,
            WriteDependency writeDependency,
            LeaseWrite.@Nullable Withdraw withdrawn) {
        LeaseDocument seen = lease.document();
        LeaseWrite write = new LeaseWrite.Replace(seen.guard(), next, unlessPinned, next.stripes(), withdrawn);
        return new Decision.Write(write, ended(seen), null, writeDependency);
    }

    /** A vacant lease that must not be acquired yet has no holder; the result names its writer instead. */
    private static Tenure ended(LeaseDocument seen) {
        return seen.isVacant() ? new Tenure(seen.namespace(), seen.name(), seen.writer(), seen.token()) : seen.tenure();
    }

    /**
     * A session lease of another writer depends on that writer's entry, or on its absence: heartbeats do not touch the
     * lease document, so its guard alone would miss them. A write that neither ends nor begins a term changes only the
     * document, and the gate stripes if there are any.
     */
    private static WriteDependency dependencyOf(Lease lease, LeaseDocument next) {
        LeaseDocument seen = lease.document();
        if (lease.orphaned()) {
            return new WriteDependency.OnAbsentWriter(seen.writer());
        }
        if (seen.isSessionLease() && !lease.own()) {
            return new WriteDependency.OnEviction(seen.writer(), Objects.requireNonNull(lease.sessionSeenNanos()));
        }
        boolean withoutTerm = seen.expiryNanos() == null && next.expiryNanos() == null;
        return withoutTerm && next.stripes() == 0
                ? new WriteDependency.OnTheLeaseAlone()
                : new WriteDependency.OnOwnEntry();
    }

    /**
     * The previous expiry, converted to the clock of the new writer. Only an instant strictly past the bound is
     * certainly not before the old expiry, hence the one nanosecond.
     */
    private static long oldExpiryOnOwnClock(Lease lease) {
        return lease.own() ? lease.safeAfterNanos() : ExpiryBound.firstNanosAfter(lease.safeAfterNanos());
    }

    /** Existing stripes stay: a stripe that is no longer written would show the current tenure forever. */
    private LeaseDocument begun(Tenure tenure, Request.ToHold asked, Set<String> pins, int existingStripes) {
        Long termNanos = asked.termNanos();
        return new LeaseDocument(
                at.namespace(),
                tenure.name(),
                tenure.holder(),
                tenure.token(),
                at.writer(),
                at.stampNanos(),
                termNanos == null ? null : at.expiryNanos(termNanos),
                0,
                asked.comment(),
                at.wallTime(),
                pins,
                Math.max(asked.stripes(), existingStripes),
                asked.payload());
    }

    private LeaseDocument changed(
            LeaseDocument seen,
            @Nullable String holder,
            long token,
            @Nullable Long expiryNanos,
            @Nullable String comment,
            @Nullable String payload) {
        return new LeaseDocument(
                at.namespace(),
                seen.name(),
                holder,
                token,
                at.writer(),
                at.stampNanos(),
                expiryNanos,
                seen.gates(),
                comment,
                seen.since(),
                seen.pins(),
                seen.stripes(),
                payload);
    }
}
