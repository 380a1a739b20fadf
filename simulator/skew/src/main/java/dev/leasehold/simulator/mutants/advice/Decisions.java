package dev.leasehold.simulator.mutants.advice;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.rules.Decision;
import dev.leasehold.engine.internal.rules.DecisionContext;
import dev.leasehold.engine.internal.rules.HoldBasis;
import dev.leasehold.engine.internal.rules.ObservedLease;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.time.Validity;
import java.util.Set;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

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
        LeaseDocument document = withToken(write.document(), write.guard().token());
        Tenure tenure = document.tenure();
        return new Decision.Write(replaced(write, document, write.unlessPinned()), tenure, it.basis(), it.dependency());
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
                ? written(it, replaced(write, withToken(write.document(), 1), write.unlessPinned()))
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
                ? new Decision.Write(it.write(), it.tenure(), it.basis(), new Decision.WriteDependency.OnOwnEntry())
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
                                withExpiry(write.document(), at.stampNanos() + extend.durationNanos()),
                                write.unlessPinned()))
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
                ? withDocument(lease, withPins(lease.document(), others))
                : observed;
    }

    /** The write that leaves the pins as they are, and does not look at them. */
    public static Decision pinnedAll(Decision decision, Set<String> pins) {
        return !pins.isEmpty()
                        && decision instanceof Decision.Write it
                        && it.write() instanceof LeaseWrite.Replace write
                ? written(it, replaced(write, withPins(write.document(), pins), false))
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
                ? withDocument(lease, withHolder(lease.document(), acquire.holder()))
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
                ? new Decision.Write(
                        it.write(), it.tenure(), new HoldBasis.Term(longer(term.validity())), it.dependency())
                : decision;
    }

    private static Validity longer(Validity validity) {
        return new Validity(
                validity.untilNanos() + REPLY_NANOS, validity.wallUntilNanos() + REPLY_NANOS, validity.lengthNanos());
    }

    // ---- copies ----

    private static Decision written(Decision.Write it, LeaseWrite write) {
        return new Decision.Write(write, it.tenure(), it.basis(), it.dependency());
    }

    private static LeaseWrite.Replace replaced(LeaseWrite.Replace write, LeaseDocument document, boolean unlessPinned) {
        return new LeaseWrite.Replace(write.guard(), document, unlessPinned, write.stripes());
    }

    private static ObservedLease withDocument(ObservedLease.Lease lease, LeaseDocument document) {
        return new ObservedLease.Lease(
                document,
                lease.own(),
                lease.orphaned(),
                lease.safeAfterNanos(),
                lease.sessionSeenNanos(),
                lease.freeAfterNanos());
    }

    private static LeaseDocument withToken(LeaseDocument it, long token) {
        return copy(it, it.holder(), token, it.expiryNanos(), it.pins());
    }

    private static LeaseDocument withExpiry(LeaseDocument it, long expiryNanos) {
        return copy(it, it.holder(), it.token(), expiryNanos, it.pins());
    }

    private static LeaseDocument withHolder(LeaseDocument it, String holder) {
        return copy(it, holder, it.token(), it.expiryNanos(), it.pins());
    }

    private static LeaseDocument withPins(LeaseDocument it, Set<String> pins) {
        return copy(it, it.holder(), it.token(), it.expiryNanos(), pins);
    }

    private static LeaseDocument copy(
            LeaseDocument it, @Nullable String holder, long token, @Nullable Long expiryNanos, Set<String> pins) {
        return new LeaseDocument(
                it.namespace(),
                it.name(),
                holder,
                token,
                it.writer(),
                it.writtenNanos(),
                expiryNanos,
                it.gates(),
                it.comment(),
                it.since(),
                pins,
                it.stripes());
    }
}
