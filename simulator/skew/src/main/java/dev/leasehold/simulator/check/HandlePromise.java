package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of G8 about handles, and about what is believed by those who have none: what was given up, or is over, is so for good; every
 * handle tells of its loss, once, and for a reason that is one.
 */
final class HandlePromise {

    /** Whoever hears of a loss runs late, like any thread. */
    private static final long TELLING_NANOS = 1_000_000_000;
    /** An extension that is refused for one of these is one of a tenure that is over. */
    private static final Set<String> OF_THE_END = Set.of("NO_SUCH_LEASE", "VACANT", "NOT_THAT_TENURE");

    /**
     * An engine that had handles to tell says that a tenure is not held any more.
     *
     * @param handles how many handles there were
     */
    private record Over(HeldTenure tenure, Life life, long atNanos, int handles) {}

    private final Trial trial;
    private final Findings findings;
    private final List<Over> overs = new ArrayList<>(2);

    HandlePromise(Trial trial, Findings findings) {
        this.trial = trial;
        this.findings = findings;
    }

    // ---- while the history is heard ----

    void doubted(Tenure tenure, Life life, long atNanos) {
        int handles = tenure.share(life).open();
        if (handles > 0) {
            overs.add(new Over(tenure.held(), life, atNanos, handles));
        }
    }

    void lost(Trial.Loss loss, Tenure tenure) {
        Share share = tenure.share(loss.life());
        if (share.told() > share.handles()) {
            findings.violation(
                    Promise.G8,
                    loss.event().atNanos(),
                    tenure.held().lease(),
                    loss.life() + " had given out "
                            + share.handles() + " handles of " + Words.holder(tenure.held())
                            + ", and was told of a loss for the time number "
                            + share.told() + " at " + Words.seconds(loss.event().atNanos()));
        }
    }

    /** Whatever becomes of the tenure. */
    void revived(Event.Revived event, Life life) {
        findings.violation(
                Promise.G8,
                event.atNanos(),
                event.tenure().lease(),
                "a handle of " + Words.holder(event.tenure()) + " on "
                        + life + " was closed, or had said that it is over, and says at "
                        + Words.seconds(event.atNanos())
                        + " that the lease is held");
    }

    /** Two questions with one answer: whether it is held, and whether there is time left. */
    void disagreed(Event.Disagreed event, Life life) {
        findings.violation(
                Promise.G8,
                event.atNanos(),
                event.tenure().lease(),
                life + " says at " + Words.seconds(event.atNanos())
                        + " that the lease is " + (event.held() ? "" : "not ") + "held by "
                        + Words.holder(event.tenure()) + ", and that "
                        + (event.held() ? "no time" : "time") + " is left of that");
    }

    // ---- when all is told ----

    void judge() {
        List<LeaseTimeline> leases = trial.database().leases();
        for (int i = 0; i < leases.size(); i++) {
            for (int j = 0; j < leases.get(i).beliefs().size(); j++) {
                judge(leases.get(i), j);
            }
        }
        for (int i = 0; i < overs.size(); i++) {
            judge(overs.get(i));
        }
        for (int i = 0; i < trial.losses().size(); i++) {
            judgeReason(trial.losses().get(i));
        }
    }

    private void judge(LeaseTimeline lease, int index) {
        Belief belief = lease.beliefs().get(index);
        Tenure tenure = lease.tenure(belief.tenure());
        for (int i = 0; tenure != null && i < tenure.givenUpForGood().size(); i++) {
            Call call = tenure.givenUpForGood().get(i);
            boolean again = call.kind() == Kind.CLOSE_HANDLE && isGrantedAgain(lease, belief, call.calledNanos());
            long believedNanos = Math.min(belief.untilNanos(), trial.finishedNanos());
            if (call.life() == belief.life() && believedNanos > awakeNanos(call) && !again) {
                wentOn(belief, call.calledNanos(), "was asked by " + call + " to give that up");
                return;
            }
        }
        Call told = toldOfTheEnd(lease, belief);
        if (told != null) {
            wentOn(belief, told.answeredNanos(), "was told with the answer to " + told + " that this is over");
            return;
        }
        long overNanos = overBefore(lease, index);
        if (belief.untilNanos() > belief.life().endsNanos()) {
            wentOn(belief, belief.life().endsNanos(), "was asked to close");
        } else if (overNanos < Trial.NEVER && !isGrantedAgain(lease, belief, overNanos)) {
            wentOn(belief, overNanos, "said that this is over");
        }
    }

    /** The call by which its own engine has found, or made sure, that the tenure is over, and which was answered before; null if there is none. */
    private static @Nullable Call toldOfTheEnd(LeaseTimeline lease, Belief belief) {
        for (int i = 0; i < lease.calls().size(); i++) {
            Call call = lease.calls().get(i);
            if (call.life() == belief.life()
                    && call.answeredNanos() < belief.untilNanos()
                    && tellsTheEnd(call, belief.tenure())) {
                return call;
            }
        }
        return null;
    }

    private static boolean tellsTheEnd(Call call, HeldTenure tenure) {
        Answer answer = call.answer();
        if (answer == null) {
            return false;
        }
        return switch (call.kind()) {
            case EXTEND ->
                answer.kind() == Answer.Kind.NO
                        && answer.reason() != null
                        && OF_THE_END.contains(answer.reason())
                        && tenure.equals(call.operation().tenure());
            case FORCE_EXPIRE -> answer.kind() == Answer.Kind.YES && tenure.equals(answer.tenure());
            default -> false;
        };
    }

    /** A machine that is asleep does what it was asked for when it wakes. What a handle is asked for another thread does, which may be late. */
    private long awakeNanos(Call call) {
        long lateNanos = call.kind() == Kind.CLOSE_HANDLE ? lateNanos() : 0;
        Life life = call.life();
        long dueNanos =
                trial.lives().awakeFromNanos(life.machine(), life.afterElapsedNanos(call.calledNanos(), lateNanos));
        return life.afterElapsedNanos(dueNanos, lateNanos);
    }

    /** By its own clock. */
    private long lateNanos() {
        Long lateNanos = trial.history().plan().setting().threadLateNanos();
        return lateNanos == null ? 0 : lateNanos;
    }

    /** When the same engine said for the last time that the same tenure is not held; NEVER if it had not. */
    private static long overBefore(LeaseTimeline lease, int index) {
        Belief belief = lease.beliefs().get(index);
        for (int i = index - 1; i >= 0; i--) {
            Belief before = lease.beliefs().get(i);
            if (before.life() == belief.life() && before.tenure().equals(belief.tenure())) {
                return before.doubtedNanos();
            }
        }
        return Trial.NEVER;
    }

    /** Whoever extends by the tenure, or is given another handle of it, may be told so after its end. */
    private static boolean isGrantedAgain(LeaseTimeline lease, Belief belief, long overNanos) {
        for (int i = 0; i < lease.calls().size(); i++) {
            Call call = lease.calls().get(i);
            Answer answer = call.answer();
            boolean grants = call.kind() == Kind.EXTEND || call.asksForALease();
            if (grants
                    && call.life() == belief.life()
                    && call.calledNanos() <= Math.max(overNanos, belief.fromNanos())
                    && (call.mayHaveGoneOnUntold(belief.tenure())
                            || call.answeredNanos() >= overNanos
                                    && (answer == null || belief.tenure().equals(answer.tenure())))) {
                return true;
            }
        }
        return false;
    }

    private void wentOn(Belief belief, long overNanos, String what) {
        findings.violation(
                Promise.G8,
                Math.max(overNanos, belief.fromNanos()),
                belief.tenure().lease(),
                belief.life() + " " + what
                        + " at " + Words.seconds(overNanos) + ", and believed from " + Words.seconds(belief.fromNanos())
                        + " to "
                        + Words.seconds(belief.untilNanos()) + " that " + Words.holder(belief.tenure())
                        + " holds the lease");
    }

    /** Every handle that was open when the belief ended tells of that, unless it is closed just then. */
    private void judge(Over over) {
        long dueNanos = over.atNanos() + TELLING_NANOS;
        int told = 0;
        for (int i = 0; i < trial.losses().size(); i++) {
            Trial.Loss loss = trial.losses().get(i);
            told += isOf(over, loss.event().tenure(), loss.life(), loss.event().atNanos(), dueNanos) ? 1 : 0;
        }
        List<Call> calls = trial.database().lease(over.tenure().lease()).calls();
        for (int i = 0; i < calls.size(); i++) {
            Call close = calls.get(i);
            HeldTenure closed = close.operation().tenure();
            boolean isClose = close.kind() == Kind.CLOSE_HANDLE && closed != null;
            told += isClose && isOf(over, closed, close.life(), close.calledNanos(), dueNanos) ? 1 : 0;
        }
        boolean hadTime = dueNanos < Math.min(over.life().stoppedNanos(), trial.finishedNanos())
                && trial.finishedNanos() < Trial.NEVER
                && trial.lives().isAwake(over.life().machine(), over.atNanos(), dueNanos);
        if (told < over.handles() && hadTime) {
            findings.violation(
                    Promise.G8,
                    dueNanos,
                    over.tenure().lease(),
                    over.life() + " said at " + Words.seconds(over.atNanos())
                            + " that " + Words.holder(over.tenure()) + " does not hold the lease any more, and of the "
                            + over.handles()
                            + " that had a handle of it " + told + " were told so by " + Words.seconds(dueNanos));
        }
    }

    private static boolean isOf(Over over, @Nullable HeldTenure tenure, Life life, long atNanos, long dueNanos) {
        return life == over.life()
                && atNanos >= over.atNanos()
                && atNanos <= dueNanos
                && over.tenure().equals(tenure);
    }

    // ---- the reason ----

    private void judgeReason(Trial.Loss loss) {
        long atNanos = loss.event().atNanos();
        Tenure tenure = trial.database()
                .lease(loss.event().tenure().lease())
                .tenure(loss.event().tenure());
        if (tenure == null) {
            return;
        }
        boolean isSo = switch (loss.event().reason()) {
            case "CLOSED" -> loss.life().endsNanos() <= atNanos;
            case "TAKEN_OVER" -> isOver(tenure, atNanos) || tenure.isGivenUpBy(atNanos);
            case "EVICTED" ->
                !findings.isInside()
                        || trial.database().rollbacks() > 0
                        || trial.database().hasRemovedEntryOf(loss.life(), atNanos);
            case "EXPIRED", "NOT_RENEWED" -> !findings.isInside() || isTimeOver(tenure, loss);
            case "CLOCK_ANOMALY" ->
                !findings.isInside() || trial.lives().hasUnevenTime(loss.life().machine(), atNanos);
            default -> true;
        };
        if (!isSo) {
            findings.violation(
                    Promise.G8,
                    atNanos,
                    tenure.held().lease(),
                    "a handle of " + Words.holder(tenure.held()) + " on "
                            + loss.life() + " told at " + Words.seconds(atNanos) + " that it is lost for the reason "
                            + loss.event().reason()
                            + ", and that was not so");
        }
    }

    private boolean isOver(Tenure tenure, long atNanos) {
        Commit ended = tenure.ended();
        Commit sessionEnded = tenure.sessionEnded();
        return ended != null && ended.atNanos() <= atNanos
                || sessionEnded != null && sessionEnded.atNanos() <= atNanos
                || trial.database().rollbacks() > 0
                || trial.database().lease(tenure.held().lease()).isDamaged();
    }

    /** Whether what it believed since it was given the handle has come to its end, or its machine's time of day has come further than that. */
    private boolean isTimeOver(Tenure tenure, Trial.Loss loss) {
        List<Belief> beliefs = trial.database().lease(tenure.held().lease()).beliefs();
        boolean isSome = false;
        for (int i = loss.beliefs() - 1; i >= 0; i--) {
            Belief belief = beliefs.get(i);
            boolean its = belief.life() == loss.life() && belief.tenure().equals(tenure.held());
            if (its && belief.untilNanos() >= loss.handedOutNanos()) {
                isSome = true;
                if (belief.statedNanos()
                        <= loss.event().atNanos() + belief.life().wallPrecisionNanos()) {
                    return true;
                }
            }
        }
        return !isSome
                || trial.lives()
                        .hasUnevenTime(loss.life().machine(), loss.event().atNanos());
    }
}
