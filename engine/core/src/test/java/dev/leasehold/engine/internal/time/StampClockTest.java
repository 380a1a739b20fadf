package dev.leasehold.engine.internal.time;

import static dev.leasehold.engine.internal.time.Fixture.HOUR;
import static dev.leasehold.engine.internal.time.Fixture.SECOND;
import static dev.leasehold.engine.internal.time.Fixture.Z;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Local time follows the monotonic source alone; stamps strictly increase. */
class StampClockTest {

    private final TestClock source = new TestClock(-17, Z);
    private final StampClock clock = new StampClock(source);

    @Nested
    class LocalTime {

        @ParameterizedTest
        @ValueSource(longs = {0, 5 * SECOND, -3})
        void startsAtTheWallTimeAndFollowsTheMonotonicSourceAloneAlsoBackwards(long movedNanos) {
            source.monotonicMoves(movedNanos);

            assertThat(clock.nowNanos()).isEqualTo(Z + movedNanos);
        }

        @Test
        void anInstantBeyondTheEndOfTimeIsTheEndOfTime() {
            assertThat(clock.inNanos(HOUR)).isEqualTo(Z + HOUR);
            assertThat(clock.inNanos(0)).isEqualTo(Z);
            assertThat(clock.inNanos(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
            assertThat(StampClock.sum(Long.MAX_VALUE, 1)).isEqualTo(Long.MAX_VALUE);
        }

        @ParameterizedTest
        @ValueSource(longs = {1, -1, HOUR, -HOUR, Long.MAX_VALUE})
        void isUntouchedByAStepOfTheWallClock(long stepNanos) {
            source.wallSteps(stepNanos);

            assertThat(clock.nowNanos()).isEqualTo(Z);
            assertThat(clock.wallNanos()).isEqualTo(Z + stepNanos);
        }

        @Test
        void readsEachSourceOnceAtConstructionAndTheWallNeverAgain() {
            TestClock fresh = new TestClock(0, Z);
            StampClock started = new StampClock(fresh);

            assertThat(fresh.wallReadings()).isOne();
            assertThat(fresh.monotonicReadings()).isOne();

            started.nowNanos();
            started.nextStampNanos(Z);
            assertThat(fresh.wallReadings()).isOne();
            assertThat(fresh.monotonicReadings()).isEqualTo(2);
        }

        @Test
        void goesOnWhenTheMonotonicSourceWrapsAround() {
            TestClock nearTheTop = new TestClock(Long.MAX_VALUE - 3, Z);
            StampClock wrapping = new StampClock(nearTheTop);

            nearTheTop.monotonicMoves(10);

            assertThat(nearTheTop.monotonicNanos()).isNegative();
            assertThat(wrapping.nowNanos()).isEqualTo(Z + 10);
        }

        @Test
        void leavingInt64AtTheTopIsAnError() {
            TestClock late = new TestClock(0, Long.MAX_VALUE - 5);
            StampClock lateClock = new StampClock(late);

            late.monotonicMoves(5);
            assertThat(lateClock.nowNanos()).isEqualTo(Long.MAX_VALUE);

            late.monotonicMoves(1);
            assertThatExceptionOfType(ArithmeticException.class)
                    .isThrownBy(lateClock::nowNanos)
                    .withMessageStartingWith("overflow: local time")
                    .withMessageContaining("9223372036854775802 ns + 6 ns")
                    .withMessageContaining("int64");
        }

        @ParameterizedTest
        @ValueSource(longs = {Long.MIN_VALUE, -HOUR, -1, 0, 1, 2})
        void startsAfterTheEpochSoThatNoInstantIsZero(long wallNanos) {
            TestClock early = new TestClock(0, wallNanos);
            StampClock earlyClock = new StampClock(early);

            assertThat(earlyClock.nowNanos()).isEqualTo(2);
            assertThat(earlyClock.wallNanos()).isEqualTo(wallNanos);
            early.monotonicMoves(HOUR);
            assertThat(earlyClock.nowNanos()).isEqualTo(HOUR + 2);
        }
    }

    @Nested
    class Stamps {

        @Test
        void anotherClockOfTheSameLocalTimeHasStampsOfItsOwn() {
            source.passes(SECOND);
            clock.nextStampNanos(clock.nowNanos());
            source.wallSteps(HOUR);

            StampClock another = clock.withStampsOfItsOwn();

            assertThat(another.nowNanos()).isEqualTo(clock.nowNanos()).isEqualTo(Z + SECOND);
            assertThat(another.nextStampNanos(another.nowNanos())).isEqualTo(Z + SECOND);
            assertThat(clock.nextStampNanos(clock.nowNanos())).isEqualTo(Z + SECOND + 1);
            assertThat(another.wallNanos()).isEqualTo(clock.wallNanos());
        }

        @Test
        @DisplayName("OP-21: while the clock stands still, stamps are now, now + 1 ns, now + 2 ns")
        void stampsIncreaseWhileTheClockStandsStill() {
            assertThat(clock.lastStampNanos()).isEqualTo(Long.MIN_VALUE);
            for (int number = 0; number < 3; number++) {
                assertThat(clock.nextStampNanos(clock.nowNanos())).isEqualTo(Z + number);
                assertThat(clock.lastStampNanos()).isEqualTo(Z + number);
            }
        }

        @Test
        void stampIsThePresentInstantAgainOnceTheClockHasMovedPastTheLastOne() {
            clock.nextStampNanos(Z);
            clock.nextStampNanos(Z);
            source.passes(SECOND);

            assertThat(clock.nextStampNanos(clock.nowNanos())).isEqualTo(Z + SECOND);
        }

        @Test
        void stampOfAnOlderReadingIsStillNewerThanTheLastOne() {
            clock.nextStampNanos(Z);

            assertThat(clock.nextStampNanos(Z - HOUR)).isEqualTo(Z + 1);
        }

        @Test
        void peekingShowsTheNextStampAndUsesUpNone() {
            clock.nextStampNanos(Z);

            assertThat(clock.peekStampNanos(Z)).isEqualTo(Z + 1);
            assertThat(clock.peekStampNanos(Z + SECOND)).isEqualTo(Z + SECOND);
            assertThat(clock.nextStampNanos(Z)).isEqualTo(Z + 1);
        }

        @Test
        void noStampFollowsTheLastInt64() {
            clock.nextStampNanos(Long.MAX_VALUE);

            assertThatExceptionOfType(ArithmeticException.class)
                    .isThrownBy(() -> clock.nextStampNanos(Z))
                    .withMessageStartingWith("overflow: next stamp");
            assertThat(clock.lastStampNanos()).isEqualTo(Long.MAX_VALUE);
        }

        @Test
        void threadsThatShareTheClockNeverShareAStamp() {
            int count = 20_000;

            long distinct = IntStream.range(0, count)
                    .parallel()
                    .mapToLong(ignored -> clock.nextStampNanos(Z))
                    .distinct()
                    .count();

            assertThat(distinct).isEqualTo(count);
            assertThat(clock.lastStampNanos()).isEqualTo(Z + count - 1);
        }
    }
}
