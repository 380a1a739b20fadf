package dev.leasehold.engine.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What the check of a campaign passes, and that it finds each kind of broken guarantee. */
class GuaranteesTest {

    /** Three tenures: one released, one expired by a take-over, one that stands. */
    private final EvidenceBuilder evidence = new EvidenceBuilder()
            .claimed("c1", "a", 1, 0)
            .valid("a", 1, 1, 49)
            .gated("g1", "a", 1, 10)
            .extended("e1", "a", 1, 20)
            .released("r1", "a", 1, 50)
            .claimed("c2", "b", 2, 60)
            .valid("b", 2, 61, 159)
            .gated("g2", "b", 2, 70)
            .seen("c2", "b", 2)
            .tookOver("t3", "a", 3, 170)
            .valid("a", 3, 171, 200);

    private void assertFound(String violation) {
        assertThat(evidence.violations()).anyMatch(found -> found.contains(violation));
    }

    private void assertKept() {
        assertThat(evidence.violations()).isEmpty();
    }

    /** Nobody knows what became of it. */
    private EvidenceBuilder openClaim(String call, long atNanos) {
        return evidence.asked(call, Operation.CLAIM, "c", 0, atNanos).told(call, Verdict.UNKNOWN, 0, atNanos + 1);
    }

    private EvidenceBuilder refused(String call, Operation operation, String holder, long token, long atNanos) {
        return evidence.asked(call, operation, holder, token, atNanos).told(call, Verdict.NO, 0, atNanos + 1);
    }

    @Nested
    class Passes {

        @Test
        void aStoryWithoutFault() {
            assertKept();
        }

        @Test
        void refusalsThatHadNoEffect() {
            refused("c4", Operation.CLAIM, "b", 0, 180);
            refused("e4", Operation.EXTEND, "a", 1, 180);
            refused("g4", Operation.GATE, "a", 1, 180);

            assertKept();
        }

        @Test
        void aTenureThatOnlyAnUnknownOutcomeExplains() {
            refused("r3", Operation.RELEASE, "a", 3, 205);
            evidence.asked("r4", Operation.RELEASE, "a", 3, 210).told("r4", Verdict.NEVER_KNOWN, 0, 220);
            evidence.landedEnd(3);
            openClaim("c4", 230).landed("c4", "c", 4);

            assertKept();
        }

        @Test
        void anUnknownOutcomeThatIsResolved() {
            evidence.released("r3", "a", 3, 210);
            openClaim("c4", 220)
                    .told("c4", Verdict.YES, 4, 240)
                    .landed("c4", "c", 4)
                    .seen("c4", "c", 4);
            openClaim("c5", 220).told("c5", Verdict.NO, 0, 240);

            assertKept();
        }

        @Test
        void whatAKilledProcessHadUnderWay() {
            evidence.asked("g4", Operation.GATE, "a", 3, 180).written("g4", 3, 3);
            evidence.asked("e4", Operation.EXPIRE, "-", 0, 300).landedEnd(3).claimed("c4", "b", 4, 310);

            assertKept();
        }
    }

    /** After the three tenures, a fourth that a handle keeps. */
    private EvidenceBuilder acquired() {
        return evidence.released("r3", "a", 3, 210).acquired("p-4", 4, 220).valid("p-4", 4, 222, 400);
    }

    @Nested
    class PassesForHandles {

        @Test
        void aTenureThatIsKeptAndClosed() {
            acquired()
                    .landed("p-4", "p-4", 4)
                    .gated("g4", "p-4", 4, 300)
                    .closed("p-5", "p-4", 4, 400)
                    .landedEnd(4);

            assertKept();
        }

        @Test
        void aSessionThatEndsWithoutAWriteOfTheLease() {
            acquired().lost("p-4", 4, 405).claimed("c5", "b", 5, 410);

            assertKept();
        }

        @Test
        void anAcquisitionOfWhatHasExpired() {
            evidence.acquired("p-4", 4, 271);

            assertKept();
        }

        @Test
        void anAcquisitionThatItsEngineHasGivenUpSinceItsCallerWasToldThatNobodyKnows() {
            evidence.released("r3", "a", 3, 210);
            evidence.asked("p-4", Operation.ACQUIRE, "p-4", 0, 220)
                    .told("p-4", Verdict.UNKNOWN, 0, 230)
                    .landed("p-4", "p-4", 4)
                    .landedEnd(4)
                    .told("p-4", Verdict.YES, 4, 234);
            evidence.acquired("q-5", 5, 240);

            assertKept();
        }

        @Test
        void aLossThatIsToldLateByAProcessThatSlept() {
            acquired().acquired("q-5", 5, 410).slept("p", 401, 419).lost("p-4", 4, 420);

            assertKept();
        }
    }

    @Nested
    class Losses {

        @Test
        void ofWhatWasNotAcquired() {
            evidence.lost("a", 3, 210);

            assertFound("a loss of what was not acquired before");
        }

        @Test
        void toldBeforeTheAcquisitionAnswered() {
            evidence.released("r3", "a", 3, 210).acquired("p-4", 4, 220).lost("p-4", 4, 220);

            assertFound("a loss of what was not acquired before");
        }

        @Test
        void toldTwice() {
            acquired().lost("p-4", 4, 401).lost("p-4", 4, 402);

            assertFound("a loss that was told twice");
        }

        @Test
        void toldWhileTheLeaseIsValid() {
            acquired().lost("p-4", 4, 399);

            assertFound("a validity until 400 after the loss");
        }

        @Test
        void toldWhenAnotherHoldsTheLease() {
            acquired().acquired("q-5", 5, 410).lost("p-4", 4, 420);

            assertFound("told of a loss when another held the lease by 411");
        }

        @Test
        void toldLateWhileOnlyAnotherProcessSlept() {
            acquired().acquired("q-5", 5, 410).slept("q", 401, 419).lost("p-4", 4, 420);

            assertFound("told of a loss when another held the lease by 411");
        }
    }

    @Nested
    class Tokens {

        @Test
        void grantedTwice() {
            evidence.claimed("c4", "b", 3, 169);

            assertFound("two tenures share a token");
        }

        @Test
        void gettingSmaller() {
            evidence.released("r3", "a", 3, 210)
                    .claimed("c5", "b", 5, 220)
                    .released("r5", "b", 5, 230)
                    .claimed("c4", "a", 4, 240);

            assertFound("a later tenure has no greater token");
        }

        @Test
        void ofAnAcknowledgedTenureLost() {
            evidence.stored(2);

            assertFound("an acknowledged tenure is lost, the stored token is 2");
        }

        @Test
        void steppedTwiceForOneClaim() {
            evidence.stored(4);

            assertFound("tenures of 'lease' that nobody was granted: tokens [4], with 0 outcomes unknown");
        }

        @Test
        void moreThanTheUnknownOutcomesExplain() {
            openClaim("c4", 210).stored(5);

            assertFound("tokens [4, 5], with 1 outcomes unknown");
        }

        @Test
        void ofAClaimThatWasRefused() {
            refused("c4", Operation.CLAIM, "b", 0, 180).stored(4);

            assertFound("tenures of 'lease' that nobody was granted: tokens [4]");
        }

        @Test
        void ofAClaimThatWasResolvedAsRefused() {
            openClaim("c4", 220).told("c4", Verdict.NO, 0, 240).stored(4);

            assertFound("tenures of 'lease' that nobody was granted: tokens [4]");
        }

        @Test
        void seenThoughRefused() {
            refused("c4", Operation.CLAIM, "b", 0, 180).seen("c4", "b", 4);

            assertFound("a tenure against the answer");
        }

        @Test
        void seenOtherThanGranted() {
            evidence.seen("c2", "b", 3);

            assertFound("a tenure against the answer");
        }

        @Test
        void seenUnderAnotherHolder() {
            evidence.seen("c2", "a", 2);

            assertFound("a tenure against the answer");
        }

        @Test
        void seenForTwoTenures() {
            openClaim("c4", 50).seen("c4", "c", 2);

            assertFound("one token was seen for two tenures");
        }

        @Test
        void seenThatNobodyAskedFor() {
            evidence.seen("c9", "b", 4);

            assertFound("a tenure that nobody asked for");
        }
    }

    @Nested
    class Tenures {

        @Test
        void extendedAfterTheirRelease() {
            evidence.extended("e2", "a", 1, 55);

            assertFound("a yes under a tenure that was over");
        }

        @Test
        void extendedAfterTheirSuccessor() {
            evidence.extended("e2", "b", 2, 180);

            assertFound("a yes under a tenure that was over");
        }

        @Test
        void releasedAfterTheirSuccessor() {
            evidence.released("r2", "b", 2, 180);

            assertFound("a yes under a tenure that was over");
        }

        @Test
        void endedTwice() {
            evidence.expired("x1", 1, 50);

            assertFound("a tenure ended twice");
        }

        @Test
        void whoseReleaseIsLost() {
            evidence.released("r2", "b", 2, 165);

            assertFound("an acknowledged end is lost before");
        }

        @Test
        void releasedThoughRefused() {
            refused("r3", Operation.RELEASE, "a", 3, 210).claimed("c4", "b", 4, 220);

            assertFound("nobody was told of the end before");
        }

        @Test
        void takenOverWithinTheirTerm() {
            evidence.tookOver("t4", "b", 4, 250);

            assertFound("a tenure was ended within its term");
        }

        @Test
        void acquiredByAnotherWithinTheirTerm() {
            evidence.acquired("p-4", 4, 250);

            assertFound("a tenure was ended within its term");
        }

        @Test
        void expiredWithinTheirTerm() {
            evidence.expired("x3", 3, 250);

            assertFound("a tenure was ended within its term");
        }

        @Test
        void takenOverWithinTheirExtendedTerm() {
            evidence.extended("e3", "a", 3, 220).tookOver("t4", "b", 4, 300);

            assertFound("a tenure was ended within its term");
        }
    }

    @Nested
    class Answers {

        @Test
        void ofNoKnownKind() {
            evidence.asked("c4", Operation.CLAIM, "b", 0, 210).told("c4", Verdict.UNPROMISED, 0, 211);

            assertFound("an answer of no known kind");
        }

        @Test
        void takenBack() {
            refused("c4", Operation.CLAIM, "b", 0, 210).told("c4", Verdict.NO, 0, 220);

            assertFound("a final answer was not the last one");
        }

        @Test
        void ofAnotherTenure() {
            evidence.asked("e3", Operation.EXTEND, "a", 2, 180).told("e3", Verdict.YES, 3, 181);

            assertFound("a yes that speaks of another tenure");
        }

        @Test
        void toTheSameCallTwiceAreAFaultOfTheJournal() {
            evidence.claimed("c1", "a", 9, 300);

            assertThatIllegalStateException().isThrownBy(evidence::violations).withMessageContaining("'c1'");
        }
    }

    @Nested
    class GatedWrites {

        @Test
        void underAnEndedToken() {
            evidence.asked("g3", Operation.GATE, "a", 1, 40)
                    .told("g3", Verdict.YES, 1, 75)
                    .written("g3", 1, 3);

            assertFound("a gated write under an ended token");
        }

        @Test
        void begunWhenTheirTenureWasOver() {
            evidence.asked("g3", Operation.GATE, "b", 2, 180).written("g3", 2, 3);

            assertFound("a gated write that began when its tenure was over");
        }

        @Test
        void begunAfterTheRelease() {
            evidence.released("r3", "a", 3, 210).gated("g3", "a", 3, 220);

            assertFound("a gated write that began when its tenure was over");
        }

        @Test
        void acknowledgedAndLost() {
            evidence.notWritten("g2");

            assertFound("written 0 times");
            assertFound("not numbered from 1 to 2: [1]");
        }

        @Test
        void carriedOutTwice() {
            evidence.written("g2", 2, 3);

            assertFound("written 2 times");
        }

        @Test
        void carriedOutThoughRefused() {
            refused("g3", Operation.GATE, "a", 3, 180).written("g3", 3, 3);

            assertFound("written 1 times");
        }

        @Test
        void thatNobodyAskedFor() {
            evidence.written("g3", 3, 3);

            assertFound("a gated write that nobody asked for");
        }

        @Test
        void underAnotherTokenThanAsked() {
            evidence.asked("g3", Operation.GATE, "a", 3, 180).written("g3", 2, 3);

            assertFound("a gated write that nobody asked for");
        }

        @Test
        void thatDrewTheSameNumber() {
            evidence.asked("g3", Operation.GATE, "b", 2, 80).written("g3", 2, 2);

            assertFound("not numbered from 1 to 2: [1, 2, 2]");
        }
    }

    @Nested
    class Validities {

        @Test
        void inTwoTenuresAtOnce() {
            evidence.valid("a", 1, 61, 65);

            assertFound("two tenures were valid at once");
        }

        @Test
        void inTwoTenuresAtOnceBehindALongOne() {
            evidence.valid("b", 2, 70, 71).valid("a", 1, 72, 73);

            assertFound("two tenures were valid at once");
        }

        @Test
        void afterTheTerm() {
            evidence.valid("a", 3, 271, 272);

            assertFound("a validity without a ground");
        }

        @Test
        void beforeTheQuestion() {
            evidence.valid("a", 3, 160, 165);

            assertFound("a validity without a ground");
        }

        @Test
        void fromALateAnswer() {
            evidence.released("r3", "a", 3, 210);
            openClaim("c4", 220).told("c4", Verdict.YES, 4, 240).stored(4).valid("c", 4, 241, 250);

            assertFound("a validity without a ground");
        }

        @Test
        void afterARelease() {
            evidence.asked("r3", Operation.RELEASE, "a", 3, 205)
                    .told("r3", Verdict.UNKNOWN, 0, 206)
                    .valid("a", 3, 200, 207);

            assertFound("a validity after the release");
        }

        @Test
        void afterAClose() {
            acquired().closed("p-5", "p-4", 4, 390);

            assertFound("a validity after the release");
        }

        @Test
        void inWhatAHandleKeptWhenAnotherHasIt() {
            acquired().acquired("q-5", 5, 350);

            assertFound("a validity of a tenure that was over");
        }

        @Test
        void inATenureThatWasOver() {
            evidence.expired("x3", 3, 271)
                    .claimed("c4", "b", 4, 280)
                    .extended("e3", "a", 3, 270)
                    .valid("a", 3, 275, 276);

            assertFound("a validity of a tenure that was over");
        }
    }

    @Nested
    class WhatTheDatabaseTold {

        @Test
        void ofAClaimThatWasRefused() {
            evidence.released("r3", "a", 3, 210);
            refused("c4", Operation.CLAIM, "b", 0, 220).landed("c4", "b", 4);

            assertFound("landed under token 4: asked c4");
        }

        @Test
        void withoutAClaimThatWasAcknowledged() {
            evidence.released("r3", "a", 3, 210).claimed("c4", "b", 4, 220).notLanded();

            assertFound("landed under token null: asked c4");
            assertFound("the history ends with token 3");
        }

        @Test
        void ofAClaimThatLandedTwice() {
            evidence.released("r3", "a", 3, 210).claimed("c4", "b", 4, 220).landed("c4", "b", 5);

            assertFound("call 'c4' began two tenures, 4 and 5");
        }

        @Test
        void ofATenureThatNobodyAskedFor() {
            evidence.released("r3", "a", 3, 210).landed("c9", "b", 4);

            assertFound("tenure 4 was begun by nobody, but by c9");
        }

        @Test
        void ofATokenThatWasLeftOut() {
            evidence.released("r3", "a", 3, 210).claimed("c5", "b", 5, 220);

            assertFound("a write that no operation makes");
        }

        @Test
        void ofATenureThatCameBack() {
            evidence.released("r3", "a", 3, 210).landed("t3", "a", 3);

            assertFound("a write that no operation makes");
        }

        @Test
        void ofAHolderThatChangedUnderOneToken() {
            evidence.landed("t3", "b", 3);

            assertFound("a write that no operation makes");
        }

        @Test
        void ofAReleaseThatWasRefused() {
            refused("r3", Operation.RELEASE, "a", 3, 210).landedEnd(3);

            assertFound("an end that nobody was told of: 'lease' token 3");
        }

        @Test
        void withoutAReleaseThatWasAcknowledged() {
            evidence.released("r3", "a", 3, 210).notLanded();

            assertFound("an acknowledged end never happened: 'lease' token 3");
        }

        @Test
        void ofAnExtensionThatWasRefused() {
            refused("e3", Operation.EXTEND, "a", 3, 210).landed("t3", "a", 3);

            assertFound("extended 1 times, told 0 times: 'lease' token 3");
        }

        @Test
        void ofAnExtensionThatLandedTwice() {
            evidence.extended("e3", "a", 3, 210).landed("t3", "a", 3);

            assertFound("extended 2 times, told 1 times: 'lease' token 3");
        }

        @Test
        void ofAGatedWriteUnderAnotherTenure() {
            evidence.asked("g3", Operation.GATE, "b", 2, 80).written("g3", 2, 3);

            assertFound("a gated transaction was committed when its tenure was over");
        }

        @Test
        void ofAGatedWriteUnderNoTenure() {
            evidence.asked("g3", Operation.GATE, "a", 3, 205)
                    .released("r3", "a", 3, 210)
                    .written("g3", 3, 3);

            assertFound("held by nobody");
        }
    }
}
