package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Operation.Kind;
import org.jspecify.annotations.Nullable;

/**
 * G7: the lease of a holder that died can be taken by any live engine within (expiry - written) * (1 + drift) / (1 - drift), counted from
 * that engine's first look at it, plus the time of its own call. An observer tries to get each lease when the faults are over. It gets it
 * by then, counted from the last time that anybody else wrote it, or kept it by an open handle, or that the server ended the transaction in
 * which a caller had left it; unless somebody keeps it to the end, or has pinned or damaged it.
 */
final class AvailabilityInvariant implements Invariant {

    @Override
    public void check(Model history, Violations violations) {
        if (!isJudged(history)) {
            return;
        }
        for (LeaseLog lease : history.leases()) {
            Call attempt = newestAttempt(history, lease);
            LeaseLog.Version latest = lease.latest();
            LeaseRow row = latest == null ? null : latest.row();
            boolean isBarred = row != null && (!row.sound() || !row.pins().isEmpty());
            if (attempt != null && !isBarred) {
                check(history, lease, attempt, violations);
            }
        }
    }

    /** Whether liveness is promised: within the assumptions, after the faults, on a network on which answers come in time. */
    static boolean isJudged(Model history) {
        return history.conditions().inside()
                && history.healedNanos() < Incarnation.NEVER
                && history.finishedNanos() < Incarnation.NEVER
                && history.conditions().answersComeInTime();
    }

    private static void check(Model history, LeaseLog lease, Call attempt, Violations violations) {
        long dueNanos = dueNanos(history, lease);
        long triedNanos = attempt.isAnswered(Answer.Kind.YES) ? Incarnation.NEVER : attempt.answeredNanos();
        if (dueNanos < Math.min(triedNanos, history.finishedNanos())
                && attempt.by().endsNanos() > dueNanos
                && !hasGot(history, lease, dueNanos)) {
            violations.add(
                    Guarantee.G7,
                    dueNanos,
                    lease.name(),
                    "the observer " + attempt.by() + " was promised " + lease.name() + " by "
                            + Words.seconds(dueNanos) + ", since the faults were over at "
                            + Words.seconds(history.healedNanos())
                            + " and nobody alive kept it, and it did not get it until then");
        }
    }

    private static boolean isAttempt(Model history, Call call) {
        return call.by().machine() == history.conditions().observer()
                && call.asksForLease()
                && call.calledNanos() >= history.healedNanos();
    }

    private static @Nullable Call newestAttempt(Model history, LeaseLog lease) {
        Call newest = null;
        for (Call call : lease.calls()) {
            newest = isAttempt(history, call) ? call : newest;
        }
        return newest;
    }

    private static boolean hasGot(Model history, LeaseLog lease, long dueNanos) {
        for (Call call : lease.calls()) {
            if (isAttempt(history, call) && call.isAnswered(Answer.Kind.YES) && call.answeredNanos() <= dueNanos) {
                return true;
            }
        }
        return false;
    }

    /** By when the observer must have got it; NEVER while somebody alive keeps it. */
    private static long dueNanos(Model history, LeaseLog lease) {
        long fromNanos = Math.max(history.healedNanos(), freeFromOrphansNanos(history, lease));
        long storedNanos = keptFreeNanos(lease);
        for (Tenure tenure : lease.tenures()) {
            Commit ended = tenure.ended();
            boolean matters = ended == null || ended.atNanos() >= history.healedNanos();
            if (matters && !isObservers(history, tenure.begun())) {
                long keptNanos = keptUntilNanos(tenure);
                if (keptNanos == Incarnation.NEVER) {
                    return Incarnation.NEVER;
                }
                fromNanos = Math.max(fromNanos, Math.max(keptNanos, lastSignNanos(history, tenure)));
                storedNanos = Math.max(storedNanos, storedNanos(history, tenure));
            }
        }
        for (LeaseLog.Version version : lease.versions()) {
            Commit commit = version.commit();
            if (commit.author().kind() != Event.Author.Kind.CALLER && !isObservers(history, commit)) {
                fromNanos = Math.max(fromNanos, commit.atNanos());
            }
        }
        return fromNanos
                + history.bounds().outlivedNanos(storedNanos)
                + history.bounds().slackNanos();
    }

    private static boolean isObservers(Model history, Commit commit) {
        Incarnation by = commit.by();
        return by != null
                && by.machine() == history.conditions().observer()
                && commit.atNanos() >= history.healedNanos();
    }

    /** Until when a handle kept a tenure; NEVER if one still does. */
    private static long keptUntilNanos(Tenure tenure) {
        Commit ended = tenure.ended();
        long keptNanos = 0;
        for (Call handle : tenure.handles()) {
            long overNanos = Math.min(handle.by().endsNanos(), ended == null ? Incarnation.NEVER : ended.atNanos());
            keptNanos = Math.max(keptNanos, Math.min(overNanos, Math.min(handle.lostNanos(), handle.closedNanos())));
        }
        return keptNanos;
    }

    /** When its engine wrote it for the last time, or the entry of its session, where it did not live on to release it. */
    private static long lastSignNanos(Model history, Tenure tenure) {
        Tenure.Write last = tenure.lastWrite();
        long signNanos = last == null ? 0 : last.commit().atNanos();
        WriterLog writer = tenure.isOfSession() ? history.writer(tenure.writer()) : null;
        WriterLog.Version entry = writer == null ? null : writer.latest();
        Incarnation by = tenure.begun().by();
        return entry != null && by != null && !by.isAliveAt(history.healedNanos())
                ? Math.max(signNanos, entry.commit().atNanos())
                : signNanos;
    }

    private static long storedNanos(Model history, Tenure tenure) {
        Tenure.Write last = tenure.lastWrite();
        return last == null || last.expiryNanos() == null
                ? history.conditions().longestSessionNanos()
                : last.expiryNanos() - last.writtenNanos();
    }

    /** For how long the lease was ever kept free at a time. */
    private static long keptFreeNanos(LeaseLog lease) {
        long keptNanos = 0;
        for (LeaseLog.Version version : lease.versions()) {
            LeaseRow row = version.row();
            if (row != null && row.sound() && row.holder() == null && row.expiryNanos() != null) {
                keptNanos = Math.max(keptNanos, row.expiryNanos() - row.writtenNanos());
            }
        }
        return keptNanos;
    }

    /** Until when the server has ended the transactions that callers left open since the healing; those of before were ended by it. */
    static long freeFromOrphansNanos(Model history, LeaseLog lease) {
        long freeNanos = 0;
        for (Call call : lease.calls()) {
            long leftNanos = Math.min(call.answeredNanos(), call.by().stoppedNanos());
            if (call.kind() == Kind.GATE && !call.isAnswered(Answer.Kind.YES) && leftNanos >= history.healedNanos()) {
                freeNanos = Math.max(
                        freeNanos,
                        Math.min(leftNanos, history.finishedNanos())
                                + history.bounds().orphanNanos());
            }
        }
        return freeNanos;
    }
}
