package dev.leasehold.simulator.mutants.advice;

import dev.leasehold.engine.internal.rules.Decision;
import dev.leasehold.engine.internal.rules.DecisionContext;
import dev.leasehold.engine.internal.rules.HoldBasis;
import dev.leasehold.engine.internal.rules.ObservedLease;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.time.Validity;
import dev.leasehold.simulator.plan.Components;
import java.util.Set;
import net.bytebuddy.asm.Advice;

/** What is decided instead of what the rules say. */
public final class Decisions {

    private static final long REPLY_NANOS = 30_000_000;

    private Decisions() {}

    /** The next tenure has the token of the one before. */
    public static final class SameToken {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) Decision decision) {
            decision = withSameToken(decision);
        }
    }

    /** Called with each decision. */
    public static Decision withSameToken(Decision decision) {
        if (!(decision instanceof Decision.Write it)
                || it.tenure() == null
                || !(it.write() instanceof LeaseWrite.Replace write)
                || write.document().token() == write.guard().token()) {
            return decision;
        }
        LeaseDocument document =
                Components.with(write.document(), "token", write.guard().token());
        return written(Components.with(it, "tenure", document.tenure()), replaced(write, document));
    }

    /** A vacant document does not keep the token. */
    public static final class TokenForgotten {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) Decision decision) {
            decision = withoutToken(decision);
        }
    }

    /** Called with each decision. */
    public static Decision withoutToken(Decision decision) {
        return decision instanceof Decision.Write it
                        && it.write() instanceof LeaseWrite.Replace write
                        && write.document().isVacant()
                ? written(it, replaced(write, Components.with(write.document(), "token", 1L)))
                : decision;
    }

    /** A first document rests on what every document does. */
    public static final class WithoutTheFloor {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) Decision decision) {
            decision = onOwnEntry(decision);
        }
    }

    /** Called with each decision. */
    public static Decision onOwnEntry(Decision decision) {
        return decision instanceof Decision.Write it && it.dependency() instanceof Decision.WriteDependency.OnTokenFloor
                ? Components.with(it, "dependency", new Decision.WriteDependency.OnOwnEntry())
                : decision;
    }

    /** An extension stores what was asked for, however long the lease was promised before. */
    public static final class ExtensionMayShorten {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) Request request,
                @Advice.Argument(2) DecisionContext at,
                @Advice.Return(readOnly = false) Decision decision) {
            decision = asLongAsAsked(request, at, decision);
        }
    }

    /** Called with each decision. */
    public static Decision asLongAsAsked(Request request, DecisionContext at, Decision decision) {
        return request instanceof Request.Extend extend
                        && decision instanceof Decision.Write it
                        && it.write() instanceof LeaseWrite.Replace write
                ? written(
                        it,
                        replaced(
                                write,
                                Components.with(
                                        write.document(), "expiryNanos", at.stampNanos() + extend.durationNanos())))
                : decision;
    }

    /** The holder releases the lease under whichever token it has it now. */
    public static final class ReleaseOfAnyToken {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(value = 0, readOnly = false) Request request,
                @Advice.Argument(1) ObservedLease observed) {
            request = ofAnyToken(request, observed);
        }
    }

    /** Called with each request. */
    public static Request ofAnyToken(Request request, ObservedLease observed) {
        return request instanceof Request.Release release
                        && observed instanceof ObservedLease.Lease lease
                        && release.holder().equals(lease.document().holder())
                ? new Request.Release(lease.document().tenure(), release.notBeforeNanos())
                : request;
    }

    /** Pins keep nobody from taking a lease. */
    public static final class PinsIgnored {
        @Advice.OnMethodEnter
        static Set<String> enter(
                @Advice.Argument(0) Request request,
                @Advice.Argument(value = 1, readOnly = false) ObservedLease observed) {
            Set<String> pins = pinsToIgnore(request, observed);
            observed = withPins(observed, Set.of(), pins);
            return pins;
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Enter Set<String> pins, @Advice.Return(readOnly = false) Decision decision) {
            decision = pinnedAll(decision, pins);
        }
    }

    /** The pins of what is to be taken. */
    public static Set<String> pinsToIgnore(Request request, ObservedLease observed) {
        return request instanceof Request.ToHold && observed instanceof ObservedLease.Lease lease
                ? lease.document().pins()
                : Set.of();
    }

    /** As if others had pinned it, if anybody had. */
    public static ObservedLease withPins(ObservedLease observed, Set<String> others, Set<String> pins) {
        return !pins.isEmpty() && observed instanceof ObservedLease.Lease lease
                ? Components.with(lease, "document", Components.with(lease.document(), "pins", others))
                : observed;
    }

    /** The write that leaves the pins as they are, and does not look at them. */
    public static Decision pinnedAll(Decision decision, Set<String> pins) {
        return !pins.isEmpty()
                        && decision instanceof Decision.Write it
                        && it.write() instanceof LeaseWrite.Replace write
                ? written(
                        it,
                        Components.with(
                                replaced(write, Components.with(write.document(), "pins", pins)),
                                "unlessPinned",
                                false))
                : decision;
    }

    /** Until when a lease is kept free does not count. */
    public static final class KeptFreeIgnored {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(0) Request request,
                @Advice.Argument(value = 1, readOnly = false) ObservedLease observed) {
            observed = freeAtOnce(request, observed);
        }
    }

    /** Called with each request. */
    public static ObservedLease freeAtOnce(Request request, ObservedLease observed) {
        return request instanceof Request.ToHold && observed instanceof ObservedLease.Lease lease
                ? new ObservedLease.Lease(
                        lease.document(),
                        lease.own(),
                        lease.orphaned(),
                        lease.safeAfterNanos(),
                        lease.sessionSeenNanos())
                : observed;
    }

    /** Whoever supersedes finds its own name in every lease. */
    public static final class SupersedesAnybody {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(0) Request request,
                @Advice.Argument(value = 1, readOnly = false) ObservedLease observed) {
            observed = heldByWhoAsks(request, observed);
        }
    }

    /** Called with each request. */
    public static ObservedLease heldByWhoAsks(Request request, ObservedLease observed) {
        return request instanceof Request.Acquire acquire
                        && acquire.supersede()
                        && observed instanceof ObservedLease.Lease lease
                        && lease.isHeld()
                ? Components.with(lease, "document", Components.with(lease.document(), "holder", acquire.holder()))
                : observed;
    }

    /** The belief in a term lasts for the time of a reply longer than the term. */
    public static final class LongerBelief {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) Decision decision) {
            decision = believedLonger(decision);
        }
    }

    /** Called with each decision. */
    public static Decision believedLonger(Decision decision) {
        return decision instanceof Decision.Write it && it.basis() instanceof HoldBasis.Term term
                ? Components.with(it, "basis", new HoldBasis.Term(longer(term.validity())))
                : decision;
    }

    private static Validity longer(Validity validity) {
        return new Validity(
                validity.untilNanos() + REPLY_NANOS, validity.wallUntilNanos() + REPLY_NANOS, validity.lengthNanos());
    }

    // ---- copies ----

    private static Decision written(Decision.Write it, LeaseWrite write) {
        return Components.with(it, "write", write);
    }

    private static LeaseWrite.Replace replaced(LeaseWrite.Replace write, LeaseDocument document) {
        return Components.with(write, "document", document);
    }
}
