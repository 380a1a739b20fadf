package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G1;
import static dev.leasehold.simulator.checker.Guarantee.G2;
import static dev.leasehold.simulator.checker.Guarantee.G3;
import static dev.leasehold.simulator.checker.Guarantee.G8;
import static dev.leasehold.simulator.checker.Guarantee.LIM;
import static dev.leasehold.simulator.checker.HistoryBuilder.LEASE;
import static dev.leasehold.simulator.checker.HistoryBuilder.S;
import static dev.leasehold.simulator.checker.HistoryBuilder.SESSION;
import static dev.leasehold.simulator.checker.HistoryBuilder.heldBy;
import static dev.leasehold.simulator.checker.HistoryBuilder.tenure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What callers are told, against what the database had: G8. */
class AnswersTest {

    private static final HeldTenure A = tenure("a", 1);

    private final HistoryBuilder history = new HistoryBuilder();

    private int claim(long atNanos, String holder) {
        return history.at(atNanos).call(0, Kind.CLAIM, holder, null, S);
    }

    /** What the claim asked for is stored. */
    private HistoryBuilder lands() {
        return history.store(history.engine(0), history.row(0, "a", 1, history.stamp(0) + S));
    }

    @Nested
    class Yes {

        @Test
        void isTrueWhenMajorityHasIt() {
            int call = claim(S, "a");
            history.lags();
            lands().at(2 * S).majorityHasAll().yes(call, A);

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void isUntrueBeforeMajorityHasIt() {
            int call = claim(S, "a");
            history.lags();
            lands().at(2 * S).yes(call, A).at(2 * S + 1).majorityHasAll();

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void isUntrueAboutWhatIsTakenBack() {
            int call = claim(S, "a");
            history.lags();
            lands().yes(call, A).at(2 * S).rollsBack(0);

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void isUntrueAboutWhatBeganBefore() {
            history.at(S).claims(0, "a", 1, 9 * S);
            history.yes(claim(2 * S, "a"), A);

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void isForTheHolderThatAsked() {
            int call = claim(S, "b");
            lands().yes(call, A);

            assertThat(history.broken()).contains(G8);
        }

        @Test
        void claimBeginsOnlyWhatWasNotHeld() {
            history.at(S).claims(0, "a", 1, S);
            history.at(6 * S).claims(0, "b", 2, S);

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void takeOverBeginsOnlyWhatWasHeld() {
            history.at(S).takesOver(0, "a", 1, S);

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void leaseOfEndedSessionIsClaimed() {
            history.at(S).acquires(0, "a", 1);
            history.at(20 * S).evicts(1, 0).claims(1, "b", 2, S);

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void furtherHandleIsOfWhatItsEngineHolds() {
            assertThat(furtherHandleAt(15 * S).broken()).isEmpty();
            assertThat(furtherHandleAt(15 * S + 1).broken()).containsExactly(G8);
        }

        private HistoryBuilder furtherHandleAt(long atNanos) {
            HistoryBuilder builder = new HistoryBuilder();
            builder.at(5 * S).acquires(0, "a", 1);
            builder.holds(0, A, 15 * S);
            int call = builder.at(atNanos).call(0, new Operation(Kind.ACQUIRE, LEASE, "a", null, SESSION, true));
            return builder.yes(call, A);
        }

        @Test
        void furtherHandleIsOfWhatItsEngineHeldBeforeItWasStopped() {
            assertThat(furtherHandleOfTermAt(11 * S - 1).broken()).isEmpty();
            assertThat(furtherHandleOfTermAt(11 * S).broken()).containsExactly(G8);
        }

        private HistoryBuilder furtherHandleOfTermAt(long atNanos) {
            HistoryBuilder builder = new HistoryBuilder();
            builder.at(S).claims(0, "a", 1, 10 * S);
            int call = builder.at(atNanos).call(0, new Operation(Kind.ACQUIRE, LEASE, "a", null, SESSION, true));
            return builder.at(20 * S).yes(call, A);
        }

        @Test
        void extensionNeedsNoWriteWhereEnoughIsStored() {
            history.at(S).claims(0, "a", 1, 10 * S);
            int enough = history.at(2 * S).call(0, Kind.EXTEND, null, A, 9 * S);
            history.yes(enough, A);
            assertThat(history.broken()).isEmpty();

            int tooLong = history.call(0, Kind.EXTEND, null, A, 9 * S + 1);
            history.yes(tooLong, A);
            assertThat(history.broken()).containsExactly(G2);
        }

        @Test
        void extensionFindsTheTenureInItsCall() {
            history.at(S).claims(0, "a", 1, 10 * S);
            int inTime = history.at(2 * S).call(0, Kind.EXTEND, null, A, S);
            history.release(0, A).at(3 * S).yes(inTime, A);
            assertThat(history.broken()).isEmpty();

            int late = history.call(0, Kind.EXTEND, null, A, S);
            history.yes(late, A);
            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void releaseHasEndedTheTenure() {
            history.at(S).claims(0, "a", 1, 10 * S);
            int call = history.at(2 * S).call(0, Kind.RELEASE, null, A, 0);
            history.yes(call, A);

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void forcedExpiryMovesTheTokenOn() {
            history.at(S).claims(0, "a", 1, 10 * S);
            int call = history.at(2 * S).call(1, Kind.FORCE_EXPIRE, null, null, 0);
            history.vacates(1, 2).yes(call, A);
            assertThat(history.broken()).isEmpty();

            HistoryBuilder kept = new HistoryBuilder();
            kept.at(S).claims(0, "a", 1, 10 * S);
            int other = kept.at(2 * S).call(1, Kind.FORCE_EXPIRE, null, null, 0);
            kept.vacates(1, 1).yes(other, A);
            assertThat(kept.broken()).contains(G8);
        }

        @Test
        void callersTransactionHasCommitted() {
            history.at(S).claims(0, "a", 1, 10 * S);
            int call = history.call(0, Kind.GATE, null, A, 0);
            history.yes(call, null);

            assertThat(history.broken()).containsExactly(G8);
        }
    }

    @Nested
    class No {

        @Test
        void neverLandsLater() {
            int call = claim(S, "a");
            history.no(call, "LeaseUnavailableException").at(30 * S);
            lands();

            assertThat(history.verdict().violations()).singleElement().satisfies(violation -> {
                assertThat(violation.guarantee()).isEqualTo(G8);
                assertThat(violation.atNanos()).isEqualTo(30 * S);
            });
        }

        @Test
        void isUntrueAboutWhatLandedAndStands() {
            int call = claim(S, "a");
            lands().at(3 * S).no(call, "HELD", heldBy("a", 1));

            assertThat(history.broken()).contains(G8);
        }

        @Test
        void isTrueAboutWhatLandedAndIsOver() {
            int call = claim(S, "a");
            lands();
            history.at(4 * S).takesOver(1, "b", 2, S);
            history.at(5 * S).no(call, "HELD", heldBy("b", 2));

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void unknownMayLandLater() {
            int call = claim(S, "a");
            history.unknown(call).at(30 * S);
            lands();

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void resolutionIsTrue() {
            int call = claim(S, "a");
            lands().unknown(call).at(2 * S).resolved(call, Answer.Kind.NO, null);

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void nothingIsWrittenThatNoCallAskedFor() {
            history.at(S);
            lands();

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void acquisitionThatWasCancelledMayLand() {
            int call = history.at(S).call(0, Kind.ACQUIRE, "a", null, S);
            history.no(call, Answer.CANCELLED).at(2 * S);
            lands().at(3 * S).vacates(0, 1);

            assertThat(history.broken()).isEmpty();
        }

        private int acquire(long atNanos) {
            return history.at(atNanos).call(0, new Operation(Kind.ACQUIRE, LEASE, "a", null, SESSION, true));
        }

        @Test
        void releaseIsOwedForAnUnknownAcquisitionThatMayHaveLanded() {
            int unknown = acquire(S);
            history.at(2 * S).unknown(unknown);
            history.at(3 * S).beats(0).store(history.engine(0), history.row(0, "a", 1, null));
            history.at(4 * S).vacates(0, 1);

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void noReleaseIsOwedForAnUnknownAcquisitionThatBeganLater() {
            history.at(S).acquires(0, "a", 1);
            history.holds(0, A, 11 * S);
            int unknown = acquire(2 * S);
            history.at(3 * S).unknown(unknown);
            history.at(4 * S).vacates(0, 1);

            assertThat(history.broken()).isNotEmpty();
        }

        @Test
        void noReleaseIsOwedForAnUnknownAcquisitionThatWasResolvedAsNo() {
            int unknown = acquire(S);
            history.at(2 * S).unknown(unknown);
            history.at(3 * S).resolved(unknown, Answer.Kind.NO, null);
            history.at(5 * S).acquires(0, "a", 1);
            history.holds(0, A, 15 * S);
            history.at(6 * S).vacates(0, 1);

            assertThat(history.broken()).isNotEmpty();
        }

        @Test
        void noReleaseIsOwedForAnUnknownAcquisitionWhileAnotherHasTheHandle() {
            int unknown = acquire(S);
            history.at(2 * S).unknown(unknown);
            history.at(5 * S).acquires(0, "a", 1);
            history.holds(0, A, 15 * S);
            history.at(6 * S).vacates(0, 1);

            assertThat(history.broken()).isNotEmpty();
        }

        @Test
        void releaseThatWasRefusedEndsNothing() {
            history.at(S).claims(0, "a", 1, 10 * S);
            int call = history.at(2 * S).call(0, Kind.RELEASE, null, A, 0);
            history.no(call, "LeaseUnavailableException").at(3 * S).vacates(0, 1);

            assertThat(history.broken()).containsExactlyInAnyOrder(G1, G3, G8);
        }

        @Test
        void callersTransactionThatWasRefusedDoesNotCommit() {
            history.at(S).claims(0, "a", 1, 10 * S);
            int call = history.call(0, Kind.GATE, null, A, 0);
            history.gate(0, call, A, A).no(call, "MONGO_251");

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void engineIsClosedWhenItSaysSo() {
            int call = claim(S, "a");
            history.no(call, Answer.ENGINE_CLOSED);
            assertThat(history.broken()).containsExactly(G8);

            HistoryBuilder closed = new HistoryBuilder();
            int other = closed.at(S).call(0, Kind.CLAIM, "a", null, S);
            closed.call(0, new Operation(Kind.CLOSE_ENGINE, null, null, null, 0, false));
            closed.no(other, Answer.ENGINE_CLOSED);
            assertThat(closed.broken()).isEmpty();
        }
    }

    @Nested
    class ShownStates {

        @Test
        void refusalShowsWhatMajorityHadInTheCall() {
            HeldTenure b = history.at(S).claims(1, "b", 1, 9 * S);
            int call = claim(2 * S, "a");
            history.release(1, b).at(3 * S).no(call, "HELD", heldBy("b", 1));

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void refusalShowsNothingFromBeforeTheCall() {
            HeldTenure b = history.at(S).claims(1, "b", 1, 9 * S);
            history.at(2 * S - 1).release(1, b);
            history.at(3 * S).no(claim(2 * S, "a"), "HELD", heldBy("b", 1));

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void refusalShowsNothingThatMajorityHadLater() {
            history.lags().at(S).claims(1, "b", 1, 9 * S);
            int call = claim(2 * S, "a");
            history.at(3 * S).no(call, "HELD", heldBy("b", 1)).at(3 * S + 1).majorityHasAll();

            assertThat(history.verdict().violations())
                    .anyMatch(
                            violation -> violation.sentence().contains("lease-0 is held by b with token 1, and at no"));
        }

        @Test
        void reasonIsOneOfTheOperation() {
            history.at(S).claims(1, "b", 1, 9 * S);
            history.no(claim(2 * S, "a"), "NOT_EXPIRED", heldBy("b", 1));

            assertThat(history.broken()).containsExactly(G8);
        }

        private HistoryBuilder refusedThoughKeptFreeUntil11(long atNanos, String reason) {
            HistoryBuilder builder = new HistoryBuilder();
            HeldTenure b = builder.at(S).claims(1, "b", 1, 9 * S);
            int release = builder.at(2 * S).call(1, Kind.RELEASE, null, b, 0);
            builder.store(builder.engine(1), builder.row(1, null, 1, builder.stamp(1) + 9 * S))
                    .yes(release, b);
            int pin = builder.at(3 * S).call(1, Kind.PIN, "x", null, 0);
            builder.pinned(1, "x").yes(pin, null);
            int call = builder.at(atNanos).call(0, Kind.CLAIM, "a", null, S);
            return builder.no(call, reason, heldBy(null, 1));
        }

        @Test
        void whatIsPinnedAndKeptFreeIsNotRefusedForThePinAlone() {
            assertThat(refusedThoughKeptFreeUntil11(5 * S, "NOT_YET").broken()).isEmpty();
            assertThat(refusedThoughKeptFreeUntil11(5 * S, "PINNED").broken()).containsExactly(G8);
            assertThat(refusedThoughKeptFreeUntil11(11 * S, "PINNED").broken()).containsExactly(G8);
            assertThat(refusedThoughKeptFreeUntil11(11 * S + 1, "PINNED").broken())
                    .isEmpty();
        }

        @Test
        void takeOverIsRefusedForThePinOfWhatHasExpiredAlone() {
            assertThat(takeOverRefusedForThePin(5 * S, false).broken()).containsExactly(G8);
            assertThat(takeOverRefusedForThePin(10 * S + 1, true).broken()).isEmpty();
        }

        private HistoryBuilder takeOverRefusedForThePin(long atNanos, boolean expired) {
            HistoryBuilder builder = new HistoryBuilder();
            builder.at(S).claims(1, "b", 1, 9 * S);
            int pin = builder.at(2 * S).call(1, Kind.PIN, "x", null, 0);
            builder.pinned(1, "x").yes(pin, null);
            int call = builder.at(atNanos).call(0, Kind.TAKE_OVER, "a", null, S);
            return builder.no(call, "PINNED", heldBy("b", 1, expired, 10 * S));
        }

        @Test
        void reasonFitsTheState() {
            history.release(1, history.at(S).claims(1, "b", 1, 9 * S));
            history.no(claim(2 * S, "a"), "HELD", heldBy(null, 1));

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void listingLeavesNothingOut() {
            history.at(S).claims(1, "b", 1, 9 * S);
            int call = history.at(2 * S).call(0, new Operation(Kind.LIST, null, null, null, 0, false));
            history.at(3 * S).shows(call);
            assertThat(history.broken()).containsExactly(G8);

            int other = history.call(0, new Operation(Kind.LIST, null, null, null, 0, false));
            HistoryBuilder whole = new HistoryBuilder();
            whole.at(S).claims(1, "b", 1, 9 * S);
            assertThat(whole.call(0, new Operation(Kind.LIST, null, null, null, 0, false)))
                    .isLessThan(other);
            whole.shows(1, heldBy("b", 1));
            assertThat(whole.broken()).isEmpty();
        }

        @Test
        void listingIsInOrder() {
            int call = history.at(S).call(0, new Operation(Kind.LIST, null, null, null, 0, false));
            history.shows(call, shown("lease-2"), shown("lease-1"));

            assertThat(history.broken()).containsExactly(G8);
        }

        private Answer.Shown shown(String lease) {
            return new Answer.Shown(lease, null, 0, false, false, Long.MAX_VALUE);
        }
    }

    @Nested
    class ShownExpiry {

        /** A claim that is refused, of a lease that ends at 11 s. */
        private HistoryBuilder refused(long atNanos, String reason, boolean expired, long safeAfterNanos) {
            HistoryBuilder builder = new HistoryBuilder();
            builder.at(S).claims(1, "b", 1, 10 * S);
            int call = builder.at(atNanos).call(0, Kind.CLAIM, "a", null, S);
            return builder.no(call, reason, heldBy("b", 1, expired, safeAfterNanos))
                    .at(60 * S)
                    .ends();
        }

        @Test
        void latestExpiryIsNotEarly() {
            assertThat(refused(2 * S, "HELD", false, 11 * S).broken()).isEmpty();
            assertThat(refused(2 * S, "HELD", false, 11 * S - 1).broken()).containsExactly(G8);
        }

        @Test
        void latestExpiryIsNoFurtherAwayThanTheTerm() {
            long latestNanos = 2 * S + history.bounds().outlivedNanos(10 * S);
            assertThat(refused(2 * S, "HELD", false, latestNanos).broken()).isEmpty();
            assertThat(refused(2 * S, "HELD", false, latestNanos + 1).broken()).containsExactly(G8);
        }

        @Test
        void leaseIsShownAsExpiredWhenItIs() {
            assertThat(refused(11 * S + 1, "HELD_PAST_EXPIRY", true, 11 * S).broken())
                    .isEmpty();
            assertThat(refused(11 * S, "HELD_PAST_EXPIRY", true, 11 * S).broken())
                    .containsExactly(G8);
        }

        @Test
        void reasonGoesWithWhatIsShown() {
            assertThat(refused(12 * S, "HELD", true, 11 * S).broken()).containsExactly(G8);
        }
    }

    @Nested
    class Failures {

        @Test
        void nothingFailsUnexpectedly() {
            history.no(claim(S, "a"), "LeaseStoreException");

            assertThat(history.broken()).containsExactly(LIM);
        }

        @Test
        void damageIsToldWhereThereIsAny() {
            history.at(S).damage();
            history.no(claim(2 * S, "a"), "CorruptDocumentException");
            assertThat(history.broken()).isEmpty();

            HistoryBuilder sound = new HistoryBuilder();
            int call = sound.at(S).call(0, Kind.CLAIM, "a", null, S);
            sound.no(call, "CorruptDocumentException");
            assertThat(sound.broken()).containsExactly(G8);
        }

        @Test
        void clockAnomalyIsToldOutsideOfTheAssumptions() {
            history.no(claim(S, "a"), "ClockAnomalyException");
            assertThat(history.broken()).containsExactly(G8);

            HistoryBuilder outside = new HistoryBuilder(false, 0, 0, 0);
            int call = outside.at(S).call(0, Kind.CLAIM, "a", null, S);
            outside.no(call, "ClockAnomalyException");
            assertThat(outside.broken()).isEmpty();
        }

        @Test
        void limitsAndBrokenCodeAreTold() {
            history.tell(new Event.Exceeded(S, "STEPS")).tell(new Event.Broken(S, 0, "an error"));

            assertThat(history.broken()).containsExactly(LIM, LIM);
        }
    }
}
