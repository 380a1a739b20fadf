package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Faults;
import dev.leasehold.simulator.history.Handlers;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts the states that a history reaches and that are worth counting: {@link Coverage}, faults, and the marks of the database. */
final class CoverageCounter {

    private final Model history;
    /** All that was counted. */
    final SortedMap<String, Long> reached = new TreeMap<>();

    CoverageCounter(Model history, Violations violations) {
        this.history = history;
        count(Coverage.OVERLAP, violations.overlaps);
        count(Coverage.BROKEN_OUTSIDE, violations.outside);
        count(Coverage.ROLLBACK_BELOW_MAJORITY, history.rollbacksOfWrites);
        history.tell(new Handlers<Event>()
                .on(Event.Reached.class, mark -> count(mark.mark(), 1))
                .on(Event.Fault.class, this::fault));
        history.calls.values().forEach(this::countCall);
        history.versions.forEach(this::countVersion);
        history.writers.values().forEach(writer -> writer.versions.forEach(this::countEntry));
        history.commits.forEach(this::countGated);
        history.leases.values().forEach(lease -> lease.queues.forEach(this::countQueue));
    }

    private void count(Coverage state, long times) {
        count(state.name(), times);
    }

    private void count(String name, long times) {
        if (times > 0) {
            reached.merge(name, times, Long::sum);
        }
    }

    private void fault(Event.Fault fault) {
        count(fault.fault(), 1);
        boolean duringCall = fault.fault().equals(Faults.CRASH)
                && history.calls.values().stream()
                        .anyMatch(call -> call.by.machine == fault.machine()
                                && call.by.stoppedNanos == fault.atNanos()
                                && call.calledNanos <= fault.atNanos()
                                && call.answeredNanos > fault.atNanos());
        count(Coverage.REBOOT_DURING_OPERATION, duringCall ? 1 : 0);
    }

    // ---- calls ----

    private void countCall(Call call) {
        count(Coverage.HANDLE_LOST, call.losses.size());
        count(Coverage.STEPPED_DOWN, call.kind() == Kind.STEP_DOWN && call.isAnswered(Answer.Kind.YES) ? 1 : 0);
        if (call.isAnswered(Answer.Kind.UNKNOWN)) {
            count(Coverage.UNKNOWN, 1);
            count(Coverage.UNKNOWN_RESOLVED_YES, call.isYes() ? 1 : 0);
            count(Coverage.UNKNOWN_RESOLVED_NO, call.isNo() ? 1 : 0);
        } else if (call.isAnsweredFor(Answer.DONE_BEFORE)) {
            count(Coverage.OCCURRENCE_FOUND, 1);
        } else if (call.kind() == Kind.FIND_OCCURRENCE) {
            count(Coverage.OCCURRENCE_SEEN, call.isAnswered(Answer.Kind.YES) ? 1 : 0);
        } else if (call.kind() == Kind.GATE && call.answer != null) {
            count(call.isAnswered(Answer.Kind.YES) ? Coverage.ASSERTION_PASSED : Coverage.ASSERTION_REFUSED, 1);
        } else if (call.asksForLease() && call.isAnswered(Answer.Kind.NO) && isHeldByAnother(call)) {
            count(Coverage.CONTENTION_LOST, 1);
        } else if (call.asksForLease() && call.isAnswered(Answer.Kind.YES) && isContended(call)) {
            count(Coverage.CONTENTION_WON, 1);
        }
        if (call.isAnswered(Answer.Kind.YES) && isOneOfBatch(call)) {
            count(Coverage.MIXED_BATCH, 1);
        }
    }

    private static boolean isHeldByAnother(Call call) {
        Answer answer = call.answer;
        return answer != null
                && !answer.shown().isEmpty()
                && answer.shown().get(0).holder() != null;
    }

    /** Whether another engine asked for the same lease at the same time, and was still waiting or was refused. */
    private boolean isContended(Call call) {
        return history.leaseOf(call).calls.stream()
                .anyMatch(other -> other.by != call.by
                        && other.asksForLease()
                        && other.calledNanos <= call.answeredNanos
                        && other.answeredNanos >= call.calledNanos
                        && (other.answer == null || other.isAnswered(Answer.Kind.NO)));
    }

    private boolean isOneOfBatch(Call call) {
        return history.calls.values().stream()
                .anyMatch(other -> other.by == call.by
                        && other.answeredNanos == call.answeredNanos
                        && other.isAnswered(Answer.Kind.NO));
    }

    // ---- documents ----

    private void countVersion(LeaseLog.Version version) {
        Tenure ended = version.ended();
        Tenure begun = version.begun();
        Tenure held = version.held();
        Ticket granted = version.grantedTo();
        if (begun != null && granted != null) {
            count(Coverage.GRANTED, 1);
            count(Coverage.GRANT_HEARD, begun.handles.isEmpty() ? 0 : 1);
            count(Coverage.GRANTED_IN_VAIN, begun.handles.isEmpty() ? 1 : 0);
            count(Coverage.GRANTED_AGAIN, begun == granted.tenures.get(0) ? 0 : 1);
        }
        if (ended != null && begun != null && !ended.held.holder().equals(begun.held.holder())) {
            count(Coverage.TAKEN_OVER, 1);
        } else if (ended != null && ended.end == Tenure.End.ORDERED) {
            count(Coverage.FORCED_EXPIRY, 1);
        }
        Tenure.Write write = held == null || begun != null ? null : held.lastWrite(version.commit().atNanos);
        if (held != null && write != null && write.commit() == version.commit() && write.by() != held.by) {
            count(Coverage.EXTENDED_ELSEWHERE, 1);
        }
    }

    private void countQueue(LeaseLog.Queue queue) {
        boolean isOnceEach =
                queue.tickets().stream().map(Ticket.Name::of).distinct().count()
                        == queue.tickets().size();
        count(Coverage.TICKET_TWICE, isOnceEach ? 0 : 1);
    }

    private void countEntry(WriterLog.Version version) {
        WriterRow before = version.before();
        Incarnation by =
                version.entryBefore() == null ? null : version.entryBefore().commit().by;
        if (before == null || before.sessionNanos() == null || by == null) {
            return;
        } else if (version.row() == null) {
            count(Coverage.EVICTED, version.commit().by == by ? 0 : 1);
        } else if (by.readingNanos(version.commit().atNanos) > before.timeNanos() + before.sessionNanos()) {
            count(Coverage.LATE_HEARTBEAT, 1);
        }
    }

    private void countGated(Commit commit) {
        if (commit.author.meant() != null
                && !GatedTransactionInvariant.stoodAt(history, commit, commit.author.meant())
                && GatedTransactionInvariant.isCallersMistake(history, commit)) {
            count(Coverage.MISTAKE_OF_CALLER, 1);
        }
        boolean isRecord = commit.event.changes().stream().anyMatch(Change.OfOccurrence.class::isInstance);
        count(Coverage.OCCURRENCE_RECORDED, isRecord ? 1 : 0);
    }
}
