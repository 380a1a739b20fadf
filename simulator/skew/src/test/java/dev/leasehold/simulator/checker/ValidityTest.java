package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G8;
import static dev.leasehold.simulator.checker.Guarantee.T2;
import static dev.leasehold.simulator.checker.HistoryBuilder.LEASE;
import static dev.leasehold.simulator.checker.HistoryBuilder.S;
import static dev.leasehold.simulator.checker.HistoryBuilder.tenure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** When engines hold tenures, and what handles tell of that: G8 and T2. */
class ValidityTest {

    private static final HeldTenure A = tenure("a", 1);
    private static final HeldTenure B = tenure("b", 2);

    private final HistoryBuilder history = new HistoryBuilder();

    @Nested
    class Ground {

        @Test
        void isYesOrAnAnswerThatIsUnderWay() {
            int call = history.at(S).call(0, Kind.CLAIM, "a", null, 10 * S);
            history.store(history.engine(0), history.row(0, "a", 1, history.stamp(0) + 10 * S));
            history.holds(0, A, 11 * S).at(2 * S).yes(call, A);

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void isNoUnknownOutcome() {
            int call = history.at(S).call(0, Kind.CLAIM, "a", null, 10 * S);
            history.store(history.engine(0), history.row(0, "a", 1, history.stamp(0) + 10 * S));
            history.unknown(call).at(2 * S).resolved(call, Answer.Kind.YES, A).holds(0, A, 11 * S);

            assertThat(history.broken()).containsExactly(G8);
        }
    }

    @Nested
    class Length {

        @Test
        void isThatOfTheStoredTerm() {
            history.at(S).claims(0, "a", 1, 10 * S);
            history.holds(0, A, 11 * S);
            assertThat(history.broken()).isEmpty();

            HistoryBuilder longer = new HistoryBuilder();
            longer.at(S).claims(0, "a", 1, 10 * S);
            longer.holds(0, A, 11 * S + 1);
            assertThat(longer.broken()).containsExactly(G8);
        }

        @Test
        void isThatOfTheSessionSinceTheNewestAcknowledgedStamp() {
            history.at(S).acquires(0, "a", 1);
            history.holds(0, A, 11 * S).at(4 * S).beats(0).holds(0, A, 14 * S);
            assertThat(history.broken()).isEmpty();

            history.at(5 * S).holds(0, A, 14 * S + 1);
            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void isNothingBeforeMajorityHasIt() {
            int call = history.lags().at(S).call(0, Kind.CLAIM, "a", null, 10 * S);
            history.store(history.engine(0), history.row(0, "a", 1, history.stamp(0) + 10 * S));
            history.holds(0, A, 11 * S).at(2 * S).majorityHasAll().yes(call, A);

            assertThat(history.broken()).containsExactly(G8);
        }
    }

    @Nested
    class End {

        @Test
        void comesWithTheReleaseThroughTheSameEngine() {
            history.at(S).claims(0, "a", 1, 10 * S);
            history.holds(0, A, 11 * S).at(2 * S).holdsNoMore(0, A).release(0, A);
            assertThat(history.broken()).isEmpty();

            HistoryBuilder later = new HistoryBuilder();
            later.at(S).claims(0, "a", 1, 10 * S);
            later.holds(0, A, 11 * S).at(2 * S).release(0, A).at(2 * S + 1).holdsNoMore(0, A);
            assertThat(later.broken()).containsExactly(G8);
        }

        @Test
        void comesWithTheCloseOfTheLastHandle() {
            int handle = history.at(S).acquires(0, "a", 1);
            history.holds(0, A, 11 * S);
            int close = history.at(2 * S).closing(0, handle, A);
            history.holdsNoMore(0, A).vacates(0, 1).yes(close, null);
            assertThat(history.broken()).isEmpty();

            history.at(2 * S + 1).holds(0, A, 11 * S);
            assertThat(history.broken()).contains(G8);
        }

        @Test
        void comesWithTheLaterOfTwoClosesThatOverlap() {
            int first = history.at(S).acquires(0, "a", 1);
            int second = history.joins(0, A);
            history.holds(0, A, 11 * S);
            int closeOfSecond = history.at(2 * S).closing(0, second, A);
            int closeOfFirst = history.closing(0, first, A);
            history.yes(closeOfSecond, null)
                    .at(2 * S + 10)
                    .holdsNoMore(0, A)
                    .vacates(0, 1)
                    .yes(closeOfFirst, null);
            assertThat(history.broken()).isEmpty();

            HistoryBuilder longer = new HistoryBuilder();
            first = longer.at(S).acquires(0, "a", 1);
            second = longer.joins(0, A);
            longer.holds(0, A, 11 * S);
            closeOfSecond = longer.at(2 * S).closing(0, second, A);
            closeOfFirst = longer.closing(0, first, A);
            longer.yes(closeOfSecond, null).at(2 * S + 10).yes(closeOfFirst, null);
            longer.at(2 * S + 11).holdsNoMore(0, A).vacates(0, 1);
            assertThat(longer.broken()).contains(G8);
        }

        @Test
        void comesWithRefusedExtension() {
            history.at(S).claims(0, "a", 1, 10 * S);
            history.holds(0, A, 11 * S);
            int order = history.at(2 * S).call(1, Kind.FORCE_EXPIRE, null, null, 0);
            history.vacates(1, 2).yes(order, A);
            int extend = history.at(3 * S).call(0, Kind.EXTEND, null, A, S);
            history.no(extend, "VACANT", HistoryBuilder.heldBy(null, 2));
            assertThat(history.broken()).containsExactly(G8);

            history.holdsNoMore(0, A);
            assertThat(history.broken()).isEmpty();
        }

        @Test
        void comesWithTheCloseOfTheEngine() {
            history.at(S).claims(0, "a", 1, 10 * S);
            history.holds(0, A, 11 * S).at(2 * S);
            history.call(0, new Operation(Kind.CLOSE_ENGINE, null, null, null, 0, false));
            assertThat(history.broken()).containsExactly(G8);

            history.holdsNoMore(0, A);
            assertThat(history.broken()).isEmpty();
        }

        @Test
        void isForGoodUnlessItIsGrantedAgain() {
            history.at(S).claims(0, "a", 1, 10 * S);
            history.holds(0, A, 5 * S).at(5 * S).holdsNoMore(0, A);
            history.at(6 * S).extend(0, A, S, history.stamp(0) + 5 * S);
            history.holds(0, A, 7 * S);
            assertThat(history.broken()).isEmpty();

            history.at(7 * S).holdsNoMore(0, A).at(8 * S).holds(0, A, 9 * S);
            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void isNoMatterOfWhichCallAsks() {
            history.at(S).tell(new Event.Disagreed(S, 0, 0, A, true)).tell(new Event.Revived(S, 0, 0, A));

            assertThat(history.broken()).containsExactly(G8, G8);
        }
    }

    @Nested
    class Losses {

        private int handle;

        private void acquired() {
            handle = history.at(S).acquires(0, "a", 1);
            history.holds(0, A, 11 * S).at(11 * S).holdsNoMore(0, A);
        }

        @Test
        void areToldSoon() {
            acquired();
            history.at(12 * S).loses(0, handle, A, "NOT_RENEWED").at(20 * S).tell(new Event.Finished(20 * S));
            assertThat(history.broken()).isEmpty();
        }

        @Test
        void areToldAtAll() {
            acquired();
            history.at(20 * S).tell(new Event.Finished(20 * S));

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void areToldOnce() {
            acquired();
            history.loses(0, handle, A, "NOT_RENEWED").loses(0, handle, A, "NOT_RENEWED");

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void areNotToldToHandlesThatAreClosed() {
            handle = history.at(S).acquires(0, "a", 1);
            history.holds(0, A, 11 * S);
            int close = history.at(2 * S).closing(0, handle, A);
            history.holdsNoMore(0, A).vacates(0, 1).yes(close, null).tell(new Event.Finished(20 * S));

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void haveReasonThatIsSo() {
            for (String reason : new String[] {"CLOSED", "TAKEN_OVER", "EVICTED", "CLOCK_ANOMALY"}) {
                HistoryBuilder builder = new HistoryBuilder();
                int lost = builder.at(S).acquires(0, "a", 1);
                builder.holds(0, A, 11 * S).at(11 * S).holdsNoMore(0, A).loses(0, lost, A, reason);

                assertThat(builder.broken()).as(reason).containsExactly(G8);
            }
        }

        @Test
        void comeBeforeAnExtensionOfTheSameInstant() {
            acquired();
            int extend = history.loses(0, handle, A, "EXPIRED").call(0, Kind.EXTEND, null, A, 0);
            history.beats(0)
                    .store(history.engine(0), history.row(0, "a", 1, null))
                    .yes(extend, A);
            history.holds(0, A, 21 * S);

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void areByEvictionWhenTheEntryIsGone() {
            handle = history.at(S).acquires(0, "a", 1);
            history.holds(0, A, 11 * S)
                    .at(11 * S + 1)
                    .evicts(1, 0)
                    .holdsNoMore(0, A)
                    .loses(0, handle, A, "EVICTED");

            assertThat(history.broken()).isEmpty();
        }
    }

    @Nested
    class MutualExclusion {

        @Test
        void oneMayHoldWhenTheOtherDoesNoMore() {
            assertThat(firstHoldsUntil(11 * S + 1).broken()).doesNotContain(T2);
        }

        @Test
        void twoNeverHoldAtOnce() {
            assertThat(firstHoldsUntil(11 * S + 2).broken()).contains(T2);
        }

        private HistoryBuilder firstHoldsUntil(long untilNanos) {
            HistoryBuilder builder = new HistoryBuilder();
            builder.at(S).claims(0, "a", 1, 10 * S);
            builder.holds(0, A, untilNanos);
            builder.at(11 * S + 1).takesOver(1, "b", 2, 10 * S);
            return builder.holds(1, B, 20 * S);
        }

        @Test
        void holderIsToldOfAnOrderAfterwards() {
            history.at(S).claims(0, "a", 1, 10 * S);
            history.holds(0, A, 11 * S);
            int order = history.at(2 * S).call(1, Kind.FORCE_EXPIRE, null, null, 0);
            history.vacates(1, 2).yes(order, A);
            history.claims(1, "b", 3, 5 * S);
            history.holds(1, tenure("b", 3), 7 * S);

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void holderIsToldOfReleaseElsewhereAfterwards() {
            history.at(S).claims(0, "a", 1, 10 * S);
            history.holds(0, A, 11 * S).at(2 * S).release(1, A);
            history.claims(1, "b", 2, 5 * S);
            history.holds(1, B, 7 * S);

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void holderThatSupersedesItselfIsToldAfterwards() {
            history.at(S).claims(0, "a", 1, 10 * S);
            history.holds(0, A, 11 * S);
            int call = history.at(2 * S)
                    .call(
                            1,
                            new Operation(Kind.ACQUIRE, LEASE, "a", null, 5 * S, false, 0, true, 0, null, null, false));
            history.store(history.engine(1), history.row(1, "a", 2, history.stamp(1) + 5 * S));
            history.yes(call, tenure("a", 2)).holds(1, tenure("a", 2), 7 * S);

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void outsideOfTheAssumptionsItIsOnlyCounted() {
            HistoryBuilder outside = new HistoryBuilder(false, 0, 0, 0);
            outside.at(S).claims(0, "a", 1, 10 * S);
            outside.holds(0, A, 11 * S).at(2 * S).takesOver(1, "b", 2, 10 * S);
            outside.holds(1, B, 12 * S);

            assertThat(outside.broken()).isEmpty();
            assertThat(outside.verdict().reached()).containsEntry(Coverage.OVERLAP.name(), 1L);
        }
    }
}
