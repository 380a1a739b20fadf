package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G7;

import dev.leasehold.simulator.history.Change.TicketRow;
import dev.leasehold.simulator.history.Operation;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * G7: while there are no faults a lease is granted by priority, and then in order of arrival. It is judged where the holder had the time to
 * see the queue as it was: a ticket that stood there for so long while the holder held the lease, and whose waiter still waits, is not
 * passed over for one that stands behind it. What was preferred by name, and what is granted by an engine that never held it, has no order.
 */
record GrantOrderInvariant(Model history, Violations violations) {

    /** A release reads a queue again that was not empty and was read more than a second ago, also of a lease that was lost meanwhile. */
    private static final long SEEN_NANOS = 2_000_000_000;

    /** Silent for a quarter of its session a writer counts as suspected; a look and a heartbeat are part of that. */
    private static final int ANSWERS_IN_SESSION = 40;

    /** The first so many are kept of a queue. */
    private static final int SEEN_TICKETS = 16;

    void check() {
        if (history.isInside()) {
            for (LeaseLog.Version version : history.versions) {
                Ticket granted = version.grantedTo();
                Tenure ended = version.ended();
                if (granted != null && ended != null && isJudged(version, ended)) {
                    check(version, granted);
                }
            }
        }
    }

    private boolean isJudged(LeaseLog.Version version, Tenure ended) {
        long atNanos = version.commit().atNanos;
        Incarnation by = version.commit().by;
        return by != null
                && ended.by == by
                && ended.begun.majorityNanos <= atNanos - seenNanos()
                && ended.isHeldValid(by, atNanos - seenNanos())
                && !history.machines.isAnyTroubled(atNanos)
                && version.lease().calls.stream()
                        .noneMatch(call -> call.kind() == Operation.Kind.STEP_DOWN && call.isAbout(ended.held))
                && history.conditions.sessionNanos().stream()
                        .allMatch(nanos -> nanos >= ANSWERS_IN_SESSION * history.conditions.slowestAnswerNanos());
    }

    private long seenNanos() {
        return SEEN_NANOS + 8 * history.conditions.slowestAnswerNanos() + 4 * history.conditions.threadLateNanos();
    }

    private void check(LeaseLog.Version version, Ticket granted) {
        LeaseLog lease = version.lease();
        long atNanos = version.commit().atNanos;
        List<TicketRow> queue = Objects.requireNonNull(queueAt(lease, atNanos)).tickets();
        int place = queue.indexOf(granted.row);
        for (int i = 0; i < Math.min(queue.size(), SEEN_TICKETS); i++) {
            TicketRow other = queue.get(i);
            boolean isBefore = other.priority() > granted.row.priority()
                    || other.priority() == granted.row.priority() && i < place;
            Ticket ticket = lease.tickets.get(Ticket.Name.of(other));
            if (place >= 0
                    && isBefore
                    && ticket != null
                    && ticket.by != version.commit().by
                    && hasStood(lease, other, atNanos)
                    && isWaitedFor(lease, ticket, atNanos)) {
                violations.add(G7, version, "%s passed over %s for %s", version.commit(), ticket, granted);
                return;
            }
        }
    }

    private static LeaseLog.@Nullable Queue queueAt(LeaseLog lease, long atNanos) {
        return Model.newest(lease.queues, queue -> queue.commit().atNanos <= atNanos);
    }

    /** Whether a majority had it in the queue for as long as it takes to see it. */
    private boolean hasStood(LeaseLog lease, TicketRow ticket, long atNanos) {
        long fromNanos = atNanos - seenNanos();
        LeaseLog.Queue first = Model.newest(lease.queues, queue -> queue.commit().majorityNanos <= fromNanos);
        return first != null
                && lease.queues.stream()
                        .filter(queue -> queue == first
                                || queue.commit().majorityNanos > fromNanos && queue.commit().atNanos <= atNanos)
                        .allMatch(queue -> queue.tickets().contains(ticket));
    }

    /** Whether every call that may have sent it, and there is one, waits still. */
    private static boolean isWaitedFor(LeaseLog lease, Ticket ticket, long atNanos) {
        List<Call> calls = lease.calls.stream().filter(ticket::mayBeOf).toList();
        return !calls.isEmpty()
                && calls.stream()
                        .allMatch(call -> call.answeredNanos > atNanos
                                && call.by.endsNanos() > atNanos
                                && (call.operation.waitNanos() >= Operation.FOR_EVER_NANOS
                                        || call.by.passedNanos(call.calledNanos, atNanos)
                                                < call.operation.waitNanos()));
    }
}
