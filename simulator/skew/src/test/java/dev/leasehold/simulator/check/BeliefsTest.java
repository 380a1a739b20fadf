package dev.leasehold.simulator.check;

import static dev.leasehold.simulator.check.Paper.S;
import static dev.leasehold.simulator.check.Promise.G2;
import static dev.leasehold.simulator.check.Promise.G8;
import static dev.leasehold.simulator.check.Promise.T2;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import org.junit.jupiter.api.Test;

/** No two holders believe at the same instant, and nobody believes without being told. */
class BeliefsTest {

    private final Paper paper = new Paper();

    @Test
    void oneMayBeginToBelieveWhenTheOtherOneEnds() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 10 * S, 10 * S - 1);
        paper.believes(0, a, 15 * S);
        HeldTenure b = paper.at(15 * S).takesOver(1, "b", 2, 10 * S);
        paper.believes(1, b, 25 * S);

        assertThat(paper.broken()).doesNotContain(T2);
    }

    @Test
    void aNanosecondInWhichBothBelieveIsTooMuch() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 10 * S, 10 * S - 1);
        paper.believes(0, a, 15 * S).at(6 * S).doubts(0, a).believes(0, a, 15 * S + 1);
        HeldTenure b = paper.at(15 * S).takesOver(1, "b", 2, 10 * S);
        paper.believes(1, b, 25 * S);

        assertThat(paper.verdict().violations()).anySatisfy(violation -> {
            assertThat(violation.promise()).isEqualTo(T2);
            assertThat(violation.atNanos()).isEqualTo(15 * S);
            assertThat(violation.sentence()).contains("to 15.000000001 s", "on m1 from 15.000000000 s on");
        });
    }

    @Test
    void twoHoldersOnOneMachineCountToo() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        paper.believes(0, a, 15 * S);
        HeldTenure b = paper.at(15 * S - 1).takesOver(0, "b", 2, 10 * S);
        paper.believes(0, b, 25 * S);

        assertThat(paper.broken()).contains(T2);
    }

    @Test
    void twoEnginesOfOneHolderMayBelieveInOneTenure() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        paper.believes(0, a, 15 * S);
        paper.at(6 * S).extend(1, a, 10 * S, paper.stamp(1) + 10 * S).believes(1, a, 16 * S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void doubtEndsABelief() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        paper.believes(0, a, 15 * S).at(7 * S).doubts(0, a).release(0, a);
        HeldTenure b = paper.claims(1, "b", 2, 10 * S);
        paper.believes(1, b, 17 * S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void whatAPausedMachineWouldSayIsNobodysBelief() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 10 * S, 2 * S);
        paper.believes(0, a, 15 * S).at(7 * S).fault(0, "PAUSE", 20 * S);
        HeldTenure b = paper.takesOver(1, "b", 2, 10 * S);
        paper.believes(1, b, 17 * S);

        assertThat(paper.broken()).doesNotContain(T2);
    }

    @Test
    void aBeliefEndsWithItsEngine() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 10 * S, 2 * S);
        paper.believes(0, a, 15 * S).at(7 * S).crash(0);
        HeldTenure b = paper.takesOver(1, "b", 2, 10 * S);
        paper.believes(1, b, 17 * S);

        assertThat(paper.broken()).doesNotContain(T2);
    }

    @Test
    void aReleaseThroughAnotherEngineIsTheCallersDuty() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        paper.believes(0, a, 15 * S).at(6 * S).release(1, a);
        HeldTenure b = paper.at(7 * S).claims(2, "b", 2, 10 * S);
        paper.believes(2, b, 17 * S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void aForcedExpiryIsTheOperatorsDuty() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        int forced = paper.believes(0, a, 15 * S).at(6 * S).call(1, Kind.FORCE_EXPIRE, null, null, 0);
        paper.store(paper.engine(1, forced), paper.row(1, null, 2, paper.stamp(1), null));
        HeldTenure b = paper.at(7 * S).claims(2, "b", 3, 10 * S);
        paper.believes(2, b, 17 * S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void outsideOfTheConditionsOverlapsAreCounted() {
        Paper outside = new Paper(false, 0, 0, 0);
        HeldTenure a = outside.at(5 * S).claims(0, "a", 1, 10 * S);
        outside.believes(0, a, 15 * S);
        HeldTenure b = outside.at(14 * S).takesOver(1, "b", 2, 10 * S);
        outside.believes(1, b, 24 * S);

        assertThat(outside.verdict().violations()).isEmpty();
        assertThat(outside.verdict().overlaps()).isEqualTo(1);
        assertThat(outside.verdict().reached()).containsEntry("OVERLAP", 1L);
    }

    // ---- nobody believes without being told ----

    @Test
    void anUnknownClaimFormsNoBelief() {
        int call = paper.at(5 * S).call(0, Kind.CLAIM, "a", null, 10 * S);
        paper.store(paper.engine(0, call), paper.row(0, "a", 1, paper.stamp(0), paper.stamp(0) + 10 * S));
        HeldTenure a = new HeldTenure(Paper.LEASE, "a", 1);
        paper.unknown(call);
        assertThat(paper.broken()).isEmpty();

        paper.at(6 * S).believes(0, a, 15 * S);
        assertThat(paper.broken()).containsExactly(G8);
    }

    @Test
    void aTermIsBelievedNoLongerThanItWasAskedFor() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        paper.believes(0, a, 15 * S);
        assertThat(paper.broken()).isEmpty();

        int extend = paper.at(6 * S).call(0, Kind.EXTEND, null, a, 30 * S);
        paper.unknown(extend).believes(0, a, 15 * S + 1);
        assertThat(paper.broken()).containsOnly(G8);
    }

    @Test
    void anExtendedBeliefMayLastUntilTheEndOfTheExtension() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        paper.believes(0, a, 15 * S)
                .at(6 * S)
                .extend(0, a, 10 * S, paper.stamp(0) + 10 * S)
                .believes(0, a, 16 * S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void whoWasToldForHowLongIsNotToldLess() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        paper.believes(0, a, 15 * S)
                .at(6 * S)
                .extend(0, a, 2 * S, paper.stamp(0) + 9 * S)
                .believes(0, a, 15 * S - 1_000_000);
        assertThat(paper.broken()).isEmpty();

        paper.at(7 * S).believes(0, a, 9 * S);
        assertThat(paper.broken()).containsExactly(G2);
    }

    @Test
    void whoseTimeOfDayHasGoneOnIsToldLess() {
        HeldTenure a = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        paper.believes(0, a, 15 * S).at(7 * S).fault(0, "WALL_STEP", 0).believes(0, a, 9 * S);

        assertThat(paper.broken()).isEmpty();
    }
}
