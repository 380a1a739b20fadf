package dev.leasehold.simulator.check;

import dev.leasehold.simulator.check.Tenure.End;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Operation.Kind;
import org.jspecify.annotations.Nullable;

/** Tells apart the ways in which a write can end a tenure. */
final class Ending {

    private Ending() {}

    /** What it meant that the document of a held lease became another one. */
    static End of(
            LeaseTimeline lease, Tenure tenure, @Nullable LeaseRow before, @Nullable LeaseRow after, Commit commit) {
        Life by = commit.life();
        if (by == null) {
            return End.DAMAGED;
        }
        if (after != null && after.holder() != null && isSuperseded(lease, tenure, after, by)) {
            return End.FORCED;
        }
        if (after == null || after.holder() != null) {
            return leftBefore(tenure) || mayTakeBack(tenure, by, commit.atNanos())
                    ? End.GIVEN_UP
                    : orUntold(tenure, by);
        }
        if (before != null && after.token() != before.token()) {
            return isOrdered(lease, by) ? End.FORCED : End.TAKEN;
        }
        return mayGiveUp(lease, tenure, by, commit.atNanos()) ? End.GIVEN_UP : orUntold(tenure, by);
    }

    /** Whether an operator's order to this engine is not carried out yet, or nobody knows whether it is. */
    private static boolean isOrdered(LeaseTimeline lease, Life by) {
        for (int i = 0; i < lease.calls().size(); i++) {
            Call call = lease.calls().get(i);
            if (call.kind() == Kind.FORCE_EXPIRE && call.life() == by && call.isOpen()) {
                return true;
            }
        }
        return false;
    }

    /** Whether its own holder has asked this engine to take it from another one, and was not answered yet. */
    private static boolean isSuperseded(LeaseTimeline lease, Tenure tenure, LeaseRow after, Life by) {
        if (!tenure.held().holder().equals(after.holder()) || isKeptBy(tenure, by)) {
            return false;
        }
        for (int i = 0; i < lease.calls().size(); i++) {
            Call call = lease.calls().get(i);
            if (call.operation().supersede()
                    && call.life() == by
                    && tenure.held().holder().equals(call.operation().holder())
                    && (call.isOpen() || call.isCutShort())) {
                return true;
            }
        }
        return false;
    }

    private static End orUntold(Tenure tenure, Life by) {
        return isKeptBy(tenure, by) && neverTold(tenure, by) ? End.UNTOLD : End.TAKEN;
    }

    /** Whether the engine whose session kept it had ended that session itself. */
    private static boolean leftBefore(Tenure tenure) {
        Commit sessionEnded = tenure.sessionEnded();
        return sessionEnded != null && sessionEnded.life() == tenure.begun().life();
    }

    /** Whether the engine begins anew what it was asked to give up, or what nobody believes any more of its own writes. */
    private static boolean mayTakeBack(Tenure tenure, Life by, long atNanos) {
        return tenure.isGivenUpThrough(by, atNanos) || isKeptBy(tenure, by) && tenure.isLostBy(by);
    }

    /** Whether no other engine of its holder has carried it on. */
    private static boolean isKeptBy(Tenure tenure, Life by) {
        Tenure.Write last = tenure.lastWrite();
        return last != null && last.life() == by;
    }

    private static boolean neverTold(Tenure tenure, Life by) {
        return tenure.begun().life() == by && tenure.grants().isEmpty();
    }

    /** Its time may have been over when it was granted: its holder is told that it is lost in the same instant, a little later. */
    private static boolean wasOverAtOnce(LeaseTimeline lease, Tenure tenure, Life by) {
        return tenure.begun().life() == by && !hasBelieved(lease, tenure, by);
    }

    private static boolean hasBelieved(LeaseTimeline lease, Tenure tenure, Life by) {
        for (int i = 0; i < lease.beliefs().size(); i++) {
            Belief belief = lease.beliefs().get(i);
            if (belief.life() == by && tenure.held().equals(belief.tenure())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether somebody asked this engine for it, or it was granted the tenure, and kept it to the end, and has never believed in it, or has
     * told its holder that it is lost.
     */
    private static boolean mayGiveUp(LeaseTimeline lease, Tenure tenure, Life by, long atNanos) {
        return tenure.isGivenUpThrough(by, atNanos)
                || isKeptBy(tenure, by)
                        && !neverTold(tenure, by)
                        && (tenure.isLostBy(by) || wasOverAtOnce(lease, tenure, by))
                || by.isClosing() && (tenure.begun().life() == by || tenure.isGrantedTo(by));
    }
}
