package dev.leasehold.simulator.check;

import dev.leasehold.simulator.check.Tenure.End;
import dev.leasehold.simulator.history.Change.LeaseRow;
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
        if (after == null || after.holder() != null) {
            return leftBefore(tenure) || mayTakeBack(tenure, by) ? End.GIVEN_UP : End.TAKEN;
        }
        if (before != null && after.token() != before.token()) {
            return lease.forcedExpiries() > 0 ? End.FORCED : End.TAKEN;
        }
        return mayGiveUp(lease, tenure, by) ? End.GIVEN_UP : End.TAKEN;
    }

    /** Whether the engine whose session kept it had ended that session itself. */
    private static boolean leftBefore(Tenure tenure) {
        Commit sessionEnded = tenure.sessionEnded();
        return sessionEnded != null && sessionEnded.life() == tenure.begun().life();
    }

    /** Whether the engine begins anew what it was asked to give up, or what nobody was told or believes any more of its own writes. */
    private static boolean mayTakeBack(Tenure tenure, Life by) {
        return tenure.isGivenUpThrough(by) || isKeptBy(tenure, by) && (tenure.lostBy().contains(by) || neverTold(tenure, by));
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
     * Whether somebody asked for it, or the engine that was granted the tenure, and kept it to the end, has never believed in it, or has told
     * its holder that it is lost, or has told nobody that it is held.
     */
    private static boolean mayGiveUp(LeaseTimeline lease, Tenure tenure, Life by) {
        return !tenure.givenUp().isEmpty()
                || isKeptBy(tenure, by) && (tenure.lostBy().contains(by) || wasOverAtOnce(lease, tenure, by))
                || neverTold(tenure, by)
                || by.isClosing() && (tenure.begun().life() == by || tenure.isGrantedTo(by));
    }
}
