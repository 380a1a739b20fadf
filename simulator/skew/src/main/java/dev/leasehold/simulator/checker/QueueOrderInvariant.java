package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Operation.Kind;
import org.jspecify.annotations.Nullable;

/**
 * G7: of those that wait for one lease in one engine the first that came gets it first. Who shares what its holder has, or may have had, does
 * not wait in the queue.
 */
final class QueueOrderInvariant implements Invariant {

    @Override
    public void check(Model history, Violations violations) {
        if (!history.conditions().inside()) {
            return;
        }
        for (LeaseLog lease : history.leases()) {
            for (Tenure tenure : lease.tenures()) {
                Call taker = firstTaker(tenure);
                Call passedOver = taker == null ? null : firstWaiter(lease, taker);
                if (taker != null
                        && passedOver != null
                        && !hasHeldBefore(lease, tenure)
                        && !isOfAnother(lease, tenure, passedOver)) {
                    violations.add(
                            Guarantee.G7,
                            taker.answeredNanos(),
                            lease.name(),
                            "the caller of " + passedOver + " of " + Words.seconds(passedOver.calledNanos())
                                    + " was first in the queue, and that of " + taker + ", which came at "
                                    + Words.seconds(taker.calledNanos()) + ", got the lease at "
                                    + Words.seconds(taker.answeredNanos()));
                }
            }
        }
    }

    /** Of those for whom their own engine may have begun the tenure. */
    private static @Nullable Call firstTaker(Tenure tenure) {
        Call first = null;
        for (Call call : tenure.handles()) {
            if (mayHaveBegun(tenure, call) && (first == null || call.number() < first.number())) {
                first = call;
            }
        }
        return first;
    }

    private static boolean mayHaveBegun(Tenure tenure, Call call) {
        return call.by() == tenure.begun().by()
                && call.calledNanos() <= tenure.begun().atNanos();
    }

    /** One that had come before, and was waiting still when the other one was answered. A campaign may pause in between. */
    private static @Nullable Call firstWaiter(LeaseLog lease, Call taker) {
        for (Call call : lease.calls()) {
            if (call.kind() == Kind.ACQUIRE
                    && !call.isCampaign()
                    && call.by() == taker.by()
                    && call.number() < taker.number()
                    && call.answeredNanos() > taker.answeredNanos()) {
                return call;
            }
        }
        return null;
    }

    private static boolean hasHeldBefore(LeaseLog lease, Tenure tenure) {
        for (Tenure before : lease.tenures()) {
            if (before == tenure) {
                return false;
            }
            if (before.held().holder().equals(tenure.held().holder())) {
                return true;
            }
        }
        return false;
    }

    /** Whether its holder may have got it by a claim, or by an acquisition that was first in the queue, whatever those were told. */
    private static boolean isOfAnother(LeaseLog lease, Tenure tenure, Call passedOver) {
        for (Call call : lease.calls()) {
            boolean needsNoQueue = call.kind() != Kind.ACQUIRE || call.number() <= passedOver.number();
            if (call.asksForLease()
                    && needsNoQueue
                    && mayHaveBegun(tenure, call)
                    && tenure.held().holder().equals(call.operation().holder())) {
                return true;
            }
        }
        return false;
    }
}
