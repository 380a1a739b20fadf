package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** G7: after the healing the observer gets what nobody alive holds, live holders keep what they hold, and nobody waits for ever. */
final class LivenessPromise {

    private final Trial trial;
    private final Findings findings;
    private final Patience patience;
    private final int observer;

    LivenessPromise(Trial trial, Findings findings) {
        this.trial = trial;
        this.findings = findings;
        this.patience = new Patience(trial.history().plan());
        this.observer = trial.history().clocks().size() - 1;
    }

    void judge(ClosingPromise closing) {
        if (!findings.isInside() || trial.healedNanos() == Trial.NEVER || trial.finishedNanos() == Trial.NEVER) {
            return;
        }
        if (patience.answersComeInTime()) {
            judgeLeases();
        }
        new ReturnPromise(trial, findings, patience).judge();
        new BudgetPromise(trial, findings, patience).judge();
        closing.judge();
    }

    private void judgeLeases() {
        List<LeaseTimeline> leases = trial.database().leases();
        for (int i = 0; i < leases.size(); i++) {
            judgeObserver(leases.get(i));
            judgeBeliefs(leases.get(i));
            judgeWrites(leases.get(i));
        }
        for (int i = 0; i < trial.losses().size(); i++) {
            judge(trial.losses().get(i));
        }
    }

    // ---- holders hear of the end ----

    private void judgeBeliefs(LeaseTimeline lease) {
        for (int i = 0; i < lease.beliefs().size(); i++) {
            Belief belief = lease.beliefs().get(i);
            Tenure tenure = lease.tenure(belief.tenure());
            Commit ended = tenure == null ? null : tenure.ended();
            if (ended != null && ended.majorityNanos() < Trial.NEVER && isOfSession(Objects.requireNonNull(tenure))) {
                long healthyNanos = Math.max(ended.majorityNanos(), trial.healthyNanos());
                long knownNanos = healthyNanos + patience.hearingNanos();
                if (knownNanos < Math.min(belief.untilNanos(), trial.finishedNanos())) {
                    findings.violation(
                            Promise.G7,
                            knownNanos,
                            lease.name(),
                            belief.life() + " was to hear by "
                                    + Words.seconds(knownNanos) + " that " + ended.who() + " had ended what "
                                    + Words.holder(belief.tenure())
                                    + " had at " + Words.seconds(ended.atNanos()) + ", and believed in it until "
                                    + Words.seconds(belief.untilNanos()));
                }
            }
        }
    }

    /** Nobody stores more than was asked for, since others have to wait for the end of that. */
    private void judgeWrites(LeaseTimeline lease) {
        for (int i = 0; i < lease.tenures().size(); i++) {
            Tenure tenure = lease.tenures().get(i);
            for (int j = 0; j < tenure.writes().size(); j++) {
                Tenure.Write write = tenure.writes().get(j);
                if (write.expiryNanos() != null) {
                    Tenure.Write before = j == 0 ? null : tenure.writes().get(j - 1);
                    judgeWrite(lease, tenure, write, before);
                }
            }
        }
    }

    private void judgeWrite(LeaseTimeline lease, Tenure tenure, Tenure.Write write, Tenure.@Nullable Write before) {
        long storedNanos = Objects.requireNonNull(write.expiryNanos()) - write.writtenNanos();
        // What was promised before is carried over to the clock of who writes now, which may be the same under another
        // name.
        long owedNanos = before == null || before.expiryNanos() == null
                ? 0
                : patience.outlivedNanos(before.expiryNanos() - before.writtenNanos()) + 1;
        for (int i = 0; i < lease.calls().size() && storedNanos > owedNanos; i++) {
            Call call = lease.calls().get(i);
            if (call.life() == write.life()
                    && call.asksForATerm()
                    && call.calledNanos() <= write.commit().atNanos()) {
                owedNanos = Math.max(owedNanos, call.operation().durationNanos());
            }
        }
        if (storedNanos > owedNanos) {
            findings.violation(
                    Promise.G7,
                    write.commit().atNanos(),
                    lease.name(),
                    write.life() + " stored at "
                            + Words.seconds(write.commit().atNanos()) + " that " + Words.holder(tenure.held())
                            + " has the lease for "
                            + Words.seconds(storedNanos) + ", nobody had asked for more than "
                            + Words.seconds(owedNanos)
                            + ", and others have to wait for the end");
        }
    }

    // ---- the observer gets it ----

    private void judgeObserver(LeaseTimeline lease) {
        Call attempt = observersAttempt(lease);
        if (attempt == null || isPinned(lease) || isDamaged(lease)) {
            return;
        }
        long dueNanos = dueNanos(lease);
        long triedNanos = attempt.isAnswered(Answer.Kind.YES) ? Trial.NEVER : attempt.answeredNanos();
        if (dueNanos < Math.min(triedNanos, trial.finishedNanos())
                && attempt.life().endsNanos() > dueNanos
                && !hasGot(lease, dueNanos)) {
            findings.violation(
                    Promise.G7,
                    dueNanos,
                    lease.name(),
                    "the observer m" + observer + " was promised "
                            + lease.name() + " by " + Words.seconds(dueNanos) + ", since the faults were over at "
                            + Words.seconds(trial.healedNanos())
                            + " and nobody alive held it, and it did not get it until then");
        }
    }

    /** The newest one. */
    private @Nullable Call observersAttempt(LeaseTimeline lease) {
        for (int i = lease.calls().size() - 1; i >= 0; i--) {
            Call call = lease.calls().get(i);
            if (isObservers(call) && call.calledNanos() >= trial.healedNanos()) {
                return call;
            }
        }
        return null;
    }

    private boolean isObservers(Call call) {
        return call.life().machine() == observer && call.asksForALease();
    }

    private boolean hasGot(LeaseTimeline lease, long dueNanos) {
        for (int i = 0; i < lease.calls().size(); i++) {
            Call call = lease.calls().get(i);
            if (isObservers(call)
                    && call.isAnswered(Answer.Kind.YES)
                    && call.answeredNanos() >= trial.healedNanos()
                    && call.answeredNanos() <= dueNanos) {
                return true;
            }
        }
        return false;
    }

    private static boolean isPinned(LeaseTimeline lease) {
        LeaseTimeline.Version latest = lease.latest();
        return latest != null
                && latest.row() != null
                && latest.row().sound()
                && !latest.row().pins().isEmpty();
    }

    /** Whoever repairs it waits behind a transaction, as everybody does. */
    private static boolean isDamaged(LeaseTimeline lease) {
        LeaseTimeline.Version latest = lease.latest();
        return latest != null && latest.row() != null && !latest.row().sound();
    }

    /** By when the observer must have got it; NEVER while somebody alive holds it. */
    private long dueNanos(LeaseTimeline lease) {
        long fromNanos = Math.max(trial.healedNanos(), freeFromOrphansNanos(lease));
        long storedNanos = 0;
        for (int i = 0; i < lease.tenures().size(); i++) {
            Tenure tenure = lease.tenures().get(i);
            Commit ended = tenure.ended();
            boolean matters = !tenure.begun().isRolledBack()
                    && !isTheObserversDoing(tenure.begun())
                    && (ended == null || ended.atNanos() >= trial.healedNanos());
            if (matters) {
                long keptNanos = keptUntilNanos(tenure);
                if (keptNanos == Trial.NEVER) {
                    return Trial.NEVER;
                }
                fromNanos = Math.max(fromNanos, Math.max(keptNanos, lastTouchedNanos(tenure)));
                storedNanos = Math.max(storedNanos, storedNanos(tenure));
            }
        }
        fromNanos = Math.max(fromNanos, lastChangedNanos(lease));
        storedNanos = Math.max(storedNanos, keptFreeNanos(lease));
        return fromNanos + patience.outlivedNanos(storedNanos) + patience.slackNanos();
    }

    /** For how long a lease was ever kept free at a time, by the clock of whoever released it. */
    private static long keptFreeNanos(LeaseTimeline lease) {
        long keptNanos = 0;
        for (int i = 0; i < lease.versions().size(); i++) {
            LeaseRow row = lease.versions().get(i).row();
            if (row != null && row.sound() && row.holder() == null && row.expiryNanos() != null) {
                keptNanos = Math.max(keptNanos, row.expiryNanos() - row.writtenNanos());
            }
        }
        return keptNanos;
    }

    private boolean isTheObserversDoing(Commit commit) {
        Life life = commit.life();
        return life != null && life.machine() == observer && commit.atNanos() >= trial.healedNanos();
    }

    /** When anybody else but those who assert has written the document for the last time. */
    private long lastChangedNanos(LeaseTimeline lease) {
        for (int i = lease.versions().size() - 1; i >= 0; i--) {
            Commit commit = lease.versions().get(i).commit();
            if (commit.author().kind() != Event.Author.Kind.CALLER && !isTheObserversDoing(commit)) {
                return commit.atNanos();
            }
        }
        return 0;
    }

    /** Until when some handle kept a tenure; NEVER if one still does. */
    private static long keptUntilNanos(Tenure tenure) {
        long keptNanos = 0;
        for (int i = 0; i < tenure.shares().size(); i++) {
            Share share = tenure.shares().get(i);
            if (share.handles() > 0) {
                keptNanos = Math.max(keptNanos, keptUntilNanos(tenure, share));
            }
        }
        return keptNanos;
    }

    /** An engine keeps a tenure until its last handle of it is closed, or it is lost, or ended, or the engine is. */
    private static long keptUntilNanos(Tenure tenure, Share share) {
        Commit ended = tenure.ended();
        long overNanos = Math.min(share.life().endsNanos(), ended == null ? Trial.NEVER : ended.atNanos());
        return Math.min(Math.min(overNanos, share.lostNanos()), share.idleNanos());
    }

    private long lastTouchedNanos(Tenure tenure) {
        Tenure.Write last = tenure.lastWrite();
        long touchedNanos = last == null ? 0 : last.commit().atNanos();
        WriterTimeline writer = isOfSession(tenure) ? trial.database().writer(tenure.writer()) : null;
        WriterTimeline.Version entry = writer == null ? null : writer.latest();
        boolean isDead = entry != null
                && tenure.begun().life() != null
                && !tenure.begun().life().isAliveAt(trial.healedNanos());
        return entry != null && isDead ? Math.max(touchedNanos, entry.commit().atNanos()) : touchedNanos;
    }

    private static boolean isOfSession(Tenure tenure) {
        Tenure.Write last = tenure.lastWrite();
        return last != null && last.expiryNanos() == null;
    }

    private long storedNanos(Tenure tenure) {
        Tenure.Write last = tenure.lastWrite();
        if (last == null || last.expiryNanos() == null) {
            return trial.history().plan().longestSessionNanos();
        }
        return last.expiryNanos() - last.writtenNanos();
    }

    /**
     * A caller who died, or gave up, in the middle of its transaction blocks its lease until the server ends it. Those that were at an end by
     * the healing were ended by that.
     */
    private long freeFromOrphansNanos(LeaseTimeline lease) {
        long freeNanos = 0;
        for (int i = 0; i < lease.calls().size(); i++) {
            Call call = lease.calls().get(i);
            if (call.kind() == Kind.GATE && !call.isAnswered(Answer.Kind.YES)) {
                long leftNanos = Math.min(call.answeredNanos(), call.life().stoppedNanos());
                if (leftNanos >= trial.healedNanos()) {
                    freeNanos =
                            Math.max(freeNanos, Math.min(leftNanos, trial.finishedNanos()) + patience.orphanNanos());
                }
            }
        }
        return freeNanos;
    }

    // ---- holders keep theirs ----

    private void judge(Trial.Loss loss) {
        HeldTenure held = loss.event().tenure();
        LeaseTimeline lease = trial.database().lease(held.lease());
        Tenure tenure = lease.tenure(held);
        if (tenure == null
                || isEnded(tenure, loss)
                || isCarriedOnElsewhere(tenure, loss.life())
                || isHeldUp(lease, loss.event().atNanos(), storedNanos(tenure))
                || !patience.isRenewable(keptNanos(tenure, loss.life()))) {
            return;
        }
        long healthyNanos =
                Math.max(Math.max(trial.healthyNanos(), lease.troubledNanos()), freeFromOrphansNanos(lease));
        long keptFromNanos = healthyNanos + patience.renewedNanos(storedNanos(tenure));
        if (healthyNanos < Trial.NEVER && loss.event().atNanos() > keptFromNanos) {
            findings.violation(
                    Promise.G7,
                    loss.event().atNanos(),
                    lease.name(),
                    Words.holder(held) + " was promised to keep "
                            + "the lease, since " + loss.life() + " lived and there were no faults from "
                            + Words.seconds(healthyNanos)
                            + " on, and it was lost at "
                            + Words.seconds(loss.event().atNanos()) + " ("
                            + loss.event().reason() + ")");
        }
    }

    /** For how long at a time an engine keeps a tenure. Its own session may be shorter than the longest. */
    private long keptNanos(Tenure tenure, Life life) {
        return isOfSession(tenure) ? trial.history().plan().sessionNanos(life.machine()) : storedNanos(tenure);
    }

    private static boolean isEnded(Tenure tenure, Trial.Loss loss) {
        long lostNanos = loss.event().atNanos();
        return tenure.end() == Tenure.End.FORCED
                || tenure.end() == Tenure.End.DAMAGED
                || tenure.isGivenUpBy(lostNanos)
                || loss.life().endsNanos() <= lostNanos;
    }

    /** Whether a caller's transaction may have been in the way of the last renewals. */
    private static boolean isHeldUp(LeaseTimeline lease, long lostNanos, long durationNanos) {
        for (int i = 0; i < lease.calls().size(); i++) {
            Call call = lease.calls().get(i);
            if (call.kind() == Kind.GATE
                    && call.calledNanos() <= lostNanos
                    && call.answeredNanos() >= lostNanos - durationNanos) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether another engine of the same holder goes on with the tenure since the healing. Neither waits for the other: who writes often, on
     * a slow network, may leave the other no room between its read and its write.
     */
    private boolean isCarriedOnElsewhere(Tenure tenure, Life life) {
        Tenure.Write last = tenure.lastWrite();
        return last != null && last.life() != life && last.commit().atNanos() >= trial.healedNanos();
    }
}
