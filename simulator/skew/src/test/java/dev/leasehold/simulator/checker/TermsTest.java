package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G1;
import static dev.leasehold.simulator.checker.Guarantee.G2;
import static dev.leasehold.simulator.checker.Guarantee.G3;
import static dev.leasehold.simulator.checker.Guarantee.G8;
import static dev.leasehold.simulator.checker.HistoryBuilder.S;
import static dev.leasehold.simulator.checker.HistoryBuilder.SESSION;
import static dev.leasehold.simulator.checker.HistoryBuilder.tenure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Terms, sessions and the time for which a lease is kept free, at their nanosecond: G1, G2 and G3. */
class TermsTest {

    private final HistoryBuilder history = new HistoryBuilder();

    // ---- TermInvariant ----

    @Test
    void claimIsKeptUntilItsClockHasRunTheAskedTime() {
        history.at(5 * S).claims(0, "a", 1, 10 * S, 10 * S - 1);
        history.at(15 * S).takesOver(1, "b", 2, 10 * S);

        assertThat(history.broken()).isEmpty();
    }

    @Test
    void claimThatIsEndedNanosecondEarlierIsBroken() {
        history.at(5 * S).claims(0, "a", 1, 10 * S, 10 * S - 2);
        history.at(15 * S - 1).takesOver(1, "b", 2, 10 * S);

        assertThat(history.verdict().violations()).singleElement().satisfies(violation -> {
            assertThat(violation.guarantee()).isEqualTo(G1);
            assertThat(violation.atNanos()).isEqualTo(15 * S - 1);
            assertThat(violation.lease()).isEqualTo(HistoryBuilder.LEASE);
            assertThat(violation.sentence()).contains("until 15.000000000 s", "m1 ended it at 14.999999999 s");
        });
    }

    @Test
    void claimersClockCountsAndNotTrueTime() {
        HistoryBuilder slow = new HistoryBuilder(true, -1_000_000, 1_000_000, 0);
        slow.at(0).claims(0, "a", 1, 999_000_000, 998_999_999);
        slow.at(S).takesOver(1, "b", 2, 10 * S);
        assertThat(slow.broken()).isEmpty();

        HistoryBuilder early = new HistoryBuilder(true, -1_000_000, 1_000_000, 0);
        early.at(0).claims(0, "a", 1, 999_000_000, 998_999_998);
        early.at(S - 1).takesOver(1, "b", 2, 10 * S);
        assertThat(early.broken()).containsExactly(G1);
    }

    @Test
    void extensionPromisesFromItsOwnCall() {
        HeldTenure a = history.at(5 * S).claims(0, "a", 1, S);
        history.at(5 * S + 1).extend(0, a, 9 * S, history.stamp(0) + 9 * S);
        history.at(14 * S + 2).takesOver(1, "b", 2, 10 * S);
        assertThat(history.broken()).isEmpty();

        HistoryBuilder early = new HistoryBuilder();
        HeldTenure other = early.at(5 * S).claims(0, "a", 1, S);
        early.at(5 * S + 1).extend(0, other, 9 * S, early.stamp(0) + 9 * S - 2);
        early.at(14 * S).takesOver(1, "b", 2, 10 * S);
        assertThat(early.broken()).containsExactly(G2, G2);
    }

    @Test
    void tenureThatItsHolderReleasedMayBeClaimedAtOnce() {
        HeldTenure a = history.at(5 * S).claims(0, "a", 1, 10 * S);
        history.at(6 * S).release(0, a);
        history.at(6 * S).claims(1, "b", 2, 10 * S);

        assertThat(history.broken()).isEmpty();
    }

    @Test
    void handleThatIsOpenReleasesNothing() {
        int first = history.at(5 * S).acquires(0, "a", 1);
        int second = history.call(0, new Operation(Kind.ACQUIRE, HistoryBuilder.LEASE, "a", null, SESSION, true));
        history.holds(0, tenure("a", 1), 15 * S).yes(second, tenure("a", 1));
        int close = history.at(6 * S).closing(0, first, tenure("a", 1));
        history.yes(close, null).vacates(0, 1);

        assertThat(history.broken()).contains(G3);
    }

    @Test
    void lastHandleReleasesTheTenure() {
        int handle = history.at(5 * S).acquires(0, "a", 1);
        history.holds(0, tenure("a", 1), 15 * S);
        int close = history.at(6 * S).closing(0, handle, tenure("a", 1));
        history.holdsNoMore(0, tenure("a", 1)).vacates(0, 1).yes(close, null);

        assertThat(history.broken()).isEmpty();
    }

    @Test
    void outsideOfTheAssumptionsItIsOnlyCounted() {
        HistoryBuilder outside = new HistoryBuilder(false, 0, 0, 0);
        outside.at(5 * S).claims(0, "a", 1, 10 * S);
        outside.at(6 * S).takesOver(1, "b", 2, 10 * S);

        assertThat(outside.broken()).isEmpty();
        assertThat(outside.verdict().reached()).containsEntry("BROKEN_OUTSIDE", 2L);
    }

    // ---- ExpiryInvariant ----

    @Test
    void leaseIsTakenNanosecondAfterItsExpiry() {
        history.at(5 * S).claims(0, "a", 1, S, 10 * S);
        history.at(15 * S + 1).takesOver(1, "b", 2, 10 * S);

        assertThat(history.broken()).isEmpty();
    }

    @Test
    void leaseIsNotTakenAtItsExpiry() {
        history.at(5 * S).claims(0, "a", 1, S, 10 * S);
        history.at(15 * S).takesOver(1, "b", 2, 10 * S);

        assertThat(history.broken()).containsExactly(G3);
    }

    @Test
    void timeOfSuspendedMachineCountsAsRun() {
        history.at(5 * S).claims(0, "a", 1, 10 * S);
        history.at(6 * S).suspend(0, 5 * S);
        history.at(15 * S + 1).takesOver(1, "b", 2, 10 * S);
        assertThat(history.broken()).isEmpty();

        HistoryBuilder before = new HistoryBuilder();
        before.at(6 * S).suspend(0, 5 * S);
        before.at(12 * S).claims(0, "a", 1, 10 * S);
        before.at(17 * S + 1).takesOver(1, "b", 2, 10 * S);
        assertThat(before.broken()).containsExactlyInAnyOrder(G1, G3);
    }

    @Test
    void sessionIsEndedNanosecondAfterItsEnd() {
        history.at(5 * S).acquires(0, "a", 1);
        history.at(15 * S + 1).evicts(1, 0).claims(1, "b", 2, 10 * S);

        assertThat(history.broken()).isEmpty();
    }

    @Test
    void sessionIsNotEndedAtItsEnd() {
        history.at(5 * S).acquires(0, "a", 1);
        history.at(15 * S).evicts(1, 0);

        assertThat(history.broken()).containsExactly(G3);
    }

    @Test
    void leaseOfLivingSessionIsNotTaken() {
        history.at(5 * S).acquires(0, "a", 1);
        history.at(14 * S).takesOver(1, "b", 2, 10 * S);

        assertThat(history.broken()).containsExactly(G3);
    }

    @Test
    void engineMayEndItsOwnSession() {
        history.at(5 * S).acquires(0, "a", 1);
        history.at(6 * S).call(0, new Operation(Kind.CLOSE_ENGINE, null, null, null, 0, false));
        history.entry(history.engine(0), 0, null, null).claims(1, "b", 2, 10 * S);

        assertThat(history.broken()).isEmpty();
    }

    @Test
    void vacantLeaseIsTakenNanosecondAfterTheTimeForWhichItIsKeptFree() {
        assertThat(takenWhenKeptFreeUntil(20 * S, 20 * S + 1).broken()).isEmpty();
        assertThat(takenWhenKeptFreeUntil(20 * S, 20 * S).broken()).containsExactly(G3);
    }

    private static HistoryBuilder takenWhenKeptFreeUntil(long untilNanos, long takenNanos) {
        HistoryBuilder history = new HistoryBuilder();
        HeldTenure a = history.at(5 * S).claims(0, "a", 1, 2 * S);
        int release = history.at(6 * S).call(0, Kind.RELEASE, null, a, 0);
        long expiryNanos = history.stamp(0) + untilNanos - 6 * S;
        history.store(history.engine(0), history.row(0, null, 1, expiryNanos)).yes(release, a);
        history.at(takenNanos).claims(1, "b", 2, S);
        return history;
    }

    // ---- NeverShorterInvariant ----

    @Test
    void extensionElsewhereCarriesThePromiseOver() {
        HeldTenure a = history.at(5 * S).claims(0, "a", 1, 10 * S);
        history.at(6 * S).extend(1, a, S, history.stamp(1) + 9 * S);
        assertThat(history.broken()).isEmpty();

        HistoryBuilder shorter = new HistoryBuilder();
        a = shorter.at(5 * S).claims(0, "a", 1, 10 * S);
        shorter.at(6 * S).extend(1, a, S, shorter.stamp(1) + 9 * S - 1);
        assertThat(shorter.broken()).containsExactly(G2);
    }

    @Test
    @DisplayName(
            "The clock of a holder counts as having come as far as its stamps, which are a nanosecond apart at least")
    void extensionElsewhereRestsOnStampsThatAreAhead() {
        assertThat(extendedElsewhere(1).broken()).isEmpty();
        assertThat(extendedElsewhere(2).broken()).containsExactly(G2);
    }

    /** The holder writes two stamps within one nanosecond. */
    private static HistoryBuilder extendedElsewhere(long shorterNanos) {
        HistoryBuilder history = new HistoryBuilder();
        HeldTenure a = history.at(5 * S).claims(0, "a", 1, 10 * S);
        history.entry(history.engine(0), 0, history.stamp(0) + 1, null);
        history.at(6 * S).extend(1, a, S, history.stamp(1) + 9 * S - shorterNanos);
        return history;
    }

    @Test
    void ownExtensionStoresNoLess() {
        HeldTenure a = history.at(5 * S).claims(0, "a", 1, 10 * S);
        history.at(6 * S).extend(0, a, S, history.stamp(0) + 9 * S - 1);

        assertThat(history.broken()).containsExactly(G2);
    }

    @Test
    void termStaysTerm() {
        HeldTenure a = history.at(5 * S).claims(0, "a", 1, 10 * S);
        int call = history.at(6 * S).call(0, Kind.EXTEND, null, a, S);
        history.beats(0).store(history.engine(0), history.row(0, "a", 1, null)).yes(call, a);

        assertThat(history.broken()).containsExactly(G2);
    }

    // ---- releases that are none ----

    @Test
    void releaseOfAnotherTenureIsNoReason() {
        HeldTenure first = history.at(5 * S).claims(0, "a", 1, 10 * S);
        history.at(6 * S).release(0, first);
        HeldTenure second = history.at(7 * S).claims(0, "a", 2, 10 * S);
        history.holds(0, second, 17 * S);
        int late = history.at(8 * S).call(0, Kind.RELEASE, null, first, 0);
        history.vacates(0, 2).yes(late, first);

        assertThat(history.broken()).contains(G1, G8);
    }

    @Test
    void engineMayBeginAnewWhatItWasAskedToReleaseInVain() {
        HeldTenure a = history.at(5 * S).claims(0, "a", 1, 10 * S);
        int release = history.at(6 * S).call(0, Kind.RELEASE, null, a, 0);
        history.at(8 * S).no(release, "LeaseContentionException");
        int acquire = history.at(9 * S).call(0, Kind.ACQUIRE, "a", null, 10 * S);
        history.store(history.engine(0), history.row(0, "a", 2, history.stamp(0) + 10 * S))
                .yes(acquire, tenure("a", 2));

        assertThat(history.broken()).isEmpty();
    }
}
