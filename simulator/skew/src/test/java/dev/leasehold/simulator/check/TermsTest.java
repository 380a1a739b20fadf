package dev.leasehold.simulator.check;

import static dev.leasehold.simulator.check.Paper.S;
import static dev.leasehold.simulator.check.Promise.G1;
import static dev.leasehold.simulator.check.Promise.G2;
import static dev.leasehold.simulator.check.Promise.G3;
import static dev.leasehold.simulator.check.Promise.T2;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import org.junit.jupiter.api.Test;

/** Promises about terms, at their nanosecond: G1, G2 and G3. */
class TermsTest {

    private final Paper paper = new Paper();

    @Test
    void aClaimIsKeptWhenTheClaimersClockHasRunTheAskedTime() {
        paper.at(5 * S).claims(0, "a", 1, 10 * S, 10 * S - 1);
        paper.at(15 * S).takesOver(1, "b", 2, 10 * S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void aLeaseTakenANanosecondEarlierBreaksTheClaim() {
        paper.at(5 * S).claims(0, "a", 1, 10 * S, 10 * S - 2);
        paper.at(15 * S - 1).takesOver(1, "b", 2, 10 * S);

        assertThat(paper.verdict().violations()).singleElement().satisfies(violation -> {
            assertThat(violation.promise()).isEqualTo(G1);
            assertThat(violation.atNanos()).isEqualTo(15 * S - 1);
            assertThat(violation.lease()).isEqualTo(Paper.LEASE);
            assertThat(violation.sentence()).contains("until 15.000000000 s", "m1 ended it at 14.999999999 s");
        });
    }

    @Test
    void theAskedTimeCountsFromTheStartOfTheCall() {
        int call = paper.at(5 * S).call(0, Kind.CLAIM, "a", null, 10 * S);
        HeldTenure tenure = new HeldTenure(Paper.LEASE, "a", 1);
        paper.at(7 * S).store(paper.engine(0, call), paper.row(0, "a", 1, paper.stamp(0), paper.stamp(0) + 8 * S - 2));
        paper.yes(call, tenure).at(15 * S - 1).takesOver(1, "b", 2, 10 * S);

        assertThat(paper.broken()).containsExactly(G1);
    }

    @Test
    void theClaimersClockCountsAndNotTrueTime() {
        Paper slow = new Paper(true, -1_000_000, 1_000_000, 0);
        slow.at(0).claims(0, "a", 1, 999_000_000, 998_999_999);
        slow.at(S).takesOver(1, "b", 2, 10 * S);
        Paper slower = new Paper(true, -1_000_000, 1_000_000, 0);
        slower.at(0).claims(0, "a", 1, 999_000_000, 998_999_998);
        slower.at(S - 1).takesOver(1, "b", 2, 10 * S);

        assertThat(slow.broken()).isEmpty();
        assertThat(slower.broken()).containsExactly(G1);
    }

    @Test
    void whatItsHolderReleasedMayBeClaimedAtOnce() {
        HeldTenure tenure = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        paper.at(6 * S).release(0, tenure);
        paper.claims(1, "b", 2, 10 * S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void aReleaseOfAnotherTenureIsNoReason() {
        HeldTenure first = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        paper.at(6 * S).release(0, first);
        HeldTenure second = paper.at(7 * S).claims(0, "a", 2, 10 * S);
        paper.believes(0, second, 17 * S);
        int late = paper.at(8 * S).call(0, Kind.RELEASE, null, first, 0);
        paper.store(paper.engine(0, late), paper.row(0, null, 2, paper.stamp(0), null));

        assertThat(paper.broken()).contains(G1);
    }

    @Test
    void anOperatorMayEndATenure() {
        paper.at(5 * S).claims(0, "a", 1, 10 * S);
        int forced = paper.at(6 * S).call(1, Kind.FORCE_EXPIRE, null, null, 0);
        paper.store(paper.engine(1, forced), paper.row(1, null, 2, paper.stamp(1), null));

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void whatWasRolledBackEndedNothing() {
        paper.at(5 * S).claims(0, "a", 1, 10 * S);
        long before = paper.version();
        paper.lag().at(15 * S - 1).store(paper.engine(1, -1), paper.row(1, "b", 2, paper.stamp(1), paper.stamp(1) + S));
        paper.rollBack(before);

        assertThat(paper.broken()).doesNotContain(G1);
    }

    // ---- extensions ----

    @Test
    void anExtensionPromisesFromItsOwnStart() {
        HeldTenure tenure = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        paper.at(6 * S).extend(0, tenure, 10 * S, paper.stamp(0) + 10 * S);
        paper.at(16 * S + 1).takesOver(1, "b", 2, 10 * S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void anExtensionOfWhichTooLittleIsStoredIsBrokenWhenItIsAnswered() {
        HeldTenure tenure = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        paper.at(6 * S).extend(0, tenure, 10 * S, paper.stamp(0) + 10 * S - 1);

        assertThat(paper.broken()).containsExactly(G2);
    }

    @Test
    void anExtensionWithoutAWriteMayRestOnTheWriteBefore() {
        HeldTenure tenure = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        int call = paper.at(6 * S).call(0, Kind.EXTEND, null, tenure, 9 * S);
        paper.yes(call, tenure).at(15 * S + 1).takesOver(1, "b", 2, S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void anExtensionWithoutAWriteThatRestsOnTooLittleIsBroken() {
        HeldTenure tenure = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        int call = paper.at(6 * S).call(0, Kind.EXTEND, null, tenure, 9 * S + 2);
        paper.yes(call, tenure).at(15 * S + 1).takesOver(1, "b", 2, S);

        assertThat(paper.broken()).containsExactly(G2, G2);
    }

    @Test
    void whenAnExtensionHasRunTheAskedTimeATakingBreaksItNoMore() {
        HeldTenure tenure = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        int call = paper.at(6 * S).call(0, Kind.EXTEND, null, tenure, 9 * S + 1);
        paper.yes(call, tenure).at(15 * S + 1).takesOver(1, "b", 2, S);

        // Too little was stored for it, and that is all.
        assertThat(paper.verdict().violations()).singleElement().satisfies(violation -> {
            assertThat(violation.promise()).isEqualTo(G2);
            assertThat(violation.atNanos()).isEqualTo(6 * S);
        });
    }

    @Test
    void theStoredTermNeverShrinks() {
        HeldTenure tenure = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        long expiryNanos = paper.stamp(0) + 10 * S;
        paper.at(6 * S).extend(0, tenure, S, expiryNanos);
        assertThat(paper.broken()).isEmpty();

        paper.at(7 * S).extend(0, tenure, S, expiryNanos - 1);
        assertThat(paper.broken()).containsExactly(G2);
    }

    @Test
    void anotherEngineMustNotShortenTheTermByItsOwnClock() {
        HeldTenure tenure = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        paper.at(6 * S).extend(1, tenure, S, paper.stamp(1) + 9 * S);
        assertThat(paper.broken()).isEmpty();

        Paper other = new Paper();
        tenure = other.at(5 * S).claims(0, "a", 1, 10 * S);
        other.at(6 * S).extend(1, tenure, S, other.stamp(1) + 9 * S - 1);
        assertThat(other.broken()).containsExactly(G2);
    }

    // ---- taking ----

    @Test
    void aLeaseMayBeTakenANanosecondAfterItsWritersClockShowsTheExpiry() {
        paper.at(5 * S).claims(0, "a", 1, 10 * S, 12 * S);
        paper.at(17 * S + 1).takesOver(1, "b", 2, S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void aLeaseTakenWhenItsWritersClockShowsTheExpiryIsTakenTooEarly() {
        paper.at(5 * S).claims(0, "a", 1, 10 * S, 12 * S);
        paper.at(17 * S).takesOver(1, "b", 2, S);

        assertThat(paper.verdict().violations()).singleElement().satisfies(violation -> {
            assertThat(violation.promise()).isEqualTo(G3);
            assertThat(violation.sentence())
                    .contains(
                            "until 17.000000000 s",
                            "m1 took the lease at 17.000000000 s, "
                                    + "when m0's clock had run 12.000000000 s since the stamp of that write");
        });
    }

    @Test
    void aClockThatShowsTheExpiryAndHasRunAFractionFurtherIsPastIt() {
        Paper whole = new Paper(true, -1_000_000, 0, 0);
        whole.at(0).claims(0, "a", 1, 999_000_000);
        whole.at(S).takesOver(1, "b", 2, S);
        // It shows 0.999000001 s first after 1.000000002 s, when it has run 0.998 ns more.
        Paper further = new Paper(true, -1_000_000, 0, 0);
        further.at(0).claims(0, "a", 1, 999_000_001);
        further.at(S + 2).takesOver(1, "b", 2, S);

        assertThat(whole.broken()).containsExactly(G3);
        assertThat(further.broken()).isEmpty();
    }

    @Test
    void aClockThatHasRunAFractionAndDoesNotShowTheExpiryIsNotPastIt() {
        Paper fraction = new Paper(true, -1_000_000, 0, 0);
        fraction.at(0).claims(0, "a", 1, 999_000_000, 999_000_001);
        fraction.at(S + 1).takesOver(1, "b", 2, S);

        assertThat(fraction.broken()).containsExactly(G3);
    }

    @Test
    void anExpiryByWriteIsATakingToo() {
        paper.at(5 * S).claims(0, "a", 1, 10 * S, 12 * S);
        int call = paper.at(17 * S).call(1, Kind.EXPIRE, null, null, 0);
        paper.store(paper.engine(1, call), paper.row(1, null, 1, paper.stamp(1), null));

        assertThat(paper.broken()).containsExactly(G3);
    }

    @Test
    void theLastWritersClockCounts() {
        Paper skewed = new Paper(true, 1_000_000, -1_000_000, 0);
        HeldTenure tenure = skewed.at(0).claims(0, "a", 1, S);
        skewed.extend(1, tenure, S, skewed.stamp(1) + 1_998_000_000);
        skewed.at(2 * S).takesOver(2, "b", 2, S);
        Paper later = new Paper(true, 1_000_000, -1_000_000, 0);
        tenure = later.at(0).claims(0, "a", 1, S);
        later.extend(1, tenure, S, later.stamp(1) + 1_998_000_000);
        later.at(2 * S + 1).takesOver(2, "b", 2, S);

        assertThat(skewed.broken()).containsExactly(G3);
        assertThat(later.broken()).isEmpty();
    }

    @Test
    void aWriterIsCreditedWithTheTimeForWhichItWasSuspendedSinceItsWrite() {
        paper.at(5 * S).sends(0).claims(0, "a", 1, 10 * S);
        paper.at(6 * S).suspend(0, 5 * S);
        paper.at(15 * S + 1).takesOver(1, "b", 2, S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void aWriterIsCreditedWithNoMoreThanTheTimeForWhichItWasSuspended() {
        paper.at(5 * S).sends(0).claims(0, "a", 1, 10 * S);
        paper.at(6 * S).suspend(0, 5 * S);
        paper.at(15 * S).takesOver(1, "b", 2, S);

        assertThat(paper.broken()).containsExactly(G3);
    }

    @Test
    void aClaimIsCreditedWithTheSuspendsSinceItsOwnWriteEvenIfAShorterTermFollowed() {
        HeldTenure tenure = paper.at(5 * S).sends(0).claims(0, "a", 1, 10 * S);
        paper.at(6 * S).suspend(0, 8 * S);
        paper.at(7 * S).sends(1).extend(1, tenure, S, paper.stamp(1) + 8 * S);
        paper.at(14 * S).sends(0).extend(0, tenure, S, paper.stamp(0) + S);
        paper.at(15 * S + 1).takesOver(1, "b", 2, S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void anExtensionThatNeededNoWriteIsCreditedWithTheSuspendsSinceItWasAsked() {
        HeldTenure tenure = paper.at(5 * S).sends(0).claims(0, "a", 1, 10 * S);
        paper.at(6 * S).sends(1).extend(1, tenure, S, paper.stamp(1) + 10 * S);
        paper.at(7 * S).yes(paper.call(0, Kind.EXTEND, null, tenure, 8 * S), tenure);
        paper.at(8 * S).suspend(0, 5 * S);
        paper.at(14 * S).sends(0).extend(0, tenure, S, paper.stamp(0) + 3 * S);
        paper.at(17 * S + 1).takesOver(1, "b", 2, S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void aWriterIsNotCreditedWithTimeBeforeItsLastWrite() {
        HeldTenure tenure = paper.at(5 * S).sends(0).claims(0, "a", 1, 10 * S);
        paper.at(6 * S).suspend(0, 5 * S);
        paper.at(11 * S + 100).sends(0).extend(0, tenure, 10 * S, paper.stamp(0) + 10 * S);
        paper.at(21 * S + 100).takesOver(1, "b", 2, S);

        assertThat(paper.broken()).containsExactly(G3);
    }

    @Test
    void aStampThatIsAheadOfTheClockPromisesNoMoreThanTheReading() {
        paper.at(5 * S).sends(0);
        int call = paper.call(0, Kind.CLAIM, "a", null, 10 * S);
        HeldTenure tenure = new HeldTenure(Paper.LEASE, "a", 1);
        paper.store(paper.engine(0, call), paper.row(0, "a", 1, paper.stamp(0) + 2, paper.stamp(0) + 2 + 10 * S))
                .yes(call, tenure);
        paper.at(15 * S + 1).takesOver(1, "b", 2, S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void anEngineMayTakeBackWhatItWasAskedToGiveUp() {
        HeldTenure tenure = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        int release = paper.at(6 * S).call(0, Kind.RELEASE, null, tenure, 0);
        paper.unknown(release).takesOver(0, "a", 2, 10 * S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void whatWasGivenUpThroughOneEngineIsNotFreeForAnother() {
        HeldTenure tenure = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        int release = paper.at(6 * S).call(0, Kind.RELEASE, null, tenure, 0);
        paper.unknown(release).takesOver(1, "b", 2, 10 * S);

        assertThat(paper.broken()).containsExactly(G3);
    }

    @Test
    void outsideOfTheConditionsItIsOnlyCounted() {
        Paper outside = new Paper(false, 0, 0, 0);
        outside.at(5 * S).claims(0, "a", 1, 10 * S);
        outside.at(6 * S).takesOver(1, "b", 2, S);

        assertThat(outside.broken()).isEmpty();
        assertThat(outside.verdict().reached()).containsEntry("BROKEN_OUTSIDE", 2L);
    }

    @Test
    void aSecondTenureThatAnOperatorEndsIsNoExcuseForTheFirst() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 10 * S, 2 * S);
        paper.believes(0, a, 7 * S).at(6 * S).believes(0, a, 15 * S);
        HeldTenure b = paper.at(8 * S).takesOver(1, "b", 2, 10 * S);
        paper.believes(1, b, 18 * S);
        int forced = paper.at(9 * S).call(2, Kind.FORCE_EXPIRE, null, null, 0);
        paper.store(paper.engine(2, forced), paper.row(2, null, 3, paper.stamp(2), null))
                .yes(forced, null);

        assertThat(paper.broken()).contains(T2);
    }

    @Test
    void aTermIsNeverMadeASession() {
        HeldTenure a = paper.at(5 * S).beats(0).claims(0, "a", 1, 10 * S);
        paper.at(6 * S).store(paper.engine(0, -1), paper.row(0, a.holder(), 1, paper.stamp(0), null));

        assertThat(paper.broken()).contains(G2);
    }
}
