package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** The part of G7 about closing: what comes back before its time is over has freed what was held. */
final class ClosingPromise {

    /** Callers and engines look at the clock one after the other. */
    private static final long BETWEEN_LOOKS_NANOS = 1_000;

    /** Whoever takes longer may have met the transaction of another engine, behind which a write waits for as long, and then gives up. */
    private static final long UNHINDERED_NANOS_MAX = 1_000_000_000;

    /** What asks an engine to close, and so is nothing in its way. */
    private static final String RESTART = "RESTART";

    private final Trial trial;
    private final Findings findings;
    private final long closeNanos;
    private final List<Ending> ofHeld = new ArrayList<>(2);
    private final List<Leaving> leaving = new ArrayList<>(2);
    private final List<Event.Fault> faults = new ArrayList<>();

    /** The close of what was held then, until that instant as far as anybody knew, and was not being given up. */
    private record Ending(Call call, long heldUntilNanos) {}

    /** An engine that was asked to close. */
    private static final class Leaving {
        private final Call call;
        private final Set<Integer> underWay = new HashSet<>();
        private boolean isUnheard;
        /** Those of its writers whose sessions still kept a lease when it came back. */
        private List<WriterTimeline> keepers = List.of();

        Leaving(Call call) {
            this.call = call;
        }

        void heard(Event.Message message) {
            switch (message.leg()) {
                case SENT -> underWay.add(message.message());
                case RECEIVED -> underWay.remove(message.message());
                case REQUEST_LOST, REPLY_LOST, GIVEN_UP -> isUnheard = true;
                case EXECUTED, ANSWERED -> {}
            }
        }
    }

    ClosingPromise(Trial trial, Findings findings) {
        this.trial = trial;
        this.findings = findings;
        this.closeNanos = trial.history().plan().setting().closeNanos();
    }

    // ---- while the history is heard ----

    /** The last handle of a tenure is about to be closed. */
    void closes(LeaseTimeline lease, Tenure tenure, Call call) {
        Share share = tenure.share(call.life());
        boolean isUnderWay = share.givenUpNanos() < Trial.NEVER || isAskedToEnd(lease, call.life());
        if (share.lostNanos() == Trial.NEVER && !isUnderWay) {
            ofHeld.add(new Ending(call, believedUntilNanos(lease, tenure, call)));
        }
    }

    private static boolean isAskedToEnd(LeaseTimeline lease, Life life) {
        for (int i = 0; i < lease.calls().size(); i++) {
            Call call = lease.calls().get(i);
            boolean ends =
                    call.kind() == Kind.RELEASE || call.kind() == Kind.EXPIRE || call.kind() == Kind.FORCE_EXPIRE;
            if (ends && call.life() == life && call.isOpen()) {
                return true;
            }
        }
        return false;
    }

    private static long believedUntilNanos(LeaseTimeline lease, Tenure tenure, Call call) {
        for (int i = lease.beliefs().size() - 1; i >= 0; i--) {
            Belief belief = lease.beliefs().get(i);
            if (belief.life() == call.life() && belief.tenure().equals(tenure.held())) {
                return belief.untilNanos();
            }
        }
        return call.calledNanos();
    }

    /** An engine is asked to close. */
    void leaves(Call call) {
        leaving.add(new Leaving(call));
    }

    void answered(Call call) {
        for (int i = 0; i < leaving.size(); i++) {
            if (leaving.get(i).call == call) {
                leaving.get(i).keepers = trial.database().keepersOf(call.life());
            }
        }
    }

    void heard(Event.Message message) {
        for (int i = 0; i < leaving.size(); i++) {
            Leaving each = leaving.get(i);
            if (each.call.life().machine() == message.machine() && each.call.answer() == null) {
                each.heard(message);
            }
        }
    }

    void befell(Event.Fault fault) {
        if (!fault.fault().equals(RESTART)) {
            faults.add(fault);
        }
    }

    // ---- when all is told ----

    void judge() {
        for (int i = 0; i < ofHeld.size(); i++) {
            Call call = ofHeld.get(i).call();
            // What time ends meanwhile is lost, and not the handle's to free.
            if (call.answer() != null
                    && cameBackEarly(call)
                    && call.life().endsNanos() > call.answeredNanos()
                    && ofHeld.get(i).heldUntilNanos() > call.answeredNanos()
                    && trial.database().rollbacks() == 0) {
                judgeHandle(call);
            }
        }
        for (int i = 0; i < leaving.size(); i++) {
            Leaving each = leaving.get(i);
            // Half of its time is for what its handles hold.
            long earlyNanos = Math.min(closeNanos / 2, UNHINDERED_NANOS_MAX);
            if (each.call.answer() != null
                    && ranNanos(each.call) < earlyNanos
                    && each.underWay.isEmpty()
                    && !each.isUnheard
                    && trial.database().rollbacks() == 0
                    && !isTroubled(each.call)) {
                for (int j = 0; j < each.keepers.size(); j++) {
                    judgeEngine(each.call, each.keepers.get(j));
                }
            }
        }
    }

    private boolean isTroubled(Call call) {
        for (int i = 0; i < faults.size(); i++) {
            Event.Fault fault = faults.get(i);
            if (fault.atNanos() <= call.answeredNanos()
                    && fault.untilNanos() >= call.calledNanos()
                    && (fault.machine() < 0 || fault.machine() == call.life().machine())) {
                return true;
            }
        }
        return false;
    }

    /** A session that keeps nothing may be one of which nobody knows, since the answer to its beginning was lost. */
    private void judgeEngine(Call call, WriterTimeline writer) {
        WriterTimeline.Version left = writer.at(call.answeredNanos());
        if (left != null && left.row() != null && left.row().sessionNanos() != null) {
            findings.violation(
                    Promise.G7,
                    call.answeredNanos(),
                    null,
                    call.life() + " was closed from " + Words.seconds(call.calledNanos())
                            + " to " + Words.seconds(call.answeredNanos())
                            + ", nothing was in its way, and the session of its writer "
                            + writer.name() + " goes on to keep what it had");
        }
    }

    private boolean cameBackEarly(Call call) {
        return ranNanos(call) < closeNanos - BETWEEN_LOOKS_NANOS;
    }

    private static long ranNanos(Call call) {
        return call.life().elapsedNanos(call.calledNanos(), call.answeredNanos());
    }

    private void judgeHandle(Call call) {
        HeldTenure held = call.operation().tenure();
        LeaseTimeline lease =
                trial.database().lease(Objects.requireNonNull(held).lease());
        Tenure tenure = lease.tenure(held);
        if (tenure == null
                || lease.isDamaged()
                || isOver(tenure, call.answeredNanos())
                || isGrantedAgain(tenure, call)
                || isEndedBesides(lease, call)) {
            return;
        }
        findings.violation(
                Promise.G7,
                call.answeredNanos(),
                lease.name(),
                "the close of the last handle of " + Words.holder(held)
                        + " on " + call.life() + " came back at " + Words.seconds(call.answeredNanos())
                        + ", before its time was over, and the lease was not free by then");
    }

    private static boolean isOver(Tenure tenure, long atNanos) {
        Commit ended = tenure.ended();
        return ended != null && ended.majorityNanos() <= atNanos || tenure.sessionEnded() != null;
    }

    /** Whoever releases it meanwhile waits for that, and the handle has nothing left to free. */
    private static boolean isEndedBesides(LeaseTimeline lease, Call close) {
        for (int i = 0; i < lease.calls().size(); i++) {
            Call call = lease.calls().get(i);
            boolean ends =
                    call.kind() == Kind.RELEASE || call.kind() == Kind.EXPIRE || call.kind() == Kind.FORCE_EXPIRE;
            if (ends
                    && call.life() == close.life()
                    && call.calledNanos() <= close.answeredNanos()
                    && call.answeredNanos() >= close.calledNanos()) {
                return true;
            }
        }
        return false;
    }

    /** Whoever asks for it meanwhile goes on with it. */
    private static boolean isGrantedAgain(Tenure tenure, Call close) {
        for (int i = 0; i < tenure.grants().size(); i++) {
            Call grant = tenure.grants().get(i);
            if (grant.answeredNanos() >= close.calledNanos() && grant.calledNanos() <= close.answeredNanos()) {
                return true;
            }
        }
        return false;
    }
}
