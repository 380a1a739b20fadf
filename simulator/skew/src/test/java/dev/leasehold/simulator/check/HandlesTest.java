package dev.leasehold.simulator.check;

import static dev.leasehold.simulator.check.Paper.S;
import static dev.leasehold.simulator.check.Paper.SESSION;
import static dev.leasehold.simulator.check.Promise.G1;
import static dev.leasehold.simulator.check.Promise.G3;
import static dev.leasehold.simulator.check.Promise.G7;
import static dev.leasehold.simulator.check.Promise.G8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import org.junit.jupiter.api.Test;

/** What handles are worth: until the last one is closed, and each tells of its loss once, for a reason that is one. */
class HandlesTest {

    private Paper paper = new Paper();

    private HeldTenure acquired() {
        HeldTenure a = paper.at(5 * S).acquires(0, "a", 1);
        paper.believes(0, a, 15 * S);
        return a;
    }

    private Paper vacate(int machine, HeldTenure tenure) {
        return paper.store(
                paper.engine(machine, -1), paper.row(machine, null, tenure.token(), paper.stamp(machine), null));
    }

    private Paper finish() {
        return paper.at(60 * S).heal().tell(new Event.Finished(61 * S));
    }

    // ---- who gives it up ----

    @Test
    void whoClosesTheLastHandleGivesTheTenureUp() {
        HeldTenure a = acquired();
        paper.at(6 * S).doubts(0, a).closes(0, a);
        vacate(0, a);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void whoIsLateEndsABeliefSoonAfterTheLastHandleIsClosed() {
        HeldTenure a = acquired();
        paper.at(6 * S).closes(0, a).at(6 * S + 10).doubts(0, a);
        assertThat(paper.broken()).containsExactly(G8);

        assertThat(paper.late(5).broken()).isEmpty();
        assertThat(paper.late(2).broken()).containsExactly(G8);
    }

    @Test
    void whoIsLateIsSoByItsOwnClock() {
        paper = new Paper(false, -750_000_000, 0, 0);
        HeldTenure a = acquired();
        paper.at(6 * S).closes(0, a).at(6 * S + 30).doubts(0, a);
        assertThat(paper.late(5).broken()).isEmpty();
        assertThat(paper.late(2).broken()).containsExactly(G8);
    }

    @Test
    void whoClosesOneOfTwoHandlesGivesNothingUp() {
        HeldTenure a = acquired();
        paper.acquiresAlso(0, a).at(6 * S).closes(0, a);
        vacate(0, a);

        assertThat(paper.broken()).containsExactly(G3);
    }

    @Test
    void whoClosesAHandleThatIsLostGivesNothingUp() {
        HeldTenure a = acquired();
        paper.at(6 * S).extend(1, a, 30 * S, paper.stamp(1) + 30 * S).believes(1, a, 36 * S);
        paper.at(15 * S).doubts(0, a).loses(0, a).at(16 * S).closes(0, a);
        vacate(0, a);

        assertThat(paper.broken()).contains(G3);
    }

    @Test
    void aReleaseThatCameAfterTheEndIsNoExcuseForIt() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 10 * S, 2 * S);
        paper.at(8 * S).takesOver(1, "b", 2, S);
        paper.at(9 * S).no(paper.call(0, Kind.RELEASE, null, a, 0), "NOT_THAT_TENURE", Paper.heldBy("b", 2));

        assertThat(paper.broken()).containsExactly(G1);
    }

    @Test
    void aReleaseAskedOfOneEngineIsNoReasonForAnotherToExpireTheLease() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        paper.at(6 * S).unknown(paper.call(0, Kind.RELEASE, null, a, 0));
        vacate(1, a);

        assertThat(paper.broken()).containsExactly(G3);
    }

    @Test
    void anOrderThatWasCarriedOutIsNoReasonForTheNextEnd() {
        paper.at(5 * S).claims(0, "a", 1, 10 * S);
        int forced = paper.call(1, Kind.FORCE_EXPIRE, null, null, 0);
        paper.store(paper.engine(1, forced), paper.row(1, null, 2, paper.stamp(1), null))
                .yes(forced, null);
        paper.at(6 * S).claims(0, "a", 3, 10 * S);
        paper.at(7 * S).store(paper.engine(1, -1), paper.row(1, null, 4, paper.stamp(1), null));

        assertThat(paper.broken()).contains(G1, G3);
    }

    @Test
    void whatWasTakenBackUntoldIsNotGrantedLater() {
        int call = paper.at(5 * S).call(0, Kind.CLAIM, "a", null, 10 * S);
        HeldTenure a = new HeldTenure(Paper.LEASE, "a", 1);
        paper.store(paper.engine(0, call), paper.row(0, "a", 1, paper.stamp(0), paper.stamp(0) + 10 * S));
        paper.at(6 * S);
        vacate(0, a);
        assertThat(paper.broken()).isEmpty();

        assertThat(paper.yes(call, a).broken()).containsExactly(G1);
    }

    // ---- what was over is over ----

    @Test
    void nobodyBelievesInWhatHeWasAskedToGiveUp() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        paper.believes(0, a, 15 * S).at(6 * S);
        int release = paper.call(0, Kind.RELEASE, null, a, 0);
        paper.doubts(0, a).unknown(release);
        assertThat(paper.broken()).isEmpty();

        paper.at(6 * S + 1).believes(0, a, 15 * S);
        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void nobodyBelievesInATenureOfWhichHisEngineHasToldThatItIsOver() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        paper.believes(0, a, 15 * S);
        int forced = paper.at(6 * S).call(1, Kind.FORCE_EXPIRE, null, null, 0);
        paper.store(paper.engine(1, forced), paper.row(1, null, 2, paper.stamp(1), null))
                .yes(forced, a);
        int extend = paper.at(7 * S).call(0, Kind.EXTEND, null, a, 10 * S);
        paper.doubts(0, a).no(extend, "VACANT", Paper.heldBy(null, 2));
        assertThat(paper.broken()).isEmpty();

        paper.believes(0, a, 8 * S);
        assertThat(paper.broken()).containsOnly(G8);
    }

    @Test
    void whoEndsATenureByOrderBelievesInItNoLonger() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        paper.believes(0, a, 15 * S);
        int forced = paper.at(6 * S).call(0, Kind.FORCE_EXPIRE, null, null, 0);
        paper.store(paper.engine(0, forced), paper.row(0, null, 2, paper.stamp(0), null));
        paper.at(6 * S + 1).yes(forced, a).at(6 * S + 2).doubts(0, a);

        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void nobodyBelievesAfterHisEngineWasAskedToClose() {
        HeldTenure a = acquired();
        paper.at(6 * S).closesEngine(0).doubts(0, a);
        assertThat(paper.broken()).isEmpty();

        paper.at(6 * S + 1).believes(0, a, 15 * S);
        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void whoseOwnerHasCancelledAnAcquisitionMayBelieveAgainAndNobodyElse() {
        assertThat(goesOnAfterCancellingFor("a").broken()).isEmpty();
        assertThat(goesOnAfterCancellingFor("b").broken()).contains(G8);
    }

    private static Paper goesOnAfterCancellingFor(String owner) {
        Paper paper = new Paper();
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        paper.believes(0, a, 15 * S).at(15 * S).doubts(0, a);
        int cancelled = paper.at(16 * S).call(0, Kind.ACQUIRE, owner, null, 10 * S);
        paper.store(paper.engine(0, -1), paper.row(0, "a", 1, paper.stamp(0), paper.stamp(0) + 10 * S));
        return paper.no(cancelled, Answer.CANCELLED).at(16 * S + 1).believes(0, a, 26 * S);
    }

    @Test
    void whatWasSaidToBeOverIsOverUnlessItIsGrantedAgain() {
        HeldTenure a = acquired();
        paper.at(7 * S).doubts(0, a).acquiresAlso(0, a).believes(0, a, 15 * S);
        assertThat(paper.broken()).isEmpty();

        paper.at(8 * S).doubts(0, a).at(9 * S).believes(0, a, 15 * S);
        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void whatSomebodyWhoWokeSaidToBeOverIsOver() {
        HeldTenure a = acquired();
        paper.at(8 * S)
                .fault(0, "PAUSE", 4 * S)
                .at(12 * S)
                .doubts(0, a)
                .at(13 * S)
                .beats(0);
        assertThat(paper.broken()).isEmpty();

        paper.believes(0, a, 23 * S);
        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void whoSaysNothingOfItWhenItWakesMayBelieveOn() {
        HeldTenure a = acquired();
        paper.at(8 * S).fault(0, "PAUSE", 4 * S).at(13 * S).beats(0).believes(0, a, 23 * S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void nobodyBelievesForLongerThanAMajorityHasIt() {
        HeldTenure a = acquired();
        paper.at(8 * S).beats(0).believes(0, a, 18 * S);
        assertThat(paper.broken()).isEmpty();

        paper.at(9 * S).believes(0, a, 18 * S + 1);
        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void whoFallsAsleepBeforeTheEndIsNotHeldToWhatItSaidOfThat() {
        HeldTenure a = acquired();
        paper.at(9 * S).believes(0, a, 18 * S).at(15 * S).fault(0, "PAUSE", 10 * S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void whatIsOverForAHandleIsOverForGoodAlsoWhereTheTenureGoesOn() {
        HeldTenure a = acquired();
        paper.acquiresAlso(0, a).at(6 * S).closes(0, a);
        assertThat(paper.broken()).isEmpty();

        paper.tell(new Event.Revived(7 * S, 0, 0, a));
        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void whatIsHeldHasTimeLeft() {
        HeldTenure a = acquired();
        paper.at(15 * S).doubts(0, a);
        assertThat(paper.broken()).isEmpty();

        paper.tell(new Event.Disagreed(16 * S, 0, 0, a, true));
        assertThat(paper.broken()).containsExactly(G8);
    }

    // ---- the telling ----

    @Test
    void eachHandleTellsOnce() {
        HeldTenure a = acquired();
        paper.acquiresAlso(0, a).at(15 * S).doubts(0, a).loses(0, a, "EXPIRED").loses(0, a, "EXPIRED");
        assertThat(paper.broken()).isEmpty();

        paper.loses(0, a, "EXPIRED");
        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void noHandleIsLostWithoutAWord() {
        paper.at(S).fault(-1, "FAIL_OVER", 59 * S);
        HeldTenure a = acquired();
        paper.acquiresAlso(0, a).at(15 * S).doubts(0, a).loses(0, a, "EXPIRED");

        assertThat(finish().broken()).containsExactly(G8);
    }

    @Test
    void aHandleThatIsClosedJustThenTellsNobody() {
        HeldTenure a = acquired();
        paper.acquiresAlso(0, a).at(15 * S).doubts(0, a).loses(0, a, "EXPIRED").closes(0, a);

        assertThat(finish().broken()).isEmpty();
    }

    @Test
    void whoIsAsleepTellsLater() {
        HeldTenure a = acquired();
        paper.at(15 * S).doubts(0, a).fault(0, "PAUSE", 10 * S).at(25 * S).loses(0, a, "EXPIRED");

        assertThat(finish().broken()).isEmpty();
    }

    // ---- the reason ----

    private void assertThatReasonIsWrong(HeldTenure tenure, String reason) {
        assertThat(paper.loses(0, tenure, reason).verdict().violations())
                .singleElement()
                .satisfies(violation -> {
                    assertThat(violation.promise()).isEqualTo(G8);
                    assertThat(violation.sentence()).contains("lost for the reason " + reason);
                });
    }

    @Test
    void nothingHasExpiredBeforeItsTime() {
        HeldTenure a = acquired();
        assertThatReasonIsWrong(a, "EXPIRED");
    }

    @Test
    void whatTheCloseOfItsEngineHasEndedHasNotExpired() {
        HeldTenure a = acquired();
        paper.at(6 * S).closesEngine(0).doubts(0, a);
        assertThatReasonIsWrong(a, "NOT_RENEWED");
    }

    private HeldTenure doubted() {
        HeldTenure a = acquired();
        paper.at(15 * S).doubts(0, a);
        return a;
    }

    @Test
    void noEngineIsClosedThatNobodyHasClosed() {
        assertThatReasonIsWrong(doubted(), "CLOSED");
    }

    @Test
    void nothingIsTakenOverThatNobodyHasEnded() {
        assertThatReasonIsWrong(doubted(), "TAKEN_OVER");
    }

    @Test
    void nobodyIsEvictedWhoseEntryIsThere() {
        assertThatReasonIsWrong(doubted(), "EVICTED");
    }

    @Test
    void noClockHasAnAnomalyThatRunsEvenly() {
        assertThatReasonIsWrong(doubted(), "CLOCK_ANOMALY");
    }

    @Test
    void whatIsBelievedAfterALossDoesNotMakeItsReasonUntrue() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, S);
        paper.believes(0, a, 6 * S)
                .at(6 * S)
                .doubts(0, a)
                .at(7 * S)
                .acquiresAlso(0, a)
                .loses(0, a, "EXPIRED");
        paper.extend(0, a, 10 * S, paper.stamp(0) + 10 * S).believes(0, a, 17 * S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void everyReasonIsOneInItsPlace() {
        HeldTenure a = acquired();
        paper.at(6 * S).fault(0, "WALL_STEP", 0).doubts(0, a).loses(0, a, "CLOCK_ANOMALY");
        assertThat(paper.broken()).isEmpty();

        Paper closed = new Paper();
        a = closed.at(5 * S).acquires(0, "a", 1);
        closed.at(6 * S).closesEngine(0).loses(0, a, "CLOSED");
        assertThat(closed.broken()).isEmpty();

        Paper evicted = new Paper();
        a = evicted.at(5 * S).acquires(0, "a", 1);
        evicted.at(15 * S + 1).entry(evicted.engine(1, -1), 0, null, null).loses(0, a, "EVICTED");
        assertThat(evicted.broken()).isEmpty();

        Paper released = new Paper();
        a = released.at(5 * S).claims(0, "a", 1, 10 * S);
        released.acquiresAlso(0, a).at(6 * S).release(1, a).loses(0, a, "TAKEN_OVER");
        assertThat(released.broken()).isEmpty();
    }

    // ---- hearing of the end ----

    @Test
    void aHolderHearsOfAnEndThatWasOrdered() {
        HeldTenure a = acquired();
        int forced = paper.at(6 * S).call(1, Kind.FORCE_EXPIRE, null, null, 0);
        paper.store(paper.engine(1, forced), paper.row(1, null, 2, paper.stamp(1), null))
                .yes(forced, null);
        long knownNanos = 6 * S + new Patience(paper.history().plan()).hearingNanos();
        for (long nanos = 10 * S; nanos <= knownNanos - SESSION; nanos += 5 * S) {
            paper.at(nanos).beats(0).believes(0, a, nanos + SESSION);
        }
        paper.at(knownNanos - SESSION).beats(0).believes(0, a, knownNanos);
        finish();
        assertThat(paper.broken()).isEmpty();

        paper.at(knownNanos - SESSION + 1).beats(0).believes(0, a, knownNanos + 1);
        assertThat(paper.broken()).containsExactly(G7);
    }

    @Test
    void nobodyHearsOfAnEndThatNoMajorityHas() {
        HeldTenure a = acquired();
        int forced = paper.at(14 * S).lag().call(1, Kind.FORCE_EXPIRE, null, null, 0);
        paper.store(paper.engine(1, forced), paper.row(1, null, 2, paper.stamp(1), null));

        assertThat(paper.heal().tell(new Event.Finished(14 * S)).broken()).isEmpty();
    }

    // ---- who gets one ----

    @Test
    void nobodyIsHandedWhatIsSomebodyElses() {
        HeldTenure a = acquired();
        int b = paper.call(0, new Operation(Kind.ACQUIRE, Paper.LEASE, "b", null, SESSION, true));
        paper.yes(b, a);

        assertThat(paper.broken()).containsExactly(G8);
    }

    private int waits(String owner) {
        return paper.call(0, new Operation(Kind.ACQUIRE, Paper.LEASE, owner, null, SESSION, true));
    }

    private HeldTenure gets(int call, String owner, long token) {
        HeldTenure tenure = new HeldTenure(Paper.LEASE, owner, token);
        paper.beats(0)
                .store(paper.engine(0, call), paper.row(0, owner, token, paper.stamp(0), null))
                .yes(call, tenure);
        return tenure;
    }

    @Test
    void whoCameFirstIsServedFirst() {
        paper.at(5 * S);
        waits("a");
        gets(waits("b"), "b", 1);

        assertThat(paper.verdict().violations()).singleElement().satisfies(violation -> {
            assertThat(violation.promise()).isEqualTo(G7);
            assertThat(violation.sentence()).contains("was first in line");
        });
    }

    @Test
    void whoLeftTheLineIsNotPassedOver() {
        paper.at(5 * S);
        int first = waits("a");
        int second = waits("b");
        paper.no(first, "LeaseUnavailableException");
        gets(second, "b", 1);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void whoSharesWhatItsOwnerMayHaveDoesNotStandInLine() {
        HeldTenure a = paper.at(5 * S).acquires(0, "a", 1);
        paper.at(6 * S).closes(0, a);
        vacate(0, a);
        paper.at(7 * S);
        waits("b");
        gets(waits("a"), "a", 2);
        assertThat(paper.broken()).isEmpty();

        paper = new Paper();
        HeldTenure claimed = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        paper.at(6 * S);
        waits("b");
        paper.yes(waits("a"), claimed);
        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void whoSharesWithOneThatWasFirstInLineAndIsNotAnsweredDoesNotStandThere() {
        paper.at(5 * S);
        int first = waits("b");
        waits("a");
        int third = waits("b");
        paper.unknown(first);
        gets(third, "b", 1);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void whoWasFirstInLineIsNotPassedOverByOneWhoSharesWithIt() {
        paper.at(5 * S);
        waits("b");
        gets(waits("b"), "b", 1);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void linesOfTwoEnginesAreTwo() {
        paper.at(5 * S);
        waits("a");
        paper.acquires(1, "b", 1);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void whoHasNoNameSharesWithNobody() {
        String madeUp = paper.writer(0) + "/1";
        int first = paper.at(5 * S).call(0, new Operation(Kind.ACQUIRE, Paper.LEASE, null, null, SESSION, true));
        int second = paper.call(0, new Operation(Kind.ACQUIRE, Paper.LEASE, null, null, SESSION, true));
        HeldTenure own = new HeldTenure(Paper.LEASE, madeUp, 1);
        paper.beats(0)
                .store(paper.engine(0, first), paper.row(0, madeUp, 1, paper.stamp(0), null))
                .yes(first, own);
        assertThat(paper.broken()).isEmpty();

        assertThat(paper.yes(second, own).broken()).containsOnly(G8);
    }

    @Test
    void nobodyIsHandedWhatTheSameEngineHasEnded() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        paper.at(6 * S).release(0, a).at(7 * S).acquiresAlso(0, a);

        assertThat(paper.broken()).containsExactly(G8);
    }
}
