package dev.leasehold.simulator.campaign;

import static dev.leasehold.simulator.campaign.JournalBuilder.shown;
import static dev.leasehold.simulator.campaign.JournalBuilder.tenure;
import static dev.leasehold.simulator.checker.Guarantee.G1;
import static dev.leasehold.simulator.checker.Guarantee.G3;
import static dev.leasehold.simulator.checker.Guarantee.G5;
import static dev.leasehold.simulator.checker.Guarantee.G6;
import static dev.leasehold.simulator.checker.Guarantee.G8;
import static dev.leasehold.simulator.checker.Guarantee.LIM;
import static dev.leasehold.simulator.checker.Guarantee.T2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What the judge of a campaign passes, and that it finds each kind of broken guarantee. */
class CampaignHistoryTest {

    private static final HeldTenure FIRST = tenure("a", 1);
    private static final HeldTenure SECOND = tenure("b", 2);
    private static final HeldTenure THIRD = tenure("a", 3);
    private static final HeldTenure FOURTH = tenure("p", 4);

    /** Three tenures: one released, one taken over behind its term, one that stands. */
    private final JournalBuilder journal = new JournalBuilder()
            .claimed(0, "a", 1, 0)
            .valid(0, FIRST, 1, 49)
            .gated(0, FIRST, 10)
            .extended(0, FIRST, 20)
            .released(0, FIRST, 50)
            .claimed(1, "b", 2, 60)
            .valid(1, SECOND, 61, 159)
            .gated(1, SECOND, 70)
            .refused(0, Kind.CLAIM, "a", null, "HELD", 75, shown("b", 2))
            .tookOver(0, "a", 3, 170)
            .valid(0, THIRD, 171, 200);

    private int handle;

    private void assertFound(Guarantee guarantee, String words) {
        assertThat(journal.violations()).anySatisfy(violation -> {
            assertThat(violation.guarantee()).isEqualTo(guarantee);
            assertThat(violation.sentence()).contains(words);
        });
    }

    private void assertKept() {
        assertThat(journal.violations()).isEmpty();
    }

    /** It is not known what became of it. */
    private int openClaim(String holder, int at) {
        int call = journal.asked(0, Kind.CLAIM, holder, null, at);
        journal.unknown(call, at + 1);
        return call;
    }

    /** After the three tenures, a fourth that a handle keeps. */
    private JournalBuilder acquired() {
        journal.released(0, THIRD, 210);
        handle = journal.acquired(0, "p", 4, 220);
        return journal.valid(0, FOURTH, 222, 300);
    }

    @Nested
    class Passes {

        @Test
        void aHistoryWithoutFault() {
            assertKept();
        }

        @Test
        void refusalsThatHadNoEffect() {
            journal.refused(1, Kind.CLAIM, "b", null, "HELD", 180, shown("a", 3));
            journal.refused(0, Kind.EXTEND, null, FIRST, "NOT_THAT_TENURE", 180, shown("a", 3));
            journal.refused(0, Kind.GATE, null, FIRST, "NOT_HELD", 180);
            assertKept();
        }

        @Test
        void aTenureThatOnlyAnUnknownOutcomeExplains() {
            int release = journal.asked(0, Kind.RELEASE, null, THIRD, 210);
            journal.unknown(release, 220).landedEnd(0, 3, 210);
            journal.landed(0, openClaim("c", 230), tenure("c", 4), 230);
            assertKept();
        }

        @Test
        void anUnknownOutcomeThatIsResolved() {
            journal.released(0, THIRD, 210);
            int claim = openClaim("c", 220);
            journal.landed(0, claim, tenure("c", 4), 220).resolved(claim, Answer.Kind.YES, tenure("c", 4), 240);
            journal.refused(1, Kind.CLAIM, "b", null, "HELD", 245, shown("c", 4));
            journal.resolved(openClaim("d", 220), Answer.Kind.NO, null, 240);
            assertKept();
        }

        @Test
        void whatAKilledProcessHadUnderWay() {
            journal.written(0, journal.asked(0, Kind.GATE, null, THIRD, 180), THIRD);
            journal.killed(0, 185);
            journal.asked(1, Kind.EXPIRE, null, null, 300);
            journal.landedEnd(1, 3, 300).claimed(1, "b", 4, 310);
            assertKept();
        }

        @Test
        void anExpiryOfATenureWhoseWriterHadLeftBefore() {
            journal.entry(0, 0, 202).killed(0, 205).entry(1, 0, null).expired(1, THIRD, 350);
            assertKept();
        }

        @Test
        void aTenureThatIsKeptAndClosed() {
            acquired().gated(0, FOURTH, 250).closed(0, handle, FOURTH, 300).landedEnd(0, 4, 300);
            assertKept();
        }

        @Test
        void aSessionThatEndsWithoutAWriteOfTheLease() {
            acquired().lost(0, handle, FOURTH, 325).entry(1, 0, null).claimed(1, "b", 5, 330);
            assertKept();
        }

        @Test
        void anAcquisitionOfWhatHasExpired() {
            journal.acquired(1, "q", 4, 271);
            assertKept();
        }

        @Test
        void anAcquisitionThatItsEngineReleasesSinceItsCallerWasToldThatItIsNotKnown() {
            journal.released(0, THIRD, 210);
            int call = journal.asksSession(0, "p", 220);
            journal.unknown(call, 230).entry(0, 0, 220).landed(0, call, FOURTH, 220, false);
            journal.landedEnd(0, 4, 231).resolved(call, Answer.Kind.YES, FOURTH, 234);
            journal.acquired(1, "q", 5, 240);
            assertKept();
        }

        @Test
        void aLossThatIsToldLateByAProcessThatSlept() {
            acquired().validityEnded(0, FOURTH, 300).slept(0, 301, 340).lost(0, handle, FOURTH, 341);
            assertKept();
        }
    }

    @Nested
    class Losses {

        @Test
        void ofWhatWasNotAcquired() {
            int claim = journal.asked(0, Kind.CLAIM, "a", null, 205);
            journal.unknown(claim, 206).lost(0, claim, THIRD, 210);
            assertFound(G8, "was not acquired");
        }

        @Test
        void toldBeforeTheAcquisitionAnswered() {
            journal.released(0, THIRD, 210);
            journal.lost(0, journal.acquired(0, "p", 4, 220), FOURTH, 220);
            assertFound(G8, "was not acquired");
        }

        @Test
        void toldTwice() {
            acquired().lost(0, handle, FOURTH, 301).lost(0, handle, FOURTH, 302);
            assertFound(G8, "had told that before");
        }

        @Test
        void toldWhileTheLeaseIsValid() {
            acquired().lost(0, handle, FOURTH, 299);
            assertFound(G8, "held it still");
        }

        @Test
        void toldTooLate() {
            acquired().validityEnded(0, FOURTH, 300).lost(0, handle, FOURTH, 340);
            assertFound(G8, "was not told so");
        }

        @Test
        void toldTooLateWhileOnlyAnotherProcessSlept() {
            acquired().validityEnded(0, FOURTH, 300).slept(1, 301, 339).lost(0, handle, FOURTH, 340);
            assertFound(G8, "was not told so");
        }

        @Test
        void notTold() {
            acquired().validityEnded(0, FOURTH, 300).gated(0, FOURTH, 350);
            assertFound(G8, "was not told so");
        }
    }

    @Nested
    class Tokens {

        @Test
        void grantedTwice() {
            int claim = journal.asked(1, Kind.CLAIM, "b", null, 169);
            journal.yes(claim, tenure("b", 3), 170);
            assertFound(G8, "it has begun no such tenure");
        }

        @Test
        void gettingSmaller() {
            journal.released(0, THIRD, 210)
                    .claimed(1, "b", 5, 220)
                    .released(1, tenure("b", 5), 230)
                    .claimed(0, "a", 4, 240);
            assertFound(G5, "stored the token 4, where it was to be 6 or more");
        }

        @Test
        void ofAnAcknowledgedTenureLost() {
            journal.notLanded();
            assertFound(G8, "it has begun no such tenure");
        }

        @Test
        void steppedTwiceForOneClaim() {
            journal.released(0, THIRD, 210).claimed(1, "b", 4, 220).landed(1, -1, tenure("b", 5), 221);
            assertFound(G8, "wrote a beginning, and no call had asked it for that");
        }

        @Test
        void ofAClaimThatWasRefused() {
            int claim = journal.released(0, THIRD, 210).asked(1, Kind.CLAIM, "b", null, 220);
            journal.landed(1, claim, tenure("b", 4), 220).no(claim, "LeaseContentionException", 221);
            assertFound(G8, "was told no");
        }

        @Test
        void ofAClaimThatWasResolvedAsRefused() {
            int claim = openClaim("c", 220);
            journal.landed(0, claim, tenure("c", 4), 220).resolved(claim, Answer.Kind.NO, null, 240);
            assertFound(G8, "was told no");
        }

        @Test
        void shownOtherThanGranted() {
            journal.refused(0, Kind.CLAIM, "a", null, "HELD", 180, shown("b", 3));
            assertFound(G8, "at no moment of the call a majority had it so");
        }

        @Test
        void shownUnderAnotherHolder() {
            journal.refused(0, Kind.CLAIM, "a", null, "HELD", 80, shown("a", 2));
            assertFound(G8, "at no moment of the call a majority had it so");
        }

        @Test
        void shownWhenTheyWereOver() {
            journal.refused(1, Kind.CLAIM, "b", null, "HELD", 180, shown("b", 2));
            assertFound(G8, "at no moment of the call a majority had it so");
        }
    }

    @Nested
    class Tenures {

        @Test
        void extendedAfterTheirRelease() {
            journal.yes(journal.asked(0, Kind.EXTEND, null, FIRST, 55), FIRST, 56);
            assertFound(G8, "at no moment of it a majority had the tenure");
        }

        @Test
        void extendedAfterTheirSuccessor() {
            journal.yes(journal.asked(1, Kind.EXTEND, null, SECOND, 180), SECOND, 181);
            assertFound(G8, "at no moment of it a majority had the tenure");
        }

        @Test
        void releasedAfterTheirSuccessor() {
            journal.yes(journal.asked(1, Kind.RELEASE, null, SECOND, 180), SECOND, 181);
            assertFound(G8, "it has ended no such tenure");
        }

        @Test
        void endedTwice() {
            journal.yes(journal.asked(1, Kind.EXPIRE, null, null, 50), FIRST, 51);
            assertFound(G8, "it has ended no such tenure");
        }

        @Test
        void whoseReleaseIsLost() {
            journal.yes(journal.asked(1, Kind.RELEASE, null, SECOND, 165), SECOND, 166);
            assertFound(G8, "it has ended no such tenure");
        }

        @Test
        void releasedThoughRefused() {
            journal.refused(0, Kind.RELEASE, null, THIRD, "LeaseUnavailableException", 210);
            journal.landedEnd(0, 3, 210).claimed(1, "b", 4, 220);
            assertFound(G8, "wrote an end, and no call had asked it for that");
        }

        @Test
        void takenOverWithinTheirTerm() {
            journal.tookOver(1, "b", 4, 250);
            assertFound(G1, "was guaranteed the lease");
            assertFound(G3, "was guaranteed the lease");
        }

        @Test
        void acquiredByAnotherWithinTheirTerm() {
            journal.acquired(1, "q", 4, 250);
            assertFound(G1, "was guaranteed the lease");
        }

        @Test
        void expiredWithinTheirTerm() {
            journal.expired(1, THIRD, 250);
            assertFound(G1, "was guaranteed the lease");
        }

        @Test
        void takenOverWithinTheirExtendedTerm() {
            journal.extended(0, THIRD, 220).tookOver(1, "b", 4, 300);
            assertFound(Guarantee.G2, "was guaranteed the lease");
        }

        @Test
        void claimedThoughTheyStand() {
            journal.claimed(1, "b", 4, 280);
            assertFound(G8, "a claim ends no tenure");
        }

        @Test
        void takenWhileTheirSessionGoesOn() {
            acquired().entry(1, 0, null).claimed(1, "b", 5, 310);
            assertFound(G3, "was guaranteed the lease");
        }
    }

    @Nested
    class Answers {

        @Test
        void ofNoKnownKind() {
            journal.refused(1, Kind.CLAIM, "b", null, "LeaseStoreException", 210);
            assertFound(LIM, "failed unexpectedly");
        }

        @Test
        void takenBack() {
            int claim = journal.asked(1, Kind.CLAIM, "b", null, 210);
            journal.no(claim, "HELD", 211).no(claim, "HELD", 220);
            assertThatIllegalArgumentException().isThrownBy(journal::violations).withMessageContaining("twice");
        }

        @Test
        void resolvedThoughKnown() {
            int claim = journal.asked(1, Kind.CLAIM, "b", null, 210);
            journal.no(claim, "HELD", 211).resolved(claim, Answer.Kind.YES, tenure("b", 4), 220);
            assertThatIllegalArgumentException().isThrownBy(journal::violations).withMessageContaining("twice");
        }

        @Test
        void ofAnotherTenure() {
            journal.yes(journal.asked(0, Kind.EXTEND, null, tenure("a", 2), 180), THIRD, 181);
            assertFound(G8, "another tenure");
        }
    }

    @Nested
    class GatedWrites {

        @Test
        void underAnEndedToken() {
            int gate = journal.asked(0, Kind.GATE, null, FIRST, 40);
            journal.written(0, gate, FIRST).yes(gate, null, 190);
            assertFound(G6, "it committed behind that");
        }

        @Test
        void underNoTenure() {
            int gate = journal.asked(0, Kind.GATE, null, THIRD, 205);
            journal.released(0, THIRD, 210).written(0, gate, THIRD);
            assertFound(G6, "it committed behind that");
        }

        @Test
        void acknowledgedAndLost() {
            journal.yes(journal.asked(0, Kind.GATE, null, THIRD, 180), null, 181);
            assertFound(G8, "its transaction was not committed by then");
        }

        @Test
        void carriedOutTwice() {
            int gate = journal.asked(0, Kind.GATE, null, THIRD, 180);
            journal.written(0, gate, THIRD).written(0, gate, THIRD).yes(gate, null, 181);
            assertFound(G8, "committed twice");
        }

        @Test
        void carriedOutThoughRefused() {
            int gate = journal.asked(0, Kind.GATE, null, THIRD, 180);
            journal.written(0, gate, THIRD).no(gate, "LeaseUnavailableException", 181);
            assertFound(G8, "was told no");
        }

        @Test
        void refusedThoughTheTenureStands() {
            journal.refused(0, Kind.GATE, null, THIRD, "NOT_HELD", 180);
            assertFound(G6, "is over, which it was not");
        }
    }

    @Nested
    class Validities {

        @Test
        void inTwoTenuresAtOnce() {
            journal.valid(0, FIRST, 62, 65);
            assertFound(T2, "held the lease on");
        }

        @Test
        void inTwoTenuresAtOnceBehindALongOne() {
            journal.valid(0, FIRST, 62, 63).valid(0, FIRST, 72, 73);
            assertFound(T2, "a (red with token 1) on m0 too at 8.200000000 s");
        }

        @Test
        void afterTheTerm() {
            journal.valid(0, THIRD, 201, 272);
            assertFound(G8, "a majority had no more");
        }

        @Test
        void beforeTheQuestion() {
            journal.valid(0, THIRD, 165, 166);
            assertFound(G8, "no call had been told so");
        }

        @Test
        void fromALateAnswer() {
            journal.released(0, THIRD, 210);
            int claim = openClaim("c", 220);
            journal.landed(0, claim, tenure("c", 4), 220).resolved(claim, Answer.Kind.YES, tenure("c", 4), 240);
            journal.valid(0, tenure("c", 4), 241, 250);
            assertFound(G8, "no call had been told so");
        }

        @Test
        void beforeWhatTheyRestOnWasSent() {
            journal.extended(0, THIRD, 260).valid(0, THIRD, 202, 350);
            assertFound(G8, "a majority had no more");
        }

        @Test
        void afterARelease() {
            int release = journal.asked(0, Kind.RELEASE, null, THIRD, 195);
            journal.unknown(release, 196);
            assertFound(G8, "it was over with");
        }

        @Test
        void afterAClose() {
            acquired().closed(0, handle, FOURTH, 290).slept(1, 350, 351);
            assertFound(G8, "it was over with");
        }

        @Test
        void inWhatAHandleKeptWhenAnotherHasIt() {
            acquired().entry(1, 0, null);
            journal.acquired(1, "q", 5, 280);
            journal.valid(1, tenure("q", 5), 282, 290);
            assertFound(T2, "held the lease on");
        }

        @Test
        void thatComeBack() {
            journal.validityEnded(0, THIRD, 200).valid(0, THIRD, 205, 210);
            assertFound(G8, "it had said at");
        }
    }

    @Nested
    class WhatTheDatabaseTold {

        @Test
        void ofATenureThatNoCallAskedFor() {
            journal.released(0, THIRD, 210).landed(1, -1, tenure("b", 4), 220);
            assertFound(G8, "wrote a beginning, and no call had asked it for that");
        }

        @Test
        void ofATenureThatAnotherCallAskedFor() {
            journal.released(0, THIRD, 210).asked(1, Kind.CLAIM, "b", null, 220);
            int other = journal.asked(1, Kind.CLAIM, "b", null, 220);
            journal.landed(1, other, tenure("b", 4), 220).no(other, "LeaseContentionException", 230);
            assertFound(G8, "was told no");
        }

        @Test
        void ofATenureThatCameBack() {
            journal.released(0, THIRD, 210).landed(0, -1, THIRD, 220);
            assertFound(G5, "stored the token 3, where it was to be 4 or more");
        }

        @Test
        void ofAHolderThatChangedUnderOneToken() {
            journal.landed(1, -1, tenure("b", 3), 220);
            assertFound(G5, "stored the token 3, where it was to be 4 or more");
        }

        @Test
        void withoutAReleaseThatWasAcknowledged() {
            journal.released(0, THIRD, 210).notLanded();
            assertFound(G8, "it has ended no such tenure");
        }

        @Test
        void ofAnExtensionThatNoCallAskedFor() {
            journal.landed(0, -1, THIRD, 215);
            assertFound(G8, "wrote an extension, and no call had asked it for that");
        }

        @Test
        void ofAnExtensionThatWasRefused() {
            int extension = journal.asked(0, Kind.EXTEND, null, THIRD, 210);
            journal.landed(0, -1, THIRD, 210).no(extension, "LeaseUnavailableException", 211);
            assertFound(G8, "was told no");
        }

        @Test
        void ofAnEndThatNoCallAskedFor() {
            journal.landedEnd(1, 3, 280);
            assertFound(G8, "wrote an end, and no call had asked it for that");
        }
    }
}
