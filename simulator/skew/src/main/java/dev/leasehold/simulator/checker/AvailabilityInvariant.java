package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G7;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * G7: the lease of a holder that died can be taken by any live engine within (expiry - written) * (1 + drift) / (1 - drift), counted from
 * that engine's first look at its writer since, plus the time of its own call. An observer tries to get each lease when the faults are
 * over. It gets it by then, counted from the last time that another engine wrote it, or kept it by an open handle, or that the server ended the
 * transaction in which a caller had left it; unless a handle keeps it to the end, or it is pinned or damaged. An observer whose looks no
 * fault hindered has waited before it asks, but for a lease that is kept free, as no entry shows the stamp of a release without a transaction,
 * and for a term whose writer went before a look could show its entry.
 *
 * <p>G7: a live engine that reaches the database keeps the leases of its handles. None of them is lost by time once the faults have been over
 * for as long as a renewal may take, where a term, or a session, lasts long enough to be renewed on that network. Another engine that
 * extends the same tenure, a caller that has its lease in an open transaction, and more conflicts and misses than a renewal has time for, may be in
 * the way.
 */
record AvailabilityInvariant(Model history, Violations violations) {

    void check() {
        if (history.isLive()) {
            if (history.bounds.isAcquirable()) {
                history.leases.values().forEach(this::checkHad);
            }
            for (Tenure tenure : history.tenures) {
                for (Call handle : tenure.handles) {
                    handle.losses.forEach(loss -> checkKept(tenure, handle, loss));
                }
            }
        }
    }

    // ---- that of a dead holder ----

    private void checkHad(LeaseLog lease) {
        LeaseLog.Version latest = lease.latest();
        LeaseRow row = latest == null ? null : latest.row();
        List<Call> attempts = lease.calls.stream().filter(this::isAttempt).toList();
        if (attempts.isEmpty() || row != null && (!row.sound() || !row.pins().isEmpty())) {
            return;
        }
        Call attempt = attempts.get(attempts.size() - 1);
        long dueNanos = dueNanos(lease, attempt.by);
        boolean tries = attempt.isAnswered(Answer.Kind.YES) || attempt.answeredNanos > dueNanos;
        boolean has =
                attempts.stream().anyMatch(each -> each.isAnswered(Answer.Kind.YES) && each.answeredNanos <= dueNanos);
        if (tries && !has && dueNanos < history.finishedNanos && dueNanos < attempt.by.endsNanos()) {
            String what =
                    "the observer %s was guaranteed the lease, since no live holder kept it behind the faults, and had it not";
            violations.add(G7, dueNanos, lease.name, what, attempt.by);
        }
    }

    private boolean isAttempt(Call call) {
        return call.asksForLease() && isObservers(call.by, call.calledNanos);
    }

    private boolean isObservers(@Nullable Incarnation by, long atNanos) {
        return by != null && by.machine == history.conditions.observer() && atNanos >= history.healedNanos;
    }

    /** By when the observer must have got it; NEVER while a live holder keeps it. */
    private long dueNanos(LeaseLog lease, Incarnation by) {
        long askedNanos = Math.max(history.healedNanos, history.freeFromCallersNanos(lease));
        long fromNanos = 0;
        long sessionNanos = Collections.max(history.conditions.sessionNanos());
        long storedNanos = 0;
        boolean seen = true;
        for (LeaseLog.Version version : lease.versions) {
            Commit commit = version.commit();
            if (commit.author.kind() != Event.Author.Kind.CALLER && !isObservers(commit.by, commit.atNanos)) {
                fromNanos = Math.max(fromNanos, commit.atNanos);
            }
            LeaseRow row = version.row();
            if (row != null && row.sound() && row.holder() == null && row.expiryNanos() != null) {
                storedNanos = Math.max(storedNanos, row.expiryNanos() - row.writtenNanos());
                fromNanos = Math.max(fromNanos, askedNanos);
            }
        }
        for (Tenure tenure : lease.tenures) {
            if (tenure.endedNanos() >= history.healedNanos && !isObservers(tenure.by, tenure.begun.atNanos)) {
                long keptNanos = Math.max(keptUntilNanos(tenure), unheardUntilNanos(tenure));
                if (keptNanos == Incarnation.NEVER) {
                    return Incarnation.NEVER;
                }
                fromNanos = Math.max(fromNanos, Math.max(keptNanos, lastSignNanos(tenure)));
                Tenure.Write last = tenure.lastWrite();
                storedNanos = Math.max(storedNanos, last == null ? sessionNanos : last.lengthNanos(sessionNanos));
                seen &= last == null || !isUnseen(last, by);
            }
        }
        long waitNanos = history.bounds.outlivedNanos(storedNanos);
        long unwatchedNanos = Math.max(askedNanos, fromNanos) + waitNanos;
        long seenNanos = lookedNanos(by, fromNanos);
        long dueNanos = seen ? Math.min(unwatchedNanos, Math.max(askedNanos, seenNanos + waitNanos)) : unwatchedNanos;
        return dueNanos + history.bounds.slackNanos();
    }

    /** When the observer has looked at all writers after an instant, at the latest. */
    private long lookedNanos(Incarnation observer, long afterNanos) {
        return Math.max(watchedFromNanos(observer), afterNanos) + history.bounds.lookNanos(observer.machine);
    }

    /** Whether the entry under which a term was written may have gone before a look of the observer showed it. */
    private boolean isUnseen(Tenure.Write last, Incarnation observer) {
        long writtenNanos = last.commit().atNanos;
        long lookedNanos = lookedNanos(observer, writtenNanos);
        return last.expiryNanos() != null
                && history.writers.values().stream()
                        .filter(writer -> last.by().isWriter(writer.name))
                        .flatMap(writer -> writer.versions.stream())
                        .anyMatch(entry -> entry.row() == null
                                && entry.commit().atNanos >= writtenNanos
                                && entry.commit().atNanos <= lookedNanos);
    }

    /** Since when nothing hinders the observer's looks at all writers. */
    private long watchedFromNanos(Incarnation observer) {
        return history.bounds.isAnsweredInTime()
                ? Math.max(history.healthyNanos(), observer.startedNanos())
                : history.healedNanos;
    }

    /** Until when a handle kept a tenure; NEVER if one still does. */
    private static long keptUntilNanos(Tenure tenure) {
        return tenure.handles.stream()
                .mapToLong(handle ->
                        Math.min(Math.min(handle.by.endsNanos(), tenure.endedNanos()), handle.handleEndNanos()))
                .max()
                .orElse(0);
    }

    /** Until when a live engine may not have seen that the lease was granted to a ticket of it with which no call waits any more. */
    private long unheardUntilNanos(Tenure tenure) {
        boolean isUnheard = tenure.ticket != null
                && tenure.ticket.by != null
                && tenure.ticket.by.isAliveAt(history.healedNanos)
                && tenure.handles.isEmpty();
        long shownNanos = Math.max(tenure.begun.atNanos, tenure.lease.mendedNanos());
        return isUnheard ? Math.min(tenure.endedNanos(), shownNanos + history.bounds.unreportedNanos()) : 0;
    }

    /** When the entry of a session was written for the last time, where its engine did not live on to release the lease. */
    private long lastSignNanos(Tenure tenure) {
        WriterLog.Version entry =
                tenure.isOfSession() ? history.writer(tenure.writer).latest() : null;
        Incarnation by = tenure.by;
        return entry != null && by != null && !by.isAliveAt(history.healedNanos) ? entry.commit().atNanos : 0;
    }

    // ---- that of a live holder ----

    private void checkKept(Tenure tenure, Call handle, Event.Lost loss) {
        LeaseLog lease = tenure.lease;
        long lostNanos = loss.atNanos();
        Tenure.Write last = tenure.lastWrite(lostNanos);
        if (last == null || isEnded(tenure, handle, lostNanos) || isCarriedOnElsewhere(last, handle)) {
            return;
        }
        long sessionNanos = history.conditions.sessionNanos().get(handle.by.machine);
        long durationNanos = last.lengthNanos(sessionNanos);
        // What has been made longer, by another engine or unheard, the engine renews in the time that it knows of.
        long knownNanos = Math.min(
                shortestNanos(tenure, lostNanos - durationNanos, sessionNanos),
                renewedNanos(tenure, handle.by, sessionNanos));
        long healthyNanos =
                Math.max(Math.max(history.healthyNanos(), lease.mendedNanos()), history.freeFromCallersNanos(lease));
        if (healthyNanos < Incarnation.NEVER
                && lostNanos > healthyNanos + history.bounds.renewedNanos(durationNanos)
                && history.bounds.isRenewable(knownNanos, handle.by.machine)
                && history.bounds.isRenewedAfter(
                        history.machines.conflicts(handle.by.machine, lostNanos - knownNanos, lostNanos),
                        writtenElsewhere(handle.by, lostNanos - knownNanos, lostNanos))
                && !isAsserted(lease, lostNanos - durationNanos, lostNanos)) {
            String what =
                    "%s was guaranteed the lease, since %s lived and there were no faults from %s on, and lost it (%s)";
            violations.add(G7, lostNanos, lease.name, what, tenure.held, handle.by, healthyNanos, loss.reason());
        }
    }

    /** A renewal that comes behind a caller's extension for less has no more time than that. */
    private static long shortestNanos(Tenure tenure, long fromNanos, long sessionNanos) {
        return tenure.writes.stream()
                .filter(write -> write.commit().atNanos >= fromNanos)
                .mapToLong(write -> write.lengthNanos(sessionNanos))
                .min()
                .orElse(sessionNanos);
    }

    /** For how long at a time an engine keeps a tenure: for the term of its handles. */
    private static long renewedNanos(Tenure tenure, Incarnation by, long sessionNanos) {
        return tenure.handles.stream()
                .filter(handle -> handle.by == by)
                .mapToLong(Call::termNanos)
                .filter(termNanos -> termNanos > 0)
                .min()
                .orElse(sessionNanos);
    }

    private static boolean isEnded(Tenure tenure, Call handle, long lostNanos) {
        return tenure.end == Tenure.End.ORDERED
                || tenure.end == Tenure.End.DAMAGED
                || tenure.isReleasedBy(lostNanos)
                || handle.by.endsNanos() <= lostNanos;
    }

    /** How often another engine wrote a tenure of this one, by which a renewal of it misses, and all that share its transaction. */
    private long writtenElsewhere(Incarnation by, long fromNanos, long toNanos) {
        return history.tenures.stream()
                .filter(tenure -> tenure.by == by)
                .flatMap(tenure -> tenure.writes.stream())
                .filter(write ->
                        write.by() != by && write.commit().atNanos >= fromNanos && write.commit().atNanos <= toNanos)
                .count();
    }

    private boolean isCarriedOnElsewhere(Tenure.Write last, Call handle) {
        return last.by() != handle.by && last.commit().atNanos >= history.healedNanos;
    }

    private static boolean isAsserted(LeaseLog lease, long fromNanos, long toNanos) {
        return lease.calls.stream()
                .anyMatch(call ->
                        call.kind() == Kind.GATE && call.calledNanos <= toNanos && call.answeredNanos >= fromNanos);
    }
}
