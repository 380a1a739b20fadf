package dev.leasehold.engine.internal.time;

import static dev.leasehold.engine.internal.time.Fixture.HOUR;
import static dev.leasehold.engine.internal.time.Fixture.SECOND;
import static dev.leasehold.engine.internal.time.Fixture.Z;
import static dev.leasehold.engine.internal.time.Fixture.holds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A validity ends by local or by wall time, whichever comes first. */
class ValidityTest {

    private static final long MINUTE = 60 * SECOND;

    private final Validity validity = Validity.from(Z, Z, MINUTE);

    @Nested
    class Holding {

        @Test
        @DisplayName("HA-10: held until one nanosecond before the end, not at the end")
        void endItselfIsNotHeld() {
            assertThat(holds(validity, Z + MINUTE - 1, Z + MINUTE - 1)).isTrue();
            assertThat(holds(validity, Z + MINUTE, Z + MINUTE)).isFalse();
        }

        @Test
        @DisplayName("HA-11: monotonic stands still, as in a suspended machine: the wall ends the validity")
        void wallTimeEndsTheValidityOfASuspendedMachine() {
            assertThat(holds(validity, Z, Z + MINUTE - 1)).isTrue();
            assertThat(holds(validity, Z, Z + MINUTE)).isFalse();
            assertThat(holds(validity, Z + 1, Z + HOUR)).isFalse();
        }

        @Test
        @DisplayName("HA-12: the wall goes back 1 h: monotonic ends the validity all the same")
        void backwardStepOfTheWallProlongsNothing() {
            assertThat(holds(validity, Z + MINUTE - 1, Z - HOUR + MINUTE - 1)).isTrue();
            assertThat(holds(validity, Z + MINUTE, Z - HOUR + MINUTE)).isFalse();
        }

        @Test
        void clocksThatShowDifferentTimesAreEachCountedFromTheirOwnReading() {
            Validity apart = Validity.from(1000, Z, MINUTE);

            assertThat(apart).isEqualTo(new Validity(1000 + MINUTE, Z + MINUTE, MINUTE));
            assertThat(holds(apart, 1000 + MINUTE - 1, Z + MINUTE - 1)).isTrue();
        }
    }

    @Nested
    class CutShortByWall {

        @ParameterizedTest(name = "{0} ns behind the reading, and {1} ns by wall time: by {2} ns")
        @CsvSource({
            "0, 59999999999, 0",
            "0, 60000000000, 60000000000",
            "59999999999, 3600000000000, 1",
            "60000000000, 3600000000000, 0",
            "0, 0, 0",
            "60000000000, 0, 0"
        })
        void fromTheEndByWallTimeUntilThatByLocalTime(long elapsedNanos, long wallElapsedNanos, long cutNanos) {
            assertThat(validity.cutShortByWallNanos(Z + elapsedNanos, Z + wallElapsedNanos))
                    .isEqualTo(cutNanos);
        }
    }

    @Nested
    class Remaining {

        @ParameterizedTest(name = "{0} ns behind the reading, and {1} ns by wall time")
        @CsvSource({
            "10, 7, 59999999990",
            "7, 10, 59999999990",
            "59999999999, 0, 1",
            "60000000000, 0, 0",
            "0, 60000000000, 0",
            "3600000000000, 3600000000000, 0"
        })
        void isTheSmallerOfTheTwoAndNothingFromTheEndOn(long elapsedNanos, long wallElapsedNanos, long leftNanos) {
            assertThat(validity.remainingNanos(Z + elapsedNanos, Z + wallElapsedNanos))
                    .isEqualTo(leftNanos);
        }

        @Test
        void thatDoesNotFitIsTheGreatestInt64() {
            Validity endless = new Validity(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

            assertThat(endless.remainingNanos(-1, -1)).isEqualTo(Long.MAX_VALUE);
            assertThat(endless.remainingNanos(-1, Long.MAX_VALUE - 5)).isEqualTo(5);
            assertThat(endless.remainingNanos(Long.MIN_VALUE, 1)).isEqualTo(Long.MAX_VALUE - 1);
        }
    }

    @Nested
    class Longer {

        @Test
        void oneOfTheTwoCountsAndNeverAMixture() {
            Validity one = new Validity(10, 200, 10);
            Validity other = new Validity(20, 100, 10);

            assertThat(one.longer(other, 0, 0)).isEqualTo(other);
            assertThat(other.longer(one, 0, 0)).isEqualTo(other);
            assertThat(one.longer(other, 0, 95)).isEqualTo(one);
        }

        @Test
        void ofTwoWithAsMuchLeftTheFirstCounts() {
            Validity one = new Validity(10, 200, 10);
            Validity other = new Validity(20, 10, 10);

            assertThat(one.longer(other, 0, 0)).isEqualTo(one);
            assertThat(other.longer(one, 0, 0)).isEqualTo(other);
        }

        @Test
        void shorterExtendChangesNothing() {
            assertThat(validity.longer(Validity.from(Z + 1, Z + 1, SECOND), Z + 1, Z + 1))
                    .isEqualTo(validity);
        }
    }

    @Nested
    class WhatDoesNotFit {

        /** 2200-01-01T00:00:00Z, and a hundred years of 365 days. */
        private static final long YEAR_2200 = 7_258_118_400L * SECOND;

        private static final long HUNDRED_YEARS = 36_500L * 24 * HOUR;

        @Test
        void endByLocalTimeBeyondInt64IsAnError() {
            assertThatExceptionOfType(ArithmeticException.class)
                    .isThrownBy(() -> Validity.from(YEAR_2200, Z, HUNDRED_YEARS))
                    .withMessageStartingWith("overflow: end of the validity =")
                    .withMessageContaining("7258118400000000000 ns + 3153600000000000000 ns");
        }

        @Test
        void endByWallTimeBeyondInt64IsAnError() {
            assertThatExceptionOfType(ArithmeticException.class)
                    .isThrownBy(() -> Validity.from(Z, YEAR_2200, HUNDRED_YEARS))
                    .withMessageStartingWith("overflow: end of the validity by wall time =");
        }

        @Test
        void lastInstantOfInt64IsAnEndLikeAnyOther() {
            Validity last = Validity.from(Long.MAX_VALUE - 5, 0, 5);

            assertThat(holds(last, Long.MAX_VALUE - 1, 0)).isTrue();
            assertThat(holds(last, Long.MAX_VALUE, 0)).isFalse();
        }
    }
}
