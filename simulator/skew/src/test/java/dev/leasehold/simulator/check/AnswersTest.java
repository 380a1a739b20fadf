package dev.leasehold.simulator.check;

import static dev.leasehold.simulator.check.Paper.S;
import static dev.leasehold.simulator.check.Paper.heldBy;
import static dev.leasehold.simulator.check.Promise.G8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** G8: answers are honest. */
class AnswersTest {

    private static final HeldTenure A1 = new HeldTenure(Paper.LEASE, "a", 1);

    private final Paper paper = new Paper();

    private int at(long trueNanos, String holder) {
        return paper.at(trueNanos).call(0, Kind.CLAIM, holder, null, S);
    }

    private int lagging(String holder) {
        paper.lag();
        return at(S, holder);
    }

    private Paper lands(int call, int author) {
        return paper.store(paper.engine(0, author), paper.row(0, "a", 1, paper.stamp(0), paper.stamp(0) + S));
    }

    // ---- yes ----

    @Test
    void yesIsTrueAtTheInstantAtWhichAMajorityHasIt() {
        int call = lagging("a");
        lands(call, call).at(2 * S).majority(paper.version()).yes(call, A1);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void yesANanosecondBeforeAMajorityHasItIsUntrue() {
        int call = lagging("a");
        lands(call, call).yes(call, A1).at(S + 1).majority(paper.version());

        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void yesAboutWhatIsRolledBackIsUntrue() {
        int call = lagging("a");
        lands(call, call).yes(call, A1).at(2 * S).rollBack(0);

        assertThat(paper.verdict().violations()).singleElement().satisfies(violation -> {
            assertThat(violation.promise()).isEqualTo(G8);
            assertThat(violation.sentence()).contains("was committed at 1.000000000 s was rolled back");
        });
    }

    @Test
    void yesAboutWhatNeverWasIsUntrue() {
        int call = at(S, "a");
        paper.yes(call, A1);

        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void yesToACallersTransactionNeedsItsCommit() {
        HeldTenure a = paper.at(S).claims(0, "a", 1, S);
        int good = paper.call(0, Kind.GATE, null, a, 0);
        paper.gate(0, good, a, a).yes(good, null);
        assertThat(paper.broken()).isEmpty();

        int bad = paper.call(0, Kind.GATE, null, a, 0);
        paper.yes(bad, null);
        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void aClaimBeginsOnlyWhatNobodyHeld() {
        HeldTenure a = paper.at(S).claims(0, "a", 1, S);
        paper.at(2 * S).release(0, a).at(3 * S).claims(1, "b", 2, S);
        assertThat(paper.broken()).isEmpty();

        paper.at(6 * S).claims(0, "a", 3, S);
        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void aTakeOverBeginsOnlyWhatSomebodyHeld() {
        paper.at(S).claims(0, "a", 1, S);
        HeldTenure b = paper.at(4 * S).takesOver(1, "b", 2, S);
        assertThat(paper.broken()).isEmpty();

        paper.at(5 * S).release(1, b).at(6 * S).takesOver(0, "a", 3, S);
        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void whereThereAreClonesNobodyKnowsWhoHeldWhat() {
        Paper outside = new Paper(false, 0, 0, 0);
        outside.at(S).takesOver(0, "a", 1, S);

        assertThat(outside.broken()).isEmpty();
    }

    @Test
    void whatASessionKeptThatIsOverIsClaimedAndNotTakenOver() {
        paper.at(S).acquires(0, "a", 1);
        paper.at(20 * S).entry(paper.engine(1, -1), 0, null, null).claims(1, "b", 2, S);

        assertThat(paper.broken()).isEmpty();
    }

    // ---- no ----

    @Test
    void whatLandsForAnAcquisitionThatItsEnginesCloseCutShortIsTheCloseToGiveUp() {
        int cutShort = paper.at(S).call(0, Kind.ACQUIRE, "a", null, S);
        paper.closesEngine(0).no(cutShort, Answer.ENGINE_CLOSED).at(2 * S);
        lands(cutShort, -1);
        assertThat(paper.broken()).isEmpty();

        int claim = paper.at(3 * S).call(0, Kind.CLAIM, "b", null, S);
        paper.no(claim, Answer.ENGINE_CLOSED).at(4 * S);
        paper.store(paper.engine(0, -1), paper.row(0, "b", 2, paper.stamp(0), paper.stamp(0) + S));
        assertThat(paper.broken()).contains(G8);
    }

    @Test
    void whatLandsForAnAcquisitionThatWasCancelledIsTheEnginesToGiveUp() {
        int cancelled = paper.at(S).call(0, Kind.ACQUIRE, "a", null, S);
        paper.no(cancelled, Answer.CANCELLED).at(2 * S);
        lands(cancelled, -1);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void whatACancelledAcquisitionWentOnWithIsTheEnginesToGiveUpWhoeverElseAskedForThatInVain() {
        paper.at(S).claims(0, "a", 1, S);
        int expire = paper.at(2 * S).call(0, Kind.EXPIRE, null, null, 0);
        paper.no(expire, "NOT_EXPIRED", Paper.heldBy("a", 1));
        int cancelled = paper.at(3 * S).call(0, Kind.ACQUIRE, "a", null, S);
        paper.store(paper.engine(0, -1), paper.row(0, "a", 1, paper.stamp(0), paper.stamp(0) + S))
                .no(cancelled, Answer.CANCELLED);
        paper.at(4 * S).store(paper.engine(0, -1), paper.row(0, null, 1, paper.stamp(0), null));

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void whatMayHaveLandedForAnAcquisitionOfWhichNobodyWillEverKnowIsTheEnginesToGiveUp() {
        int expire = paper.at(S).call(0, Kind.EXPIRE, null, null, 0);
        paper.no(expire, "VACANT");
        int never = paper.at(2 * S).call(0, Kind.ACQUIRE, "a", null, S);
        paper.unknown(never).resolved(never, Answer.Kind.UNKNOWN, null);
        paper.at(3 * S).claims(0, "a", 1, S);
        paper.store(paper.engine(0, -1), paper.row(0, null, 1, paper.stamp(0) + 1, null));

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void engineGivesUpWhatItsCallerWentWithoutAndNotWhatWasAskedForInVain() {
        assertThat(givenUpUnasked(Kind.ACQUIRE).broken()).isEmpty();
        assertThat(givenUpUnasked(Kind.CLAIM).broken()).containsExactly(G8);
    }

    /** While somebody asks for that, and is told no. */
    private static Paper givenUpUnasked(Kind begun) {
        Paper paper = new Paper();
        int call = paper.at(S).call(0, begun, "a", null, 10 * S);
        paper.store(paper.engine(0, call), paper.row(0, "a", 1, paper.stamp(0), paper.stamp(0) + 10 * S));
        paper.unknown(call).at(2 * S).resolved(call, Answer.Kind.YES, A1);
        int release = paper.call(0, Kind.RELEASE, null, A1, 0);
        paper.at(3 * S).store(paper.engine(0, -1), paper.row(0, null, 1, paper.stamp(0), null));
        return paper.no(release, "VACANT", Paper.heldBy(null, 1));
    }

    @Test
    void whatExtendsForAnAcquisitionThatItsEnginesCloseCutShortIsOfNoOtherCall() {
        assertThat(extendedWhileCutShort("a").broken()).isEmpty();
        assertThat(extendedWhileCutShort("b").broken()).containsExactly(G8);
    }

    private static Paper extendedWhileCutShort(String owner) {
        Paper paper = new Paper();
        HeldTenure a = paper.at(S).claims(1, "a", 1, 10 * S);
        int cutShort = paper.at(2 * S).call(0, Kind.ACQUIRE, owner, null, 10 * S);
        int extend = paper.call(0, Kind.EXTEND, null, a, S);
        paper.at(3 * S).store(paper.engine(0, -1), paper.row(0, "a", 1, paper.stamp(0), paper.stamp(0) + 10 * S));
        return paper.at(4 * S).closesEngine(0).no(extend, Answer.ENGINE_CLOSED).no(cutShort, Answer.ENGINE_CLOSED);
    }

    @Test
    void noIsTrueAboutWhatHasLandedAndIsOver() {
        int call = paper.at(S).call(0, Kind.CLAIM, "a", null, S);
        lands(call, -1);
        paper.at(4 * S).takesOver(1, "b", 2, S);
        assertThat(paper.at(5 * S).no(call, "HELD", heldBy("b", 2)).broken()).isEmpty();
    }

    @Test
    void noIsUntrueAboutWhatHasLandedAndIsNotOver() {
        int call = paper.at(S).call(0, Kind.CLAIM, "a", null, S);
        lands(call, -1);
        assertThat(paper.at(5 * S).no(call, "HELD", heldBy("a", 1)).broken()).containsExactly(G8);
    }

    @Test
    void noIsUntrueAboutWhatLandsLater() {
        int call = at(S, "a");
        paper.no(call, "LeaseUnavailableException").at(30 * S);
        lands(call, call);

        assertThat(paper.verdict().violations()).singleElement().satisfies(violation -> {
            assertThat(violation.promise()).isEqualTo(G8);
            assertThat(violation.atNanos()).isEqualTo(30 * S);
        });
    }

    @Test
    void aTenureThatNobodyWasGivenBelongsToACallThatWasToldNo() {
        int call = at(S, "a");
        paper.no(call, "LeaseUnavailableException");
        lands(call, -1);

        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void aTenureThatNobodyWasGivenMayBelongToACallThatWasToldUnknown() {
        int unknown = at(S, "a");
        paper.unknown(unknown);
        int no = paper.call(0, Kind.CLAIM, "a", null, S);
        paper.no(no, "LeaseUnavailableException");
        lands(unknown, -1);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void whatIsRolledBackNeverHappened() {
        int call = lagging("a");
        lands(call, call).rollBack(0).no(call, "LeaseUnavailableException");

        assertThat(paper.broken()).isEmpty();
    }

    // ---- what an answer shows ----

    @Test
    void aRefusalShowsWhatAMajorityHadDuringTheCall() {
        paper.at(S).claims(1, "b", 1, S);
        int call = at(2 * S, "a");
        HeldTenure b = new HeldTenure(Paper.LEASE, "b", 1);
        paper.release(1, b).at(3 * S).no(call, "HELD", heldBy("b", 1));

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void aRefusalThatShowsWhatWasOverBeforeTheCallIsUntrue() {
        HeldTenure b = paper.at(S).claims(1, "b", 1, S);
        paper.at(2 * S - 1).release(1, b);
        int call = at(2 * S, "a");
        paper.at(3 * S).no(call, "HELD", heldBy("b", 1));

        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void aRefusalThatShowsWhatNoMajorityHadYetIsUntrue() {
        paper.lag().at(S).store(paper.engine(1, -1), paper.row(1, "b", 1, paper.stamp(1), paper.stamp(1) + S));
        int call = at(2 * S, "a");
        paper.at(3 * S).no(call, "HELD", heldBy("b", 1)).at(3 * S + 1).majority(paper.version());

        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void anAbsentDocumentIsHeldByNobody() {
        int call = paper.at(2 * S).call(0, Kind.REFRESH, null, null, 0);
        paper.no(call, null, heldBy(null, 0));
        assertThat(paper.broken()).isEmpty();

        int other = paper.call(0, Kind.REFRESH, null, null, 0);
        paper.no(other, null, heldBy("b", 1));
        assertThat(paper.broken()).containsExactly(G8);
    }

    // ---- unknown ----

    @Test
    void aResolutionIsTrue() {
        int call = at(S, "a");
        lands(call, call).unknown(call).at(2 * S).resolved(call, Answer.Kind.YES, A1);

        assertThat(paper.broken()).isEmpty();
        assertThat(paper.verdict().reached()).containsEntry("UNKNOWN_RESOLVED_YES", 1L);
    }

    @Test
    void aResolutionThatDeniesWhatLandedIsUntrue() {
        int call = at(S, "a");
        lands(call, call).unknown(call).at(2 * S).resolved(call, Answer.Kind.NO, null);

        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void aResolutionThatClaimsWhatDidNotLandIsUntrue() {
        int call = at(S, "a");
        paper.unknown(call).at(2 * S).resolved(call, Answer.Kind.YES, A1);

        assertThat(paper.broken()).containsExactly(G8);
    }

    // ---- the reason of a refusal ----

    @Test
    void aRefusalHasAReason() {
        HeldTenure b = paper.at(S).claims(1, "b", 1, 9 * S);
        paper.no(at(2 * S, "a"), "HELD", heldBy("b", 1));
        paper.no(
                paper.call(1, Kind.RELEASE, null, new HeldTenure(Paper.LEASE, "b", 7), 0),
                "NOT_THAT_TENURE",
                heldBy("b", 1));
        paper.no(paper.call(1, Kind.TAKE_OVER, "a", null, S), "NOT_EXPIRED", heldBy("b", 1));
        assertThat(paper.broken()).isEmpty();

        paper.no(paper.call(1, Kind.EXTEND, null, b, S), "NOT_THAT_TENURE", heldBy("b", 1));
        assertThat(paper.verdict().violations()).singleElement().satisfies(violation -> {
            assertThat(violation.promise()).isEqualTo(G8);
            assertThat(violation.sentence()).contains("for the reason NOT_THAT_TENURE", "which is no such reason");
        });
    }

    @Test
    void whatNobodyHoldsIsNotRefusedForBeingHeld() {
        HeldTenure b = paper.at(S).claims(1, "b", 1, 9 * S);
        paper.release(1, b).no(at(2 * S, "a"), "HELD", heldBy(null, 1));

        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void anOperationIsRefusedForReasonsOfItsOwn() {
        HeldTenure b = paper.at(S).claims(1, "b", 1, 9 * S);
        paper.no(paper.call(1, Kind.EXTEND, null, b, S), "HELD_PAST_EXPIRY", heldBy("b", 1));

        assertThat(paper.broken()).containsOnly(G8);
    }

    @Test
    void anEngineThatNobodyHasClosedIsNotClosed() {
        int claim = at(S, "a");
        assertThat(paper.no(claim, Answer.ENGINE_CLOSED).broken()).containsExactly(G8);
    }

    // ---- listings ----

    private Paper lists(Kind kind, Answer.Shown... shown) {
        int call = paper.at(2 * S).call(0, kind, null, null, 0);
        return paper.tell(new Event.Answered(3 * S, call, new Answer(Answer.Kind.YES, null, null, List.of(shown))));
    }

    @Test
    void aListingLeavesNothingOut() {
        paper.at(S).claims(1, "b", 1, 9 * S);
        lists(Kind.LIST, heldBy("b", 1));
        assertThat(paper.broken()).isEmpty();

        assertThat(lists(Kind.LIST).broken()).containsExactly(G8);
    }

    @Test
    void aListingShowsNothingTwice() {
        paper.at(S).claims(1, "b", 1, 9 * S);

        assertThat(lists(Kind.REFRESH, heldBy("b", 1), heldBy("b", 1)).broken()).containsExactly(G8);
    }

    @Test
    void aListingIsInTheOrderOfTheNames() {
        Answer.Shown first = new Answer.Shown("lease-0", null, 0, false, false, Long.MAX_VALUE);
        Answer.Shown second = new Answer.Shown("lease-1", null, 0, false, false, Long.MAX_VALUE);
        assertThat(lists(Kind.REFRESH, first, second).broken()).isEmpty();

        assertThat(lists(Kind.REFRESH, second, first).broken()).containsExactly(G8);
    }

    @Test
    void aListingMayLeaveOutWhatCameMeanwhile() {
        int call = paper.at(2 * S).call(0, Kind.LIST, null, null, 0);
        paper.at(3 * S).claims(1, "b", 1, 9 * S);
        paper.yes(call, null);

        assertThat(paper.broken()).isEmpty();
    }

    // ---- ends ----

    @Test
    void whoIsToldThatHeHasEndedATenureHasDoneSo() {
        HeldTenure a = paper.at(S).claims(0, "a", 1, S);
        paper.at(4 * S).takesOver(1, "b", 2, S);
        paper.at(5 * S).yes(paper.call(0, Kind.RELEASE, null, a, 0), a);

        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void whoIsToldThatATenureWasNotEndedIsNotToSeeItEndedLater() {
        HeldTenure a = paper.at(S).claims(0, "a", 1, 30 * S);
        int release = paper.at(2 * S).call(0, Kind.RELEASE, null, a, 0);
        paper.no(release, "LeaseUnavailableException").at(20 * S);
        paper.store(paper.engine(0, -1), paper.row(0, null, 1, paper.stamp(0), null));

        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void whoCannotKnowThatATenureIsOverMayHandItOutOnceMore() {
        assertThat(sharesWhatAnotherHasEnded(new Paper()).broken()).contains(G8);
        assertThat(sharesWhatAnotherHasEnded(new Paper(false, 0, 0, 0)).broken())
                .isEmpty();
    }

    private static Paper sharesWhatAnotherHasEnded(Paper paper) {
        HeldTenure a = paper.at(S).claims(0, "a", 1, S);
        paper.at(4 * S).takesOver(1, "b", 2, S);
        return paper.at(5 * S).acquiresAlso(0, a);
    }

    @Test
    void aCloneMayBeToldAnythingOfWhatItEnds() {
        assertThat(endsByAnotherEngineThatIsToldNo(new Paper()).broken()).containsExactly(G8);
        assertThat(endsByAnotherEngineThatIsToldNo(new Paper(false, 0, 0, 0)).broken())
                .isEmpty();
    }

    private static Paper endsByAnotherEngineThatIsToldNo(Paper paper) {
        HeldTenure a = paper.at(S).claims(0, "a", 1, 30 * S);
        int release = paper.at(2 * S).call(1, Kind.RELEASE, null, a, 0);
        paper.no(release, "LeaseUnavailableException").at(20 * S);
        return paper.store(paper.engine(1, -1), paper.row(1, null, 1, paper.stamp(1), null));
    }

    @Test
    void nobodyGoesOnWithWhatHeHasGivenUp() {
        HeldTenure a = paper.at(S).claims(0, "a", 1, 30 * S);
        paper.at(2 * S).release(0, a).at(3 * S).yes(paper.call(0, Kind.EXTEND, null, a, 10 * S), a);

        assertThat(paper.broken()).contains(G8);
    }
}
