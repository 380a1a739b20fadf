package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G7;

import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * G7: of those that wait for one lease in one engine that claims it none gets it before one that came earlier, unless it has a higher
 * priority; where a release begins the next tenure, those without a ticket stand behind those that have one, and one whose wait is over, as of a try
 * without a wait, is refused by its own attempt. One that shares what its holder has, or may have had, does not wait in the queue: of the calls of one
 * holder that get a tenure together, it began for the first in the queue. Of leases that were granted to a ticket {@link GrantOrderInvariant} judges.
 */
record QueueOrderInvariant(Model history, Violations violations) {

    private static final Comparator<Call> ORDER =
            Comparator.comparingInt(Call::priority).reversed().thenComparingInt(call -> call.number);

    void check() {
        for (Tenure tenure : history.tenures) {
            Optional<Call> taker = tenure.handles.stream()
                    .filter(call -> mayHaveBegun(tenure, call))
                    .min(ORDER);
            if (tenure.ticket == null && history.isInside() && taker.isPresent() && !hasHeldBefore(tenure)) {
                check(tenure, taker.get());
            }
        }
    }

    private void check(Tenure tenure, Call taker) {
        boolean isNext = isNext(tenure);
        tenure.lease.calls.stream()
                .filter(call -> isPassedOver(call, taker)
                        && !(isNext && (standsBehind(tenure, call, taker) || waitsNoMore(call, tenure))))
                .findFirst()
                .filter(first -> !isOfAnother(tenure, first))
                .ifPresent(first -> violations.add(G7, taker, "yes, where %s was first in the queue,", first));
    }

    /** Whether the release of the tenure before began it. Then nothing was vacant, for which a term could be asked. */
    private static boolean isNext(Tenure tenure) {
        return releasedFor(tenure) != null;
    }

    /** The tenure whose release began it; null if it was claimed. */
    private static @Nullable Tenure releasedFor(Tenure tenure) {
        Tenure before = Model.newest(tenure.lease.tenures, each -> each.ended == tenure.begun);
        return before != null && before.by == tenure.by ? before : null;
    }

    /** A waiter without a ticket, as one for a term, or with little time left, stands behind those that have one. */
    private boolean standsBehind(Tenure tenure, Call call, Call taker) {
        if (!call.operation.session()) {
            return true;
        }
        long takersNanos = tenure.lease.tickets.values().stream()
                .filter(ticket -> ticket.mayBeOf(taker) && ticket.row.holder().equals(tenure.held.holder()))
                .mapToLong(ticket -> ticket.stored.atNanos)
                .findFirst()
                .orElse(Incarnation.NEVER);
        return takersNanos < Incarnation.NEVER
                && tenure.lease.tickets.values().stream()
                        .noneMatch(ticket -> ticket.stored.atNanos <= takersNanos
                                && isPassedOverWith(ticket, tenure.lease, call, taker));
    }

    /** A holder that a call did not name has a name that is not known, unless it was granted: then every call that may have sent the ticket counts. */
    private boolean isPassedOverWith(Ticket ticket, LeaseLog lease, Call call, Call taker) {
        return ticket.mayBeOf(call)
                && (call.operation.holder() != null
                        || lease.calls.stream().filter(ticket::mayBeOf).allMatch(each -> isPassedOver(each, taker)));
    }

    private static boolean waitsNoMore(Call call, Tenure tenure) {
        return call.operation.waitNanos() < Operation.FOR_EVER_NANOS
                && call.by.passedNanos(call.calledNanos, tenure.begun.atNanos) >= call.operation.waitNanos();
    }

    private static boolean mayHaveBegun(Tenure tenure, Call call) {
        return call.by == tenure.begun.by && call.calledNanos <= tenure.begun.atNanos;
    }

    /** Whether it had come before, and was waiting still when the other one was answered. A campaign may pause in between, and a late thread ask later. */
    private boolean isPassedOver(Call call, Call taker) {
        return call.kind() == Kind.ACQUIRE
                && !call.isCampaign()
                && call.by == taker.by
                && call.number < taker.number
                && call.priority() >= taker.priority()
                && call.calledNanos + history.conditions.threadLateNanos() <= taker.calledNanos
                && call.answeredNanos > taker.answeredNanos;
    }

    /**
     * Whether its engine had the lease for its holder before, so that calls may have shared that, or another engine had it and a call may have
     * meant to supersede.
     */
    private static boolean hasHeldBefore(Tenure tenure) {
        boolean supersedes = tenure.lease.calls.stream()
                .anyMatch(
                        call -> call.operation.supersede() && call.mayBegin(tenure.held) && mayHaveBegun(tenure, call));
        return tenure.lease.tenures.stream()
                .takeWhile(before -> before != tenure)
                .anyMatch(before ->
                        before.held.holder().equals(tenure.held.holder()) && (supersedes || before.by == tenure.by));
    }

    /** Whether its holder may have got it by a claim, or by an acquisition that was first in the queue, whatever those were told. */
    private static boolean isOfAnother(Tenure tenure, Call passedOver) {
        return tenure.lease.calls.stream()
                .anyMatch(call -> call.asksForLease()
                        && (call.kind() != Kind.ACQUIRE
                                || call.number <= passedOver.number
                                || call.priority() > passedOver.priority() && call.answeredNanos >= chosenNanos(tenure))
                        && mayHaveBegun(tenure, call)
                        && tenure.held.holder().equals(call.operation.holder()));
    }

    /** From when on its holder may have been chosen: a release counts those that wait when it begins, and is sent later. */
    private static long chosenNanos(Tenure tenure) {
        Tenure before = releasedFor(tenure);
        ValidityWindow window =
                before == null || before.by == null ? null : tenure.lease.lastWindow(before.by, before.held);
        return window == null ? tenure.begun.atNanos : Math.min(window.untilNanos, tenure.begun.atNanos);
    }
}
