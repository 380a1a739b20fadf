package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G7;
import static dev.leasehold.simulator.checker.Guarantee.LIM;
import static dev.leasehold.simulator.checker.HistoryBuilder.BUDGET;
import static dev.leasehold.simulator.checker.HistoryBuilder.HEARTBEAT;
import static dev.leasehold.simulator.checker.HistoryBuilder.LEASE;
import static dev.leasehold.simulator.checker.HistoryBuilder.OBSERVER;
import static dev.leasehold.simulator.checker.HistoryBuilder.S;
import static dev.leasehold.simulator.checker.HistoryBuilder.SESSION;
import static dev.leasehold.simulator.checker.HistoryBuilder.heldBy;
import static dev.leasehold.simulator.checker.HistoryBuilder.tenure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Faults;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What has to come at last, and what must not be done too often: G7 and LIM. */
class LivenessTest {

    private static final HeldTenure A = tenure("a", 1);

    private HistoryBuilder history = new HistoryBuilder();

    @Nested
    class Availability {

        private long due(long storedNanos) {
            return 60 * S
                    + history.bounds().outlivedNanos(storedNanos)
                    + history.bounds().slackNanos();
        }

        private void observerGetsItAt(int call, long atNanos) {
            history.at(atNanos).beats(OBSERVER);
            history.store(history.engine(OBSERVER), history.row(OBSERVER, "o", 2, null))
                    .yes(call, tenure("o", 2));
            history.at(500 * S).finishes();
        }

        @Test
        void leaseOfDeadHolderIsHadAtTheBound() {
            history.at(59 * S).claims(0, "a", 1, 10 * S);
            observerGetsItAt(history.at(60 * S).observerAsks(), due(10 * S));

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void nanosecondLaterIsTooLate() {
            history.at(59 * S).claims(0, "a", 1, 10 * S);
            observerGetsItAt(history.at(60 * S).observerAsks(), due(10 * S) + 1);

            assertThat(history.broken()).containsExactly(G7);
        }

        /** No fault hinders the looks of the observer, and the holder is long dead when it asks. */
        private long dueAtOnce() {
            return 60 * S + history.bounds().slackNanos();
        }

        @Test
        void leaseOfALongDeadHolderIsHadAtOnce() {
            history.at(2 * S).claims(0, "a", 1, 10 * S);
            observerGetsItAt(history.at(60 * S).observerAsks(), dueAtOnce());
            assertThat(history.broken()).isEmpty();

            history = new HistoryBuilder();
            history.at(2 * S).claims(0, "a", 1, 10 * S);
            observerGetsItAt(history.at(60 * S).observerAsks(), dueAtOnce() + 1);
            assertThat(history.broken()).containsExactly(G7);
        }

        @Test
        void leaseThatIsHeldInTheObserversSightIsHadWhenThatIsOver() {
            history.at(55 * S).claims(0, "a", 1, 10 * S);
            long dueNanos = 55 * S
                    + history.bounds().lookNanos(OBSERVER)
                    + history.bounds().outlivedNanos(10 * S)
                    + history.bounds().slackNanos();
            observerGetsItAt(history.at(60 * S).observerAsks(), dueNanos + 1);

            assertThat(history.broken()).containsExactly(G7);
        }

        @Test
        void leaseOfCrashedEngineIsHad() {
            history.at(58 * S).acquires(0, "a", 1);
            history.at(59 * S).crash(0).at(60 * S).observerAsks();
            history.at(500 * S).finishes();

            assertThat(history.broken()).containsExactly(G7);
        }

        @Test
        void openHandleKeepsIts() {
            history.at(58 * S).acquires(0, "a", 1);
            history.at(60 * S).observerAsks();
            history.at(500 * S).finishes();

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void closedHandleKeepsNothing() {
            int handle = history.at(58 * S).acquires(0, "a", 1);
            int close = history.at(59 * S).closing(0, handle, A);
            history.at(61 * S).yes(close, null).at(60 * S).observerAsks();
            history.at(500 * S).finishes();

            assertThat(history.broken()).contains(G7);
        }

        @Test
        void whatCallersLeaveOpenTheServerEnds() {
            history.at(58 * S).claims(0, "a", 1, S);
            int gate = history.at(59 * S).call(0, Kind.GATE, null, A, 0);
            history.at(60 * S).observerAsks();
            history.at(61 * S).no(gate, "MONGO_251").at(due(S) + 80 * S).finishes();

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void pinnedAndDamagedLeasesAreOwedToNone() {
            history.at(58 * S).claims(0, "a", 1, S);
            int pin = history.call(1, Kind.PIN, "x", null, 0);
            history.pinned(1, "x").yes(pin, null).at(60 * S).observerAsks();
            history.at(500 * S).finishes();
            assertThat(history.broken()).isEmpty();

            history = new HistoryBuilder();
            history.at(58 * S).damage().at(60 * S).observerAsks();
            history.at(500 * S).finishes();
            assertThat(history.broken()).isEmpty();
        }

        @Test
        void nothingIsOwedWhereABudgetHasNoTimeForAllAnswers() {
            history.slow(HistoryBuilder.BUDGET / 5 + 1).at(60 * S).observerAsks();
            history.at(500 * S).finishes();
            assertThat(history.broken()).isEmpty();

            history = new HistoryBuilder().slow(HistoryBuilder.BUDGET / 5);
            history.at(60 * S).observerAsks();
            history.at(500 * S).finishes();
            assertThat(history.broken()).containsExactly(G7);
        }
    }

    @Nested
    class Renewal {

        private HistoryBuilder lostAt(long atNanos) {
            HistoryBuilder builder = new HistoryBuilder();
            int handle = builder.at(59 * S).acquires(0, "a", 1);
            builder.fault(-1, "FAIL_OVER", S).at(60 * S).tell(new Event.Healed(60 * S));
            return builder.at(atNanos).loses(0, handle, A, "NOT_RENEWED").finishes();
        }

        @Test
        void keepsTheLeaseOfLiveHolder() {
            long keptNanos = 60 * S + history.bounds().renewedNanos(SESSION);

            assertThat(lostAt(keptNanos).broken()).isEmpty();
            assertThat(lostAt(keptNanos + 1).broken()).containsExactly(G7);
        }

        @Test
        void needsTime() {
            assertThat(lostWhereAnswersTake(SESSION / 16).broken()).containsExactly(G7);
            assertThat(lostWhereAnswersTake(SESSION / 16 + 1).broken()).isEmpty();
        }

        private HistoryBuilder lostWhereAnswersTake(long nanos) {
            HistoryBuilder builder = new HistoryBuilder().slow(nanos);
            int handle = builder.at(S).acquires(0, "a", 1);
            return builder.at(90 * S).loses(0, handle, A, "NOT_RENEWED").ends();
        }

        @Test
        void isOwedForTheTermAsItWasWhenItWasLost() {
            history.slow(S / 10);
            int handle = history.at(S).call(0, new Operation(Kind.ACQUIRE, LEASE, "a", null, S, false));
            history.store(history.engine(0), history.row(0, "a", 1, history.stamp(0) + S))
                    .yes(handle, A);
            history.at(90 * S).loses(0, handle, A, "NOT_RENEWED");
            history.at(91 * S).extend(0, A, 20 * S, history.stamp(0) + 20 * S);
            history.at(92 * S).ends();

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void isOwedForTheTermOfItsHandleThoughMoreThanThatHasLandedUnheard() {
            history.slow(S / 10);
            int handle = history.at(S).call(0, new Operation(Kind.ACQUIRE, LEASE, "a", null, S, false));
            history.store(history.engine(0), history.row(0, "a", 1, history.stamp(0) + S))
                    .yes(handle, A);
            history.at(88 * S).extend(1, A, 20 * S, history.stamp(1) + 20 * S);
            history.at(89 * S).store(history.engine(0), history.row(0, "a", 1, history.stamp(0) + 20 * S));
            history.at(90 * S).loses(0, handle, A, "NOT_RENEWED").ends();

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void hasTimeForThreeConflicts() {
            assertThat(lostAfterConflicts(0, 3).broken()).containsExactly(G7);
            assertThat(lostAfterConflicts(0, 4).broken()).isEmpty();
            assertThat(lostAfterConflicts(1, 4).broken())
                    .as("of another engine")
                    .containsExactly(G7);
        }

        @Test
        void hasTimeForOneMissAndOneConflict() {
            assertThat(history.bounds().isRenewedAfter(1, 1)).isTrue();
            assertThat(history.bounds().isRenewedAfter(2, 1)).isFalse();
            assertThat(history.bounds().isRenewedAfter(0, 2)).isFalse();
        }

        private HistoryBuilder lostAfterConflicts(int machine, int conflicts) {
            HistoryBuilder builder = new HistoryBuilder();
            int handle = builder.at(S).acquires(0, "a", 1);
            builder.at(89 * S);
            for (int conflict = 0; conflict < conflicts; conflict++) {
                builder.tell(new Event.Reached(89 * S, machine, Marks.CONFLICT));
            }
            return builder.at(90 * S).loses(0, handle, A, "NOT_RENEWED").ends();
        }

        @Test
        void waitsForCallers() {
            history.at(S).acquires(0, "a", 1);
            int gate = history.at(85 * S).call(0, Kind.GATE, null, A, 0);
            history.at(95 * S)
                    .no(gate, "MONGO_251")
                    .at(96 * S)
                    .loses(0, 0, A, "NOT_RENEWED")
                    .ends();

            assertThat(history.broken()).isEmpty();
        }
    }

    @Nested
    class News {

        private HistoryBuilder endedBehindItsBackFor(long nanos, boolean watches) {
            HistoryBuilder builder = watches ? new HistoryBuilder() : new HistoryBuilder().blind();
            builder.at(S).acquires(0, "a", 1);
            builder.holds(0, A, 11 * S);
            int order = builder.at(2 * S).call(1, Kind.FORCE_EXPIRE, null, null, 0);
            builder.vacates(1, 2).yes(order, A);
            for (long at = 4 * S; at < 2 * S + nanos; at += 3 * S) {
                builder.at(at).beats(0).holds(0, A, Math.min(at + SESSION, 2 * S + nanos));
            }
            return builder.at(90 * S).ends();
        }

        @Test
        void ofAnEndComeInTime() {
            long newsNanos = history.bounds().newsNanos();

            assertThat(endedBehindItsBackFor(newsNanos, true).broken()).isEmpty();
            assertThat(endedBehindItsBackFor(newsNanos + 1, true).broken()).containsExactly(G7);
        }

        @Test
        void takeLongerWithoutChangeStreams() {
            long newsNanos = history.blind().bounds().newsNanos();

            assertThat(endedBehindItsBackFor(newsNanos, false).broken()).isEmpty();
            assertThat(endedBehindItsBackFor(newsNanos + 1, false).broken()).containsExactly(G7);
        }
    }

    @Nested
    class Budgets {

        private HistoryBuilder answered(long afterNanos, String reason) {
            HistoryBuilder builder = new HistoryBuilder();
            int call = builder.at(S).call(0, Kind.CLAIM, "a", null, S);
            return builder.at(S + afterNanos).no(call, reason).at(60 * S).ends();
        }

        @Test
        void areKept() {
            long looksNanos = LivenessBounds.BETWEEN_LOOKS_NANOS;

            assertThat(answered(BUDGET + looksNanos, "LeaseUnavailableException")
                            .broken())
                    .isEmpty();
            assertThat(answered(BUDGET + looksNanos + 1, "LeaseUnavailableException")
                            .broken())
                    .containsExactly(G7);
        }

        @Test
        void areUsedUp() {
            long looksNanos = LivenessBounds.BETWEEN_LOOKS_NANOS;

            assertThat(answered(BUDGET - looksNanos, "LeaseUnavailableException")
                            .broken())
                    .isEmpty();
            assertThat(answered(BUDGET - looksNanos - 1, "LeaseUnavailableException")
                            .broken())
                    .containsExactly(G7);
        }

        @Test
        void waitIsAsLongAsWasAsked() {
            history.at(S).claims(1, "b", 1, 50 * S);
            int call = history.at(2 * S).call(0, new Operation(Kind.ACQUIRE, LEASE, "a", null, SESSION, true, 5 * S));
            history.at(4 * S).no(call, "HELD", heldBy("b", 1)).at(60 * S).ends();

            assertThat(history.broken()).containsExactly(G7);
        }

        @Test
        void callReturns() {
            history.at(S).call(0, Kind.CLAIM, "a", null, S);
            history.at(S + history.bounds().slackNanos()).ends();
            assertThat(history.broken()).isEmpty();

            history = new HistoryBuilder();
            history.at(S).call(0, Kind.CLAIM, "a", null, S);
            history.at(S + history.bounds().slackNanos() + 1).ends();
            assertThat(history.broken()).containsExactly(G7);
        }

        /** A close that does not block, after so long without an answer. */
        private HistoryBuilder closing(boolean behindCaller, long nanos) {
            HistoryBuilder builder = new HistoryBuilder();
            int handle = builder.at(S).acquires(0, "a", 1);
            if (behindCaller) {
                builder.at(2 * S).fault(-1, Faults.STRAY, 0);
            }
            builder.at(3 * S).closingAsync(0, handle, A);
            return builder.at(20 * S)
                    .tell(new Event.Healed(20 * S))
                    .at(3 * S + nanos)
                    .finishes();
        }

        @Test
        void closeThatDoesNotBlockWaitsForCallers() {
            long closeNanos = history.bounds().callNanos(HistoryBuilder.closeAsync(0, A));

            assertThat(closing(false, closeNanos + 17 * S).broken()).contains(G7);
            assertThat(closing(true, closeNanos + 17 * S).broken()).isEmpty();
            assertThat(closing(true, closeNanos + 17 * S + 1).broken()).contains(G7);
        }

        @Test
        void unknownOutcomeIsFoundOut() {
            int call = history.at(S).call(0, Kind.CLAIM, "a", null, S);
            history.at(S + BUDGET).unknown(call).at(90 * S).ends();
            assertThat(history.broken()).containsExactly(G7);

            history.resolved(call, Answer.Kind.NO, null);
            assertThat(history.broken()).isEmpty();
        }
    }

    @Nested
    class Closes {

        private HistoryBuilder closedEngine(boolean isTroubled) {
            HistoryBuilder builder = new HistoryBuilder();
            builder.at(S).acquires(0, "a", 1);
            int close = builder.at(2 * S).call(0, new Operation(Kind.CLOSE_ENGINE, null, null, null, 0, false));
            if (isTroubled) {
                builder.fault(-1, "FAIL_OVER", S);
            }
            return builder.yes(close, null).at(60 * S).ends();
        }

        @Test
        void ofAnEngineEndsItsSessionsUnlessSomethingIsInItsWay() {
            assertThat(closedEngine(true).broken()).isEmpty();
            assertThat(closedEngine(false).broken()).containsExactly(G7);
        }
    }

    @Test
    void firstInTheQueueGetsTheLeaseFirst() {
        int first = history.at(S).call(0, new Operation(Kind.ACQUIRE, LEASE, "a", null, SESSION, true, 90 * S));
        int second = history.at(2 * S).call(0, new Operation(Kind.ACQUIRE, LEASE, "b", null, SESSION, true, 90 * S));
        history.at(3 * S).beats(0).store(history.engine(0), history.row(0, "b", 1, null));
        history.yes(second, tenure("b", 1));
        assertThat(history.broken()).containsExactly(G7);

        history = new HistoryBuilder();
        first = history.at(S).call(0, new Operation(Kind.ACQUIRE, LEASE, "a", null, SESSION, true, 90 * S));
        history.at(2 * S).call(0, new Operation(Kind.ACQUIRE, LEASE, "b", null, SESSION, true, 90 * S));
        history.at(3 * S).beats(0).store(history.engine(0), history.row(0, "a", 1, null));
        history.yes(first, A);
        assertThat(history.broken()).isEmpty();
    }

    @Test
    void firstInTheQueueGetsTheLeaseFirstThoughAnotherEngineHadItForTheSameHolder() {
        HeldTenure elsewhere = history.at(S).claims(1, "b", 1, 9 * S);
        history.call(0, new Operation(Kind.ACQUIRE, LEASE, "a", null, SESSION, true, 90 * S));
        int second = history.at(2 * S).call(0, new Operation(Kind.ACQUIRE, LEASE, "b", null, SESSION, true, 90 * S));
        history.at(3 * S).release(1, elsewhere);
        history.at(4 * S).beats(0).store(history.engine(0), history.row(0, "b", 2, null));
        history.yes(second, tenure("b", 2));

        assertThat(history.broken()).containsExactly(G7);
    }

    @Test
    void supersedingGoesPastTheQueue() {
        assertThat(superseded(false).broken()).isEmpty();
        assertThat(superseded(true).broken()).isEmpty();
    }

    private static HistoryBuilder superseded(boolean isExpiredMeanwhile) {
        HistoryBuilder builder = new HistoryBuilder();
        builder.at(S).acquires(1, "b", 1);
        builder.call(0, new Operation(Kind.ACQUIRE, LEASE, "a", null, SESSION, true, 90 * S));
        int second = builder.at(2 * S)
                .call(
                        0,
                        new Operation(
                                Kind.ACQUIRE, LEASE, "b", null, SESSION, true, 90 * S, true, 0, null, null, false));
        long token = 2;
        if (isExpiredMeanwhile) {
            int expiry = builder.call(0, Kind.FORCE_EXPIRE, null, null, 0);
            builder.vacates(0, token++).yes(expiry, tenure("b", 1));
        }
        builder.at(4 * S).beats(0).store(builder.engine(0), builder.row(0, "b", token, null));
        return builder.yes(second, tenure("b", token));
    }

    @Nested
    class Effort {

        @Test
        void heartbeatComesWhenItIsDue() {
            history.at(S).beats(0).at(2 * S).beats(0).at(2 * S + HEARTBEAT).beats(0);
            assertThat(history.broken()).isEmpty();

            history.at(2 * S + 2 * HEARTBEAT - 1_001).beats(0);
            assertThat(history.broken()).containsExactly(LIM);
        }

        @Test
        void heartbeatMayComeAgainWhereSomethingWasInItsWay() {
            history.at(S)
                    .beats(0)
                    .at(2 * S)
                    .beats(0)
                    .fault(0, "LATE", 0)
                    .at(3 * S)
                    .beats(0);

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void heartbeatMayComeAgainWhereNoAnswerNeedComeInTime() {
            history.slow(2 * S).at(S).beats(0).at(2 * S).beats(0).at(3 * S).beats(0);

            assertThat(history.broken()).isEmpty();
        }

        private HistoryBuilder ended(long atNanos, long restNanos) {
            HistoryBuilder builder = new HistoryBuilder();
            builder.at(S).beats(0).at(atNanos);
            return builder.tell(
                    new Event.Reached(atNanos, 1, Marks.RESCUED, new Event.Rest(builder.writer(0), restNanos)));
        }

        @Test
        void transactionOfAnotherIsEndedWhenItHasRested() {
            assertThat(ended(5 * S, S).broken()).isEmpty();
            assertThat(ended(5 * S, S - 1).broken()).containsExactly(LIM);
        }

        @Test
        void transactionOfSessionThatIsOverIsEndedAtOnce() {
            assertThat(ended(11 * S + 1, 0).broken()).isEmpty();
            assertThat(ended(11 * S, 0).broken()).containsExactly(LIM);
        }
    }
}
