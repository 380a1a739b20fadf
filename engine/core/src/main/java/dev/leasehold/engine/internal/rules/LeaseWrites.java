package dev.leasehold.engine.internal.rules;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.rules.Decision.WriteDependency;
import dev.leasehold.engine.internal.rules.ObservedLease.Lease;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.time.ExpiryBound;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a yes writes, under which guard, and on what it rests besides. */
final class LeaseWrites {

    private final DecisionContext at;

    LeaseWrites(DecisionContext at) {
        this.at = at;
    }

    /** The first tenure of a name. */
    Decision first(Request.ToHold asked) {
        Tenure tenure = new Tenure(at.namespace(), asked.name(), asked.holder(), Math.addExact(at.tokenFloor(), 1));
        LeaseWrite write = new LeaseWrite.Insert(begun(tenure, asked, Set.of(), 0));
        return new Decision.Write(write, tenure, at.holdFor(asked.termNanos()), new WriteDependency.OnTokenFloor());
    }

    /** The next tenure; what is left of the last one ends with it. */
    Decision next(Request.ToHold asked, Lease lease) {
        LeaseDocument next = following(asked, lease.document());
        return beginning(asked, lease, next, dependencyOf(lease, next));
    }

    /** The next tenure of the same holder, whether or not the last one may still be believed in elsewhere: its session is left alone. */
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

    /** More time in the same tenure, and never less than it had. */
    Decision longer(Lease lease, long durationNanos) {
        LeaseDocument seen = lease.document();
        long expiryNanos = Math.max(at.expiryNanos(durationNanos), oldExpiryOnMyClock(lease));
        LeaseDocument next = changed(seen, seen.holder(), seen.token(), expiryNanos, seen.comment());
        LeaseWrite write = new LeaseWrite.Replace(seen.guard(), next, false);
        return new Decision.Write(write, seen.tenure(), at.termOf(durationNanos), dependencyOf(lease, next));
    }

    /**
     * The end of the tenure.
     *
     * @param unlessPinned whether its holder did not ask for it
     * @param notBeforeNanos until when nobody is to take it, on this engine's clock; null for at once
     */
    Decision end(Lease lease, boolean unlessPinned, @Nullable Long notBeforeNanos) {
        Long keptFreeNanos = notBeforeNanos != null && notBeforeNanos > at.stampNanos() ? notBeforeNanos : null;
        LeaseDocument next = changed(lease.document(), null, lease.document().token(), keptFreeNanos, null);
        return ending(lease, next, unlessPinned, dependencyOf(lease, next));
    }

    /** The end of the tenure whatever its holder may think: with the token moved on, its assertions fail for good. */
    Decision forcedEnd(Lease lease, String reason) {
        long token = Math.addExact(lease.document().token(), 1);
        LeaseDocument next = changed(lease.document(), null, token, null, reason);
        return ending(lease, next, false, new WriteDependency.OnOwnEntry());
    }

    Decision pin(Lease lease, Request.Pin pin) {
        return withoutTenure(new LeaseWrite.Pin(lease.name(), lease.document().guard(), pin.entity(), pin.pinned()));
    }

    Decision removal(Lease lease) {
        LeaseDocument seen = lease.document();
        LeaseWrite write = new LeaseWrite.Remove(seen.name(), seen.guard(), seen.token(), seen.stripes());
        return lease.orphaned()
                ? withoutTenure(write, new WriteDependency.OnAbsentWriter(seen.writer()))
                : withoutTenure(write);
    }

    private static Decision withoutTenure(LeaseWrite write) {
        return withoutTenure(write, new WriteDependency.OnOwnEntry());
    }

    private static Decision withoutTenure(LeaseWrite write, WriteDependency writeDependency) {
        return new Decision.Write(write, null, null, writeDependency);
    }

    private static Decision ending(
            Lease lease, LeaseDocument next, boolean unlessPinned, WriteDependency writeDependency) {
        LeaseDocument seen = lease.document();
        LeaseWrite write = new LeaseWrite.Replace(seen.guard(), next, unlessPinned, next.stripes());
        return new Decision.Write(write, ended(seen), null, writeDependency);
    }

    /** What is only kept free has no holder any more: the writer that keeps it so stands for one. */
    private static Tenure ended(LeaseDocument seen) {
        return seen.isVacant() ? new Tenure(seen.namespace(), seen.name(), seen.writer(), seen.token()) : seen.tenure();
    }

    /**
     * Another's session lease is taken from its writer's entry, or from the absence of it: the writer's heartbeats do not
     * touch the document, so its guard alone would not notice them. A write that neither ends nor begins a term changes
     * nothing but the document, and the gate stripes if there are any.
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
     * The old promise, carried over to the clock of the new writer. Only an instant strictly past the bound is certainly
     * not before the old expiry, hence the one nanosecond.
     */
    private static long oldExpiryOnMyClock(Lease lease) {
        return lease.own() ? lease.safeAfterNanos() : ExpiryBound.firstNanosAfter(lease.safeAfterNanos());
    }

    /** Stripes that are there stay, since they would show the tenure of now for ever if nobody wrote them any more. */
    private LeaseDocument begun(Tenure tenure, Request.ToHold asked, Set<String> pins, int stripesThere) {
        Long termNanos = asked.termNanos();
        return document(
                tenure.name(),
                tenure.holder(),
                tenure.token(),
                termNanos == null ? null : at.expiryNanos(termNanos),
                0,
                asked.comment(),
                at.wallTime(),
                pins,
                Math.max(asked.stripes(), stripesThere));
    }

    private LeaseDocument changed(
            LeaseDocument seen,
            @Nullable String holder,
            long token,
            @Nullable Long expiryNanos,
            @Nullable String comment) {
        return document(
                seen.name(),
                holder,
                token,
                expiryNanos,
                seen.gates(),
                comment,
                seen.since(),
                seen.pins(),
                seen.stripes());
    }

    private LeaseDocument document(
            String name,
            @Nullable String holder,
            long token,
            @Nullable Long expiryNanos,
            long gates,
            @Nullable String comment,
            Instant since,
            Set<String> pins,
            int stripes) {
        return new LeaseDocument(
                at.namespace(),
                name,
                holder,
                token,
                at.writer(),
                at.stampNanos(),
                expiryNanos,
                gates,
                comment,
                since,
                pins,
                stripes);
    }
}
