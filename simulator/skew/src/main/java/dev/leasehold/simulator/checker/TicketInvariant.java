package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G3;
import static dev.leasehold.simulator.checker.Guarantee.G4;
import static dev.leasehold.simulator.checker.Guarantee.G7;
import static dev.leasehold.simulator.checker.Guarantee.G8;
import static dev.leasehold.simulator.checker.Guarantee.LIM;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.TicketRow;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tickets and grants. G8: a ticket is sent by the engine that it names, for a call that waits, and leads to one tenure at most that a caller
 * gets. A tenure begins by a claim of the engine that it names, or for a ticket. G4: the stamp of a ticket is one that the clock of its
 * writer has shown. G3: a lease that is to be kept free is granted to no ticket.
 *
 * <p>LIM: a ticket with which no call waits any more is taken out of its queue.
 *
 * <p>G7: a lease that the database shows under a session is held, or its engine hears of it or releases it within the bound.
 */
record TicketInvariant(Model history, Violations violations) {

    void check() {
        for (LeaseLog lease : history.leases.values()) {
            for (Ticket ticket : lease.tickets.values()) {
                checkSent(lease, ticket);
                checkOnce(lease, ticket);
            }
            checkShown(lease);
            checkLeft(lease);
        }
        for (LeaseLog.Version version : history.versions) {
            Tenure begun = version.begun();
            if (begun != null && version.commit().by != null && !version.isDamaged()) {
                checkBegun(version, begun);
                checkKeptFree(version);
            }
        }
    }

    // ---- how a ticket comes into the queue ----

    private void checkSent(LeaseLog lease, Ticket ticket) {
        Incarnation by = ticket.by;
        long storedNanos = ticket.stored.atNanos;
        if (by == null || !history.isInside()) {
            return;
        }
        if (!by.isWriter(ticket.row.writer())) {
            violations.add(G8, storedNanos, lease.name, "%s sent %s, which is no writer of it,", by, ticket);
        } else if (lease.calls.stream().noneMatch(ticket::mayBeOf)) {
            violations.add(G8, storedNanos, lease.name, "%s sent %s, and no call of it waited,", by, ticket);
        }
        if (ticket.row.stampNanos() > by.readingNanos(storedNanos) + Incarnation.STAMP_AHEAD_NANOS_MAX) {
            String what = "%s sent %s under the stamp %s, which its clock has not shown yet";
            violations.add(G4, storedNanos, lease.name, what, by, ticket, ticket.row.stampNanos());
        }
    }

    // ---- what it leads to ----

    private void checkOnce(LeaseLog lease, Ticket ticket) {
        Tenure first = null;
        for (Tenure tenure : ticket.tenures) {
            if (isGotten(lease, tenure)) {
                if (first != null) {
                    String what = "%s led to %s, and had led to %s before,";
                    violations.addInside(G8, tenure.begun.atNanos, lease.name, what, ticket, tenure.held, first.held);
                }
                first = tenure;
            }
        }
    }

    private static boolean isGotten(LeaseLog lease, Tenure tenure) {
        return !tenure.handles.isEmpty() || tenure.by != null && lease.lastWindow(tenure.by, tenure.held) != null;
    }

    private void checkBegun(LeaseLog.Version version, Tenure begun) {
        Incarnation by = version.commit().by;
        if (begun.ticket == null && by != null && history.isInside() && !by.isWriter(begun.writer)) {
            String what = "%s began %s under the name of %s, and for no ticket of that,";
            violations.add(G8, version, what, by, begun.held, begun.writer);
        }
    }

    // ---- what may not be granted ----

    /** Until when its handles were to keep it free, at the least that their calls may mean. */
    private void checkKeptFree(LeaseLog.Version version) {
        Tenure ended = version.ended();
        if (version.grantedTo() == null || ended == null || ended.end != Tenure.End.RELEASED) {
            return;
        }
        long atNanos = version.commit().atNanos;
        Incarnation by = version.commit().by;
        if (ended.handles.stream().anyMatch(handle -> handle.by == by && handle.lostNanos() <= atNanos)) {
            // An engine that has lost a lease by time keeps no minimum hold, whichever handle asked for that.
            return;
        }
        for (Call handle : ended.handles) {
            if (handle.closedNanos <= atNanos
                    && handle.by == by
                    && !isOverBefore(ended, handle)
                    && !isReleasedByTenure(ended, atNanos)
                    && handle.by.passedNanos(handle.calledNanos, atNanos) < handle.operation.atLeastNanos()) {
                String what = "%s granted the lease, which %s was to keep free for %s,";
                violations.addInside(G3, version, what, handle.by, handle, (Object) handle.operation.atLeastNanos());
            }
        }
    }

    /** Whether the tenure had run out in the engine of a handle when that was closed: it was lost by time, though no caller was told. */
    private static boolean isOverBefore(Tenure tenure, Call handle) {
        ValidityWindow window = tenure.lease.lastWindow(handle.by, tenure.held);
        return window != null && window.saidUntilNanos() < handle.closedNanos;
    }

    private static boolean isReleasedByTenure(Tenure tenure, long atNanos) {
        return tenure.lease.calls.stream().anyMatch(call -> call.releases(tenure.held) && call.calledNanos <= atNanos);
    }

    // ---- what the database shows in the end ----

    private void checkLeft(LeaseLog lease) {
        // A withdrawal needs no fewer answers than an acquisition.
        if (!history.isLive() || !history.bounds.isAcquirable() || lease.queues.isEmpty()) {
            return;
        }
        for (TicketRow row : lease.queues.get(lease.queues.size() - 1).tickets()) {
            Ticket ticket = Objects.requireNonNull(lease.tickets.get(Ticket.Name.of(row)));
            Incarnation by = ticket.by;
            WriterLog.Version entry = history.writer(row.writer()).latest();
            boolean isPresent = entry != null && entry.row() != null;
            long dueNanos = by == null || !isPresent ? Incarnation.NEVER : leftUntilNanos(lease, ticket, by);
            if (by != null && dueNanos < history.finishedNanos && by.endsNanos() == Incarnation.NEVER) {
                violations.add(LIM, dueNanos, lease.name, "%s stands in its queue, and no call waits with it,", ticket);
            }
        }
    }

    /** By when a ticket must have left; NEVER while a call may wait with it. */
    private long leftUntilNanos(LeaseLog lease, Ticket ticket, Incarnation by) {
        long neededNanos = neededUntilNanos(lease, ticket);
        long quietNanos = Math.max(
                Math.max(history.healthyNanos(), ticket.stored.atNanos),
                Math.max(neededNanos, history.machines.wokeNanos(by.machine)));
        return quietNanos == Incarnation.NEVER ? quietNanos : quietNanos + history.bounds.slackNanos();
    }

    /** When the last call was answered that may have waited with it: one that came while another did, for the same holder, shares its ticket. */
    private static long neededUntilNanos(LeaseLog lease, Ticket ticket) {
        long neededNanos = Long.MIN_VALUE;
        for (Call call : lease.calls) {
            if (ticket.mayBeOf(call) || ticket.isSharedBy(call) && call.calledNanos <= neededNanos) {
                neededNanos = Math.max(neededNanos, call.answeredNanos);
            }
        }
        return neededNanos == Long.MIN_VALUE ? Incarnation.NEVER : neededNanos;
    }

    private void checkShown(LeaseLog lease) {
        LeaseLog.Version latest = lease.latest();
        Tenure held = latest == null ? null : latest.held();
        LeaseRow row = latest == null ? null : latest.row();
        if (!history.isLive() || held == null || row == null || !row.sound() || row.expiryNanos() != null) {
            return;
        }
        Incarnation by = held.by;
        long dueNanos = by == null ? Incarnation.NEVER : dueNanos(lease, held, by);
        if (by != null
                && dueNanos < history.finishedNanos
                && held.sessionEnded == null
                && by.endsNanos() == Incarnation.NEVER
                && !isInUse(lease, held, by, dueNanos)) {
            String what =
                    "%s is shown to hold the lease by the session of %s, and that had neither heard of it nor released it";
            violations.add(G7, dueNanos, lease.name, what, held.held, by);
        }
    }

    private long dueNanos(LeaseLog lease, Tenure held, Incarnation by) {
        long readableNanos = Math.max(
                Math.max(history.healthyNanos(), lease.mendedNanos()),
                Math.max(history.freeFromCallersNanos(lease), history.machines.wokeNanos(by.machine)));
        long shownNanos = Math.max(readableNanos, held.begun.atNanos);
        return shownNanos == Incarnation.NEVER ? shownNanos : shownNanos + history.bounds.hearingNanos();
    }

    /** Whether its engine held it within the bound before that instant, or has an outcome of which it does not know. */
    private boolean isInUse(LeaseLog lease, Tenure held, Incarnation by, long dueNanos) {
        @Nullable ValidityWindow window = lease.lastWindow(by, held.held);
        return held.hasOpenHandles(by, dueNanos)
                || window != null && window.untilNanos >= dueNanos - history.bounds.hearingNanos()
                || lease.calls.stream()
                        .anyMatch(call -> call.by == by
                                && call.kind() != Kind.GATE
                                && call.isAnswered(Answer.Kind.UNKNOWN)
                                && !call.isYes()
                                && !call.isNo());
    }
}
