package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G7;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Event;
import java.util.List;

/**
 * G7: the lease of a holder that died can be taken by any live engine within (expiry - written) * (1 + drift) / (1 - drift), counted from
 * that engine's first look at it, plus the time of its own call. An observer tries to get each lease when the faults are over. It gets it
 * by then, counted from the last time that another engine wrote it, or kept it by an open handle, or that the server ended the transaction in
 * which a caller had left it; unless a handle keeps it to the end, or it is pinned or damaged.
 */
record AvailabilityInvariant(Model history, Violations violations) implements Invariant {

    @Override
    public void check() {
        if (history.isLive()) {
            history.leases().forEach(this::check);
        }
    }

    private void check(LeaseLog lease) {
        LeaseLog.Version latest = lease.latest();
        LeaseRow row = latest == null ? null : latest.row();
        List<Call> attempts = lease.calls.stream().filter(this::isAttempt).toList();
        if (attempts.isEmpty() || row != null && (!row.sound() || !row.pins().isEmpty())) {
            return;
        }
        long dueNanos = dueNanos(lease);
        Call attempt = attempts.get(attempts.size() - 1);
        boolean tries = attempt.isAnswered(Answer.Kind.YES) || attempt.answeredNanos > dueNanos;
        boolean has =
                attempts.stream().anyMatch(each -> each.isAnswered(Answer.Kind.YES) && each.answeredNanos <= dueNanos);
        if (tries && !has && dueNanos < history.finishedNanos && dueNanos < attempt.by.endsNanos()) {
            violations.add(
                    G7,
                    dueNanos,
                    lease.name,
                    "the observer %s was guaranteed the lease, since no live holder kept it behind the faults, and had it not",
                    attempt.by);
        }
    }

    private boolean isAttempt(Call call) {
        return call.by.machine == history.conditions.observer()
                && call.asksForLease()
                && call.calledNanos >= history.healedNanos;
    }

    private boolean isObservers(Commit commit) {
        return commit.by != null
                && commit.by.machine == history.conditions.observer()
                && commit.atNanos >= history.healedNanos;
    }

    /** By when the observer must have got it; NEVER while a live holder keeps it. */
    private long dueNanos(LeaseLog lease) {
        long fromNanos = Math.max(history.healedNanos, history.freeFromCallersNanos(lease));
        long storedNanos = 0;
        for (LeaseLog.Version version : lease.versions) {
            Commit commit = version.commit();
            if (commit.author.kind() != Event.Author.Kind.CALLER && !isObservers(commit)) {
                fromNanos = Math.max(fromNanos, commit.atNanos);
            }
            LeaseRow row = version.row();
            if (row != null && row.sound() && row.holder() == null && row.expiryNanos() != null) {
                storedNanos = Math.max(storedNanos, row.expiryNanos() - row.writtenNanos());
            }
        }
        for (Tenure tenure : lease.tenures) {
            if (tenure.endedNanos() >= history.healedNanos && !isObservers(tenure.begun)) {
                long keptNanos = keptUntilNanos(tenure);
                if (keptNanos == Incarnation.NEVER) {
                    return Incarnation.NEVER;
                }
                fromNanos = Math.max(fromNanos, Math.max(keptNanos, lastSignNanos(tenure)));
                storedNanos = Math.max(storedNanos, storedNanos(tenure));
            }
        }
        return fromNanos + history.bounds.outlivedNanos(storedNanos) + history.bounds.slackNanos();
    }

    /** Until when a handle kept a tenure; NEVER if one still does. */
    private static long keptUntilNanos(Tenure tenure) {
        return tenure.handles.stream()
                .mapToLong(handle ->
                        Math.min(Math.min(handle.by.endsNanos(), tenure.endedNanos()), handle.handleEndNanos()))
                .max()
                .orElse(0);
    }

    /** When the entry of a session was written for the last time, where its engine did not live on to release the lease. */
    private long lastSignNanos(Tenure tenure) {
        WriterLog writer = tenure.isOfSession() ? history.writer(tenure.writer) : null;
        WriterLog.Version entry = writer == null ? null : writer.latest();
        Incarnation by = tenure.begun.by;
        return entry != null && by != null && !by.isAliveAt(history.healedNanos) ? entry.commit().atNanos : 0;
    }

    private long storedNanos(Tenure tenure) {
        Tenure.Write last = tenure.lastWrite();
        return last == null || last.expiryNanos() == null
                ? history.conditions.longestSessionNanos()
                : last.expiryNanos() - last.writtenNanos();
    }
}
