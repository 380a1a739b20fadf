package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.SECOND;
import static dev.leasehold.engine.internal.rules.HeartbeatWatch.READ_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.store.WriterEntry;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is learnt from polls of another writer's entry, and when the next one is made. Sessions last 32 s. */
class HeartbeatPredictorTest {

    private static final long MILLI = 1_000_000;
    private static final long SESSION = 32 * SECOND;
    private static final long STEP = 2 * SECOND;
    private static final long PERIOD = 10 * SECOND;
    private static final long STAMP = 17;

    /** What clocks may drift apart in one period, as the forecast has it. */
    private static final long DRIFT = 39_062_500;

    @Nested
    @DisplayName("The period is not known")
    class WithoutAPeriod {

        private static long pauseNanos(long sessionNanos) {
            return new HeartbeatWatch(sessionNanos).poll(STAMP, SECOND) - SECOND - READ_NANOS;
        }

        @ParameterizedTest
        @CsvSource({"32_000_000_000, 2_000_000_000", "1_000_000, 20_000_000", "3600_000_000_000, 5_000_000_000"})
        void firstHeartbeatsArePolledForInPartsOfTheSessionThatAreNeitherTooShortNorTooLong(
                String sessionNanos, String pauseNanos) {
            assertThat(pauseNanos(number(sessionNanos))).isEqualTo(number(pauseNanos));
        }

        @Test
        void timesThatMakeNoSenseAreNoReasonToPollWithoutEnd() {
            HeartbeatWatch watch = new HeartbeatWatch(SESSION);

            watch.poll(Long.MAX_VALUE, SECOND);

            assertThat(watch.poll(STAMP, 2 * SECOND)).isEqualTo(4 * SECOND + READ_NANOS);
            assertThat(watch.poll(Long.MAX_VALUE, 4 * SECOND)).isEqualTo(6 * SECOND + READ_NANOS);
        }

        @ParameterizedTest
        @ValueSource(longs = {Long.MIN_VALUE, -1, 0, SESSION + 1, Long.MAX_VALUE})
        void noHeartbeatIsExpectedAfterAPeriodThatNoSessionHas(long periodNanos) {
            assertThat(new HeartbeatPredictor(SESSION, STAMP, periodNanos, 0, 0, 0).nextReadNanos(0))
                    .isEqualTo(STEP);
        }

        @ParameterizedTest
        @ValueSource(longs = {1, SESSION})
        void everyPeriodThatASessionMayHaveIsTaken(long periodNanos) {
            HeartbeatPredictor due = new HeartbeatPredictor(SESSION, STAMP, periodNanos, -STAMP - periodNanos, 0, 0);

            assertThat(due.nextReadNanos(0)).isEqualTo(20 * MILLI);
        }
    }

    @Nested
    @DisplayName("When to poll again")
    class NextLook {

        private static final long NOW = 1_000 * SECOND;

        /** From now on, when the next heartbeat is there for certain after so long, and may be as much earlier. */
        private static long pauseNanos(long certainInNanos, long spreadNanos) {
            return new HeartbeatPredictor(
                                    SESSION,
                                    STAMP,
                                    PERIOD,
                                    NOW + certainInNanos - STAMP - PERIOD,
                                    spreadNanos,
                                    NOW - SECOND)
                            .nextReadNanos(NOW)
                    - NOW;
        }

        @Test
        void itIsPolledForWhenItIsCertainToTheNanosecond() {
            assertThat(pauseNanos(1, 4 * SECOND)).isEqualTo(1);
        }

        @ParameterizedTest(name = "{0}: certain in {1} ms, or as much as {2} ms earlier")
        @CsvSource({
            "the first is when a quarter of that time is over, 9000, 4000, 6000",
            "the first is when a quarter of that time is over, 4000, 4000, 1000",
            "others follow in quarters, 3000, 4000, 1000",
            "others follow in quarters until it is certain, 300, 4000, 300",
            "quarters are not shorter than what a poll is worth, 50, 10, 60",
            "quarters are not shorter than what a poll is worth, 30, 40, 20",
            "what is certain soon is not polled for later, 10, 10, 10"
        })
        void itIsPolledForInQuartersOfTheTimeInWhichItMayCome(
                String promise, long certainInMillis, long spreadMillis, long pauseMillis) {
            assertThat(pauseNanos(certainInMillis * MILLI, spreadMillis * MILLI))
                    .isEqualTo(pauseMillis * MILLI);
        }

        @Test
        @DisplayName(
                "One that is overdue may come at any time, or never: each pause is as long as it is late, up to a part of the session")
        void overdueHeartbeatIsPolledForLessAndLessOften() {
            assertThat(pauseNanos(0, 4 * SECOND)).isEqualTo(20 * MILLI);
            assertThat(pauseNanos(-30 * MILLI, 4 * SECOND)).isEqualTo(50 * MILLI);
            assertThat(pauseNanos(-SECOND, 4 * SECOND)).isEqualTo(1_020 * MILLI);
            assertThat(pauseNanos(-10 * SECOND, 4 * SECOND)).isEqualTo(STEP);
        }

        @Test
        void writerOfKnownHeartbeatsIsPolledLessAndLessOftenWhenTheyStop() {
            HeartbeatWatch watch = new HeartbeatWatch(SESSION);
            watch.delayNanos(PERIOD, 0, 0, 12);
            long nowNanos = 13 * PERIOD + 50 * MILLI;
            long beforeNanos = 0;
            for (int poll = 0; poll < 20; poll++) {
                long nextNanos = watch.poll(12 * PERIOD, nowNanos);
                assertThat(nextNanos - nowNanos).isBetween(beforeNanos, STEP + READ_NANOS);
                beforeNanos = nextNanos - nowNanos;
                nowNanos = nextNanos;
            }
            assertThat(beforeNanos).isEqualTo(STEP + READ_NANOS);
        }
    }

    private static long number(String digits) {
        return Long.parseLong(digits.replace("_", ""));
    }

    @Nested
    @DisplayName("What a poll teaches")
    class Learning {

        /** The entry was seen in a read that began then and was answered at once. */
        private static HeartbeatPredictor saw(HeartbeatPredictor known, long stampNanos, long atNanos) {
            return HeartbeatPredictor.of(
                    known, new WriterEntry.Sound("b", stampNanos, null, SESSION, null), SESSION, atNanos, atNanos);
        }

        private static HeartbeatPredictor first(long atNanos) {
            return saw(null, STAMP, atNanos);
        }

        /** Its heartbeats are there a second after their stamp, or as much earlier; it was last polled then. */
        private static HeartbeatPredictor known(long spreadNanos, long polledNanos) {
            return new HeartbeatPredictor(SESSION, STAMP, PERIOD, SECOND, spreadNanos, polledNanos);
        }

        private static HeartbeatPredictor next(long latestNanos, long spreadNanos, long polledNanos) {
            return new HeartbeatPredictor(SESSION, STAMP + PERIOD, PERIOD, latestNanos, spreadNanos, polledNanos);
        }

        @Test
        void firstSaysNothingOfThePeriod() {
            assertThat(first(SECOND)).isEqualTo(new HeartbeatPredictor(SESSION, STAMP, 0, SECOND - STAMP, -1, SECOND));
        }

        @Test
        void readCountsFromItsEndForWhatItShowsAndFromItsBeginForWhatItDoesNot() {
            HeartbeatPredictor forecast = HeartbeatPredictor.of(
                    null, new WriterEntry.Sound("b", STAMP, null, SESSION, null), SESSION, SECOND, SECOND + READ_NANOS);

            assertThat(forecast.latestNanos()).isEqualTo(SECOND + READ_NANOS - STAMP);
            assertThat(forecast.lastReadNanos()).isEqualTo(SECOND);
        }

        @Test
        void entryThatIsStillTheSameWasNotYetReplacedThen() {
            assertThat(saw(known(MILLI, SECOND), STAMP, 9 * SECOND)).isEqualTo(known(MILLI, 9 * SECOND));
        }

        @Test
        void secondHeartbeatCameAfterThePollBefore() {
            assertThat(saw(saw(first(SECOND), STAMP, 8 * SECOND), STAMP + PERIOD, 11 * SECOND))
                    .isEqualTo(next(SECOND - STAMP, 3 * SECOND, 11 * SECOND));
        }

        @Test
        void readThatWasPrompterCountsIfItIsTheLater() {
            assertThat(saw(first(3 * SECOND), STAMP + PERIOD, 11 * SECOND))
                    .isEqualTo(next(SECOND - STAMP, 8 * SECOND, 11 * SECOND));
        }

        @Test
        @DisplayName("A read that was prompter counts if it is the earlier, but for the drift")
        void readThatWasPrompterCountsIfItIsTheEarlier() {
            assertThat(saw(first(SECOND), STAMP + PERIOD, 12 * SECOND))
                    .isEqualTo(next(SECOND - STAMP + DRIFT, 10 * SECOND + DRIFT, 12 * SECOND));
        }

        @ParameterizedTest
        @ValueSource(longs = {0, 1, 200 * MILLI})
        @DisplayName("What was known more exactly stays known, but for the drift")
        void whatWasKnownMoreExactlyStaysKnown(long spreadNanos) {
            long atNanos = STAMP + PERIOD + SECOND;

            assertThat(saw(known(spreadNanos, atNanos - 5 * SECOND), STAMP + PERIOD, atNanos))
                    .isEqualTo(next(SECOND, spreadNanos + DRIFT, atNanos));
        }

        @Test
        void whatIsSeenMoreExactlyCounts() {
            long atNanos = STAMP + PERIOD + SECOND;

            assertThat(saw(known(200 * MILLI, atNanos - 50 * MILLI), STAMP + PERIOD, atNanos))
                    .isEqualTo(next(SECOND, 50 * MILLI, atNanos));
        }

        @Test
        @DisplayName("Reads that contradict each other: the network has changed, and the newer one counts")
        void newerReadCountsWhereTheyContradictEachOther() {
            long atNanos = STAMP + PERIOD + 4 * SECOND;

            assertThat(saw(known(100 * MILLI, atNanos - SECOND), STAMP + PERIOD, atNanos))
                    .isEqualTo(next(4 * SECOND, SECOND, atNanos));
        }

        @Test
        void readsThatLeaveOneInstantDoNotContradictEachOther() {
            long atNanos = STAMP + PERIOD + 4 * SECOND;

            assertThat(saw(known(100 * MILLI, atNanos - 3 * SECOND + DRIFT), STAMP + PERIOD, atNanos))
                    .isEqualTo(next(SECOND + DRIFT, 0, atNanos));
        }
    }
}
