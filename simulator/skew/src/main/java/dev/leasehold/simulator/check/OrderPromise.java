package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Operation.Kind;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The part of G7 about lines: of those who wait for one lease in one engine, who came first gets it first. Whoever shares what its owner has,
 * or may have had, need not stand in line.
 */
final class OrderPromise {

    private final Findings findings;

    OrderPromise(Findings findings) {
        this.findings = findings;
    }

    void judge(LeaseTimeline lease) {
        if (!findings.isInside()) {
            return;
        }
        for (int i = 0; i < lease.tenures().size(); i++) {
            Tenure tenure = lease.tenures().get(i);
            Call taker = firstTaker(tenure);
            Call passedOver = taker == null ? null : firstWaiter(lease.calls(), taker);
            if (passedOver != null && !hasHeldBefore(lease, i) && !isOfAnother(lease, tenure, passedOver)) {
                findings.violation(
                        Promise.G7,
                        Objects.requireNonNull(taker).answeredNanos(),
                        lease.name(),
                        "the caller of " + passedOver + " of "
                                + Words.seconds(passedOver.calledNanos()) + " was first in line, and that of " + taker
                                + ", which came at "
                                + Words.seconds(taker.calledNanos()) + ", got the lease at "
                                + Words.seconds(taker.answeredNanos()));
            }
        }
    }

    /** Of those for whom their own engine may have begun the tenure. */
    private static @Nullable Call firstTaker(Tenure tenure) {
        Call first = null;
        for (int i = 0; i < tenure.grants().size(); i++) {
            Call call = tenure.grants().get(i);
            if (call.kind() == Kind.ACQUIRE
                    && mayHaveBegun(tenure, call)
                    && (first == null || call.number() < first.number())) {
                first = call;
            }
        }
        return first;
    }

    private static boolean mayHaveBegun(Tenure tenure, Call call) {
        return call.life() == tenure.begun().life()
                && call.calledNanos() <= tenure.begun().atNanos();
    }

    /** Whether its owner may have got it by a claim, or by an acquisition that was first in line, whatever those were told. */
    private static boolean isOfAnother(LeaseTimeline lease, Tenure tenure, Call passedOver) {
        for (int i = 0; i < lease.calls().size(); i++) {
            Call call = lease.calls().get(i);
            boolean needsNoLine = call.kind() != Kind.ACQUIRE || call.number() <= passedOver.number();
            if (call.asksForALease()
                    && needsNoLine
                    && mayHaveBegun(tenure, call)
                    && tenure.held().holder().equals(call.operation().holder())) {
                return true;
            }
        }
        return false;
    }

    /** Who had come before, and stood there still when the other one was answered. */
    private static @Nullable Call firstWaiter(List<Call> calls, Call taker) {
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            if (call.kind() == Kind.ACQUIRE
                    && call.life() == taker.life()
                    && call.number() < taker.number()
                    && call.answeredNanos() > taker.answeredNanos()) {
                return call;
            }
        }
        return null;
    }

    private static boolean hasHeldBefore(LeaseTimeline lease, int index) {
        String holder = lease.tenures().get(index).held().holder();
        for (int i = 0; i < index; i++) {
            if (lease.tenures().get(i).held().holder().equals(holder)) {
                return true;
            }
        }
        return false;
    }
}
