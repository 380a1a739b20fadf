package dev.leasehold.simulator.check;

import dev.leasehold.simulator.check.Tenure.Write;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** G8: what callers are told is so. */
final class AnswerPromise {

    private final Trial trial;
    private final Findings findings;
    private final ShownStates shown;
    private final Occasion occasion;

    AnswerPromise(Trial trial, Findings findings) {
        this.trial = trial;
        this.findings = findings;
        this.shown = new ShownStates(trial, findings);
        this.occasion = new Occasion(trial, findings);
    }

    void judge() {
        List<Call> calls = trial.calls().all();
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            Answer answer = call.answer();
            if (answer != null) {
                judgeClosed(call, answer);
                judge(call, answer, call.answeredNanos());
                shown.judge(call, answer);
            }
            Answer lastWord = call.lastWord();
            if (lastWord != null && lastWord != answer) {
                judge(call, lastWord, call.lastWordNanos());
            }
        }
        judgeCommits();
        List<LeaseTimeline> leases = trial.database().leases();
        for (int i = 0; i < leases.size(); i++) {
            judgeTenures(leases.get(i));
            judgeBeliefs(leases.get(i));
        }
    }

    // ---- yes ----

    private void judge(Call call, Answer answer, long atNanos) {
        if (answer.kind() == Answer.Kind.YES) {
            switch (call.kind()) {
                case CLAIM, TAKE_OVER -> judgeBegun(call, answer.tenure(), atNanos, true);
                case ACQUIRE -> judgeBegun(call, answer.tenure(), atNanos, false);
                case EXTEND -> judgeExtended(call, answer.tenure(), atNanos);
                case RELEASE, EXPIRE, FORCE_EXPIRE -> judgeEnded(call, answer.tenure(), atNanos);
                case GATE -> judgeGated(call, atNanos);
                default -> {}
            }
        }
    }

    private void judgeBegun(Call call, @Nullable HeldTenure held, long atNanos, boolean anew) {
        Tenure tenure = tenureOf(held);
        boolean isNew = anew || call.operation().holder() == null && findings.isInside();
        if (tenure == null
                || !isSure(tenure.begun(), atNanos)
                || isNew
                        && (tenure.begun().life() != call.life()
                                || tenure.begun().atNanos() < call.calledNanos())) {
            yesIsUntrue(call, held, atNanos, tenure == null ? null : tenure.begun());
        } else if (!isForWhoAsked(call, tenure)) {
            findings.violation(
                    Promise.G8,
                    atNanos,
                    tenure.held().lease(),
                    "the caller of " + call + " was granted at " + Words.seconds(atNanos) + " what is "
                            + Words.holder(tenure.held()) + ", which is somebody else's");
        } else if (tenure.ended() != null
                && tenure.ended().majorityNanos() < call.calledNanos()
                && (findings.isInside() || tenure.ended().life() == call.life())
                && !tenure.hasEndedBehindTheBackOf(call.life(), call.calledNanos())) {
            findings.violation(
                    Promise.G8,
                    atNanos,
                    tenure.held().lease(),
                    "the caller of " + call + " of "
                            + Words.seconds(call.calledNanos()) + " was granted at " + Words.seconds(atNanos)
                            + " what was "
                            + Words.holder(tenure.held()) + ", and "
                            + tenure.ended().who() + " had ended that at "
                            + Words.seconds(tenure.ended().atNanos()));
        } else {
            occasion.judge(call, tenure, atNanos);
        }
    }

    /** Without a name of its own an acquisition has a holder of its own. */
    private boolean isForWhoAsked(Call call, Tenure tenure) {
        String lease = call.operation().lease();
        String holder = call.operation().holder();
        if (lease != null && !lease.equals(tenure.held().lease())) {
            return false;
        }
        if (holder != null) {
            return holder.equals(tenure.held().holder());
        }
        // Clones have the names of another engine.
        return !findings.isInside() || call.life().isWriter(tenure.held().holder()) && isGrantedOnce(tenure);
    }

    private static boolean isGrantedOnce(Tenure tenure) {
        int grants = 0;
        for (int i = 0; i < tenure.grants().size(); i++) {
            grants += tenure.grants().get(i).kind() == Kind.EXTEND ? 0 : 1;
        }
        return grants <= 1;
    }

    private void judgeExtended(Call call, @Nullable HeldTenure held, long atNanos) {
        Tenure tenure = tenureOf(held);
        Write write = tenure == null ? null : lastSureWrite(tenure, call.life(), atNanos);
        if (tenure == null || write == null) {
            yesIsUntrue(call, held, atNanos, tenure == null ? null : tenure.begun());
        } else if (endedItself(tenure, call)) {
            findings.violation(
                    Promise.G8,
                    atNanos,
                    tenure.held().lease(),
                    "the caller of " + call + " of "
                            + Words.seconds(call.calledNanos()) + " was told at " + Words.seconds(atNanos) + " that "
                            + Words.holder(tenure.held())
                            + " goes on, which the same engine had ended at "
                            + Words.seconds(
                                    Objects.requireNonNull(tenure.ended()).atNanos()));
        } else if (write.expiryNanos() != null
                && write.expiryNanos()
                        < call.life().readingNanos(call.calledNanos())
                                + call.operation().durationNanos()) {
            findings.violationInside(
                    Promise.G2,
                    atNanos,
                    tenure.held().lease(),
                    Words.holder(tenure.held())
                            + " was promised " + Words.seconds(call.operation().durationNanos()) + " by " + call
                            + " of "
                            + Words.seconds(call.calledNanos()) + ", which is when its clock shows "
                            + Words.seconds(call.life().readingNanos(call.calledNanos())
                                    + call.operation().durationNanos())
                            + ", and at " + Words.seconds(atNanos) + " no more was stored than until "
                            + Words.seconds(write.expiryNanos()));
        }
    }

    /** What others ended behind its back an engine may not know of. */
    private static boolean endedItself(Tenure tenure, Call extend) {
        Commit ended = tenure.ended();
        return ended != null && ended.life() == extend.life() && ended.majorityNanos() < extend.calledNanos();
    }

    private static @Nullable Write lastSureWrite(Tenure tenure, Life life, long atNanos) {
        for (int i = tenure.writes().size() - 1; i >= 0; i--) {
            Write write = tenure.writes().get(i);
            if (write.life() == life && isSure(write.commit(), atNanos)) {
                return write;
            }
        }
        return null;
    }

    private void judgeEnded(Call call, @Nullable HeldTenure answered, long atNanos) {
        HeldTenure held = answered == null ? call.operation().tenure() : answered;
        if (call.kind() == Kind.FORCE_EXPIRE && held != null && trial.database().writer(held.holder()) != null) {
            // Nobody held it: the writer that kept it free stands for the holder.
            return;
        }
        Tenure tenure = tenureOf(held);
        Commit ended = tenure == null ? null : tenure.ended();
        boolean isItsDoing = ended != null && ended.life() == call.life() && ended.atNanos() >= call.calledNanos();
        if (held != null && (ended == null || !isSure(ended, atNanos) || !isItsDoing)) {
            yesIsUntrue(call, held, atNanos, ended);
        }
    }

    private void judgeGated(Call call, long atNanos) {
        Commit commit = trial.callerCommit(call.number());
        if (commit == null || !isSure(commit, atNanos)) {
            yesIsUntrue(call, call.operation().tenure(), atNanos, commit);
        }
    }

    private static boolean isSure(Commit commit, long atNanos) {
        return !commit.isRolledBack() && commit.majorityNanos() <= atNanos;
    }

    private void yesIsUntrue(Call call, @Nullable HeldTenure held, long atNanos, @Nullable Commit commit) {
        String fault = commit == null
                ? "that was never committed"
                : commit.isRolledBack()
                        ? "what was committed at " + Words.seconds(commit.atNanos()) + " was rolled back"
                        : commit.majorityNanos() > atNanos
                                ? "a majority had it at " + Words.seconds(commit.majorityNanos())
                                : commit.who() + " had written that at " + Words.seconds(commit.atNanos());
        findings.violation(
                Promise.G8,
                atNanos,
                leaseOf(call, held),
                "the caller of " + call + " was told yes at " + Words.seconds(atNanos)
                        + (held == null ? "" : " about " + Words.holder(held)) + ", but " + fault);
    }

    // ---- no ----

    private void judgeClosed(Call call, Answer answer) {
        if (Answer.ENGINE_CLOSED.equals(answer.reason()) && call.life().endsNanos() > call.answeredNanos()) {
            findings.violation(
                    Promise.G8,
                    call.answeredNanos(),
                    call.operation().lease(),
                    "the caller of " + call + " was told at " + Words.seconds(call.answeredNanos())
                            + " that the engine is closed, and nobody had closed it by then");
        }
    }

    private void judgeCommits() {
        List<Commit> commits = trial.database().commits();
        for (int i = 0; i < commits.size(); i++) {
            Commit commit = commits.get(i);
            Call call = trial.calls().get(commit.author().call());
            if (call != null && call.isNo() && call.kind() != Kind.HOUSEKEEPING && commit.changesMoreThanClock()) {
                noIsUntrue(call, commit);
            }
        }
    }

    private void judgeTenures(LeaseTimeline lease) {
        for (int i = 0; i < lease.tenures().size(); i++) {
            Tenure tenure = lease.tenures().get(i);
            judgeEnd(lease, tenure);
            for (int j = 0; j < tenure.writes().size(); j++) {
                Commit commit = tenure.writes().get(j).commit();
                if (commit.author().call() < 0) {
                    judgeWrite(lease, tenure, commit, commit == tenure.begun());
                }
            }
        }
    }

    /**
     * The end of a tenure that an engine wrote, of which nobody said for whom it was: if all those that asked this engine for it were told no,
     * it must have had a reason of its own.
     */
    private void judgeEnd(LeaseTimeline lease, Tenure tenure) {
        Commit ended = tenure.ended();
        if (ended == null
                || ended.life() == null
                || ended.author().call() >= 0
                || !isAskedForAlone(lease, tenure, ended, ended.life())
                || mayBeAClone(ended.life(), tenure)) {
            return;
        }
        Call told = null;
        for (int i = 0; i < lease.calls().size(); i++) {
            Call call = lease.calls().get(i);
            if (call.life() == ended.life() && call.calledNanos() <= ended.atNanos() && mayHaveEnded(call, tenure)) {
                if (!call.isNo()) {
                    return;
                }
                told = call;
            }
        }
        if (told != null) {
            noIsUntrue(told, ended);
        }
    }

    /**
     * An engine has reasons of its own to give up what it has, or had, handles of, what nobody was told of, or too late, and all when it is
     * closed.
     */
    private static boolean isAskedForAlone(LeaseTimeline lease, Tenure tenure, Commit ended, Life by) {
        return tenure.end() != Tenure.End.UNTOLD
                && tenure.share(by).handles() == 0
                && by.endsNanos() > ended.atNanos()
                && lease.isVacatedBy(ended)
                && !isOfWhoWentUnknowing(lease, tenure, by);
    }

    private static boolean isOfWhoWentUnknowing(LeaseTimeline lease, Tenure tenure, Life by) {
        for (int i = 0; i < lease.calls().size(); i++) {
            Call call = lease.calls().get(i);
            Answer last = call.lastWord();
            boolean isUnknowing = call.isAnswered(Answer.Kind.UNKNOWN)
                    && last != null
                    && last.tenure() != null
                    && tenure.isOf(last.tenure());
            if (call.kind() == Kind.ACQUIRE
                    && call.life() == by
                    && (isUnknowing || call.mayHaveGoneOnUntold(tenure.held()) || isNeverKnown(call, tenure.held()))) {
                return true;
            }
        }
        return false;
    }

    /** What may have landed for it is given up when the lease can be read again, and may be what the same holder has begun meanwhile. */
    private static boolean isNeverKnown(Call call, HeldTenure held) {
        Answer last = call.lastWord();
        return last != null
                && last.kind() == Answer.Kind.UNKNOWN
                && held.holder().equals(call.operation().holder());
    }

    /** Whoever writes under the name of another takes the writes of that one for its own. */
    private boolean mayBeAClone(Life life, Tenure tenure) {
        return !findings.isInside() && !life.isWriter(tenure.writer());
    }

    private static boolean mayHaveEnded(Call call, Tenure tenure) {
        return switch (call.kind()) {
            case RELEASE ->
                call.operation().tenure() != null
                        && tenure.isOf(call.operation().tenure());
            case EXPIRE, FORCE_EXPIRE -> true;
            default -> false;
        };
    }

    /** A write of which nobody said for whom it was: some call must have asked for it that was not told no. */
    private void judgeWrite(LeaseTimeline lease, Tenure tenure, Commit commit, boolean begins) {
        Call told = null;
        for (int i = 0; i < lease.calls().size(); i++) {
            Call call = lease.calls().get(i);
            if (call.life() == commit.life()
                    && call.calledNanos() <= commit.atNanos()
                    && (begins ? mayHaveBegun(call, tenure) : mayHaveExtended(call, tenure))) {
                if (!call.isNo() || call.isCutShort() || isOverBefore(tenure, call.lastWordNanos())) {
                    return;
                }
                told = call;
            }
        }
        if (told != null) {
            noIsUntrue(told, commit);
        }
    }

    /** What others ended before it was answered was begun anew for the same call. */
    private static boolean mayHaveTriedBefore(Call call, Tenure tenure, HeldTenure granted) {
        return granted.holder().equals(tenure.held().holder()) && isOverBefore(tenure, call.lastWordNanos());
    }

    /** Who is told no after the tenure has ended does not hold the lease, and will not come to. */
    private static boolean isOverBefore(Tenure tenure, long nanos) {
        Commit ended = tenure.ended();
        return ended != null && isSure(ended, nanos);
    }

    private static boolean mayHaveBegun(Call call, Tenure tenure) {
        if (!call.asksForALease()) {
            return false;
        }
        Answer last = call.lastWord();
        if (last != null && last.kind() == Answer.Kind.YES) {
            return last.tenure() != null
                    && (tenure.isOf(last.tenure()) || mayHaveTriedBefore(call, tenure, last.tenure()));
        }
        String holder = call.operation().holder();
        // Without a name of its own the holder is the writer's, and a number.
        return holder == null
                ? tenure.held().holder().startsWith(tenure.writer() + "/")
                : holder.equals(tenure.held().holder());
    }

    /** Handles extend by themselves, on behalf of the call by which they were acquired. Who acquires what his owner has extends it. */
    private static boolean mayHaveExtended(Call call, Tenure tenure) {
        HeldTenure extended = call.operation().tenure();
        return switch (call.kind()) {
            case EXTEND -> extended != null && tenure.isOf(extended);
            case ACQUIRE -> !call.isNo() || call.mayHaveGoneOnUntold(tenure.held());
            default -> false;
        };
    }

    private void noIsUntrue(Call call, Commit commit) {
        findings.violation(
                Promise.G8,
                Math.max(commit.atNanos(), call.lastWordNanos()),
                leaseOf(call, null),
                "the caller of " + call + " was told no at " + Words.seconds(call.lastWordNanos())
                        + ", which is never, but it was committed at " + Words.seconds(commit.atNanos()));
    }

    // ---- unknown ----

    private void judgeBeliefs(LeaseTimeline lease) {
        for (int i = 0; i < lease.beliefs().size(); i++) {
            Belief belief = lease.beliefs().get(i);
            if (!hasReason(lease, belief)) {
                findings.violation(
                        Promise.G8,
                        belief.fromNanos(),
                        lease.name(),
                        belief.life() + " believed from "
                                + Words.seconds(belief.fromNanos()) + " to " + Words.seconds(belief.untilNanos())
                                + " that "
                                + Words.holder(belief.tenure())
                                + " holds the lease, and no call had been told so for so long");
            }
        }
    }

    /** It began with a call that was told yes, or nothing yet, and lasted no longer than such a call may have let it. */
    private boolean hasReason(LeaseTimeline lease, Belief belief) {
        boolean begins = false;
        boolean lasts = !findings.isInside();
        for (int i = 0; i < lease.calls().size() && !(begins && lasts); i++) {
            Call call = lease.calls().get(i);
            if (call.life() == belief.life()
                    && call.calledNanos() <= belief.untilNanos()
                    && isAbout(call, belief.tenure())) {
                begins |= call.calledNanos() <= belief.fromNanos();
                lasts |= mayLast(call, belief);
            }
        }
        return begins && lasts;
    }

    private static boolean isAbout(Call call, HeldTenure tenure) {
        Answer answer = call.answer();
        if (answer == null) {
            return call.asksForALease() || call.kind() == Kind.EXTEND;
        }
        return call.mayHaveGoneOnUntold(tenure)
                || answer.kind() == Answer.Kind.YES
                        && tenure.equals(answer.tenure())
                        && (call.asksForALease() || call.kind() == Kind.EXTEND);
    }

    /** Handles renew, and sessions have heartbeats. A term that was only claimed or extended lasts no longer than from the answer on. */
    private static boolean mayLast(Call call, Belief belief) {
        return call.kind() == Kind.ACQUIRE
                || call.answer() == null
                || belief.untilNanos()
                        <= call.life()
                                        .afterElapsedNanos(
                                                call.answeredNanos(),
                                                call.operation().durationNanos())
                                + call.life().unseenNanos();
    }

    // ---- of all ----

    private @Nullable Tenure tenureOf(@Nullable HeldTenure held) {
        return held == null ? null : trial.database().lease(held.lease()).tenure(held);
    }

    private static @Nullable String leaseOf(Call call, @Nullable HeldTenure held) {
        return held == null ? call.operation().lease() : held.lease();
    }
}
