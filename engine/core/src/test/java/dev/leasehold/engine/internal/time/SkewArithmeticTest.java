package dev.leasehold.engine.internal.time;

import static dev.leasehold.engine.internal.time.Fixture.DEFAULT_DRIFT;
import static dev.leasehold.engine.internal.time.Fixture.NO_DRIFT;
import static dev.leasehold.engine.internal.time.Fixture.SECOND;
import static dev.leasehold.engine.internal.time.Fixture.Z;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.LocalTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bound from one observation: its rows, its edges and every small value. */
class SkewArithmeticTest {

    @Nested
    class BoundOfAnotherWriter {

        @Test
        @DisplayName("SK-2: the time left on the writer's clock counts from the end of the read, and is stretched")
        void timeLeftCountsFromTheEndOfTheRead() {
            Observation seen = new Observation(Z - 3 * SECOND, Z - SECOND, Z - 9 * SECOND);

            assertThat(seen.safeAfterNanos(Z, NO_DRIFT)).isEqualTo(Z + 8 * SECOND);
            assertThat(seen.safeAfterNanos(Z, DEFAULT_DRIFT)).isEqualTo(Z + 8_018_018_019L);
        }

        @ParameterizedTest
        @ValueSource(longs = {0, 1000, 500_000, 999_999})
        @DisplayName("SK-3: a writer that has passed the instant already needs no wait, at any drift")
        void instantThatTheWriterHasPassedNeedsNoWait(long ppm) {
            Observation seen = new Observation(Z - 3 * SECOND, Z - SECOND, Z + 9 * SECOND);

            assertThat(seen.safeAfterNanos(Z, new Drift(ppm))).isEqualTo(Z - SECOND);
        }

        @Test
        @DisplayName("SK-4: a stamp from within the read window counts from the end of the read as well")
        void stampFromWithinTheReadWindowCountsFromItsEnd() {
            Observation seen = new Observation(Z - 5 * SECOND, Z - SECOND, Z - 2 * SECOND);

            assertThat(seen.safeAfterNanos(Z, NO_DRIFT)).isEqualTo(Z + SECOND);
            assertThat(seen.safeAfterNanos(Z, DEFAULT_DRIFT)).isEqualTo(Z + 1_004_004_005L);
        }

        @ParameterizedTest
        @ValueSource(longs = {0, 1, 4 * SECOND, Fixture.HOUR, Z})
        @DisplayName("SK-5: when the read began takes no part")
        void beginningOfTheReadTakesNoPart(long windowNanos) {
            long endedNanos = Z - SECOND;
            Observation seen = new Observation(endedNanos - windowNanos, endedNanos, Z - 2 * SECOND);

            assertThat(seen.safeAfterNanos(Z, NO_DRIFT)).isEqualTo(Z + SECOND);
            assertThat(seen.safeAfterNanos(Z, DEFAULT_DRIFT)).isEqualTo(Z + 1_004_004_005L);
        }

        @ParameterizedTest(name = "{0} ns at 1000 ppm are {1} ns")
        @CsvSource({"999, 1001", "1, 2", "1000, 1003", "60000000000, 60120120121"})
        @DisplayName("SK-7, SK-8: a wait is stretched to the nanosecond, and a fraction of one is rounded up")
        void fractionOfANanosecondIsRoundedUp(long nanos, long stretchedNanos) {
            assertThat(ExpiryBound.nanos(Z, Z, Z + nanos, DEFAULT_DRIFT)).isEqualTo(Z + stretchedNanos);
        }
    }

    @Nested
    @DisplayName("SK-6: A writes at 01:00:00 (A) until 01:00:30 (A), B is 20 s ahead, C is 5 s behind")
    class ThreeClocks {

        private static final long OFFSET_OF_B = 20 * SECOND;
        private static final long OFFSET_OF_C = -5 * SECOND;

        private final long writtenByA = timeOfDay("01:00:00");
        private final long expiryOfA = timeOfDay("01:00:30");
        private final Observation seenByB = new Observation(timeOfDay("01:00:20"), timeOfDay("01:00:24"), writtenByA);
        private final Observation seenByC = new Observation(timeOfDay("00:59:55"), timeOfDay("00:59:58"), writtenByA);

        @Test
        @DisplayName("SK-6: each bound is on its own reader's clock")
        void eachBoundIsOnTheClockOfItsReader() {
            assertThat(seenByB.safeAfterNanos(expiryOfA, NO_DRIFT)).isEqualTo(timeOfDay("01:00:54"));
            assertThat(seenByC.safeAfterNanos(expiryOfA, NO_DRIFT)).isEqualTo(timeOfDay("01:00:28"));
            assertThat(seenByB.safeAfterNanos(expiryOfA, DEFAULT_DRIFT)).isEqualTo(timeOfDay("01:00:54.060060061"));
            assertThat(seenByC.safeAfterNanos(expiryOfA, DEFAULT_DRIFT)).isEqualTo(timeOfDay("01:00:28.060060061"));
        }

        @Test
        @DisplayName("SK-6: the one that read earlier acts earlier, and none before the expiry")
        void earlierReaderActsFirst() {
            long boundOfB = seenByB.safeAfterNanos(expiryOfA, NO_DRIFT);
            long boundOfC = seenByC.safeAfterNanos(expiryOfA, NO_DRIFT);

            assertThat(boundOfB - OFFSET_OF_B).isEqualTo(timeOfDay("01:00:34"));
            assertThat(boundOfC - OFFSET_OF_C).isEqualTo(timeOfDay("01:00:33"));

            long whenCActs = ExpiryBound.firstNanosAfter(boundOfC);
            assertThat(ExpiryBound.hasPassed(whenCActs, boundOfC)).isTrue();
            assertThat(ExpiryBound.hasPassed(whenCActs - OFFSET_OF_C + OFFSET_OF_B, boundOfB))
                    .isFalse();
        }

        private static long timeOfDay(String text) {
            return LocalTime.parse(text).toNanoOfDay();
        }
    }

    @Nested
    class Strictness {

        private final long boundNanos = ExpiryBound.nanos(Z, 0, 63 * SECOND, NO_DRIFT);

        @Test
        @DisplayName("HA-28: the first instant to act at is one nanosecond after the bound of what is stored")
        void firstInstantAfterTheBoundIsOneNanosecondLater() {
            assertThat(ExpiryBound.firstNanosAfter(boundNanos)).isEqualTo(Z + 63 * SECOND + 1);
            assertThat(ExpiryBound.hasPassed(Z + 63 * SECOND, boundNanos)).isFalse();
            assertThat(ExpiryBound.hasPassed(Z + 63 * SECOND + 1, boundNanos)).isTrue();
        }

        @Test
        void lastBoundBelowNeverStillHasAnInstantAfterIt() {
            assertThat(ExpiryBound.firstNanosAfter(Long.MAX_VALUE - 1)).isEqualTo(Long.MAX_VALUE);
            assertThat(ExpiryBound.hasPassed(Long.MAX_VALUE, Long.MAX_VALUE - 1))
                    .isTrue();
        }
    }

    @Nested
    class WhatDoesNotFit {

        @Test
        @DisplayName("SK-9: a bound beyond int64 is never, and not a wrapped, early value")
        void boundBeyondTheTopIsNever() {
            assertThat(ExpiryBound.nanos(Long.MAX_VALUE - 10, 0, 11, NO_DRIFT)).isEqualTo(ExpiryBound.NEVER);
            assertThat(ExpiryBound.nanos(Long.MAX_VALUE - 10, 0, 10, NO_DRIFT)).isEqualTo(ExpiryBound.NEVER);
            assertThat(ExpiryBound.nanos(Long.MAX_VALUE - 10, 0, 9, NO_DRIFT)).isEqualTo(Long.MAX_VALUE - 1);
            assertThat(ExpiryBound.nanos(Long.MAX_VALUE - 10, 0, 9, DEFAULT_DRIFT))
                    .isEqualTo(ExpiryBound.NEVER);
        }

        @Test
        @DisplayName("SK-9: nothing is after never")
        void nothingIsAfterNever() {
            assertThat(ExpiryBound.hasPassed(Long.MAX_VALUE, ExpiryBound.NEVER)).isFalse();
            assertThatExceptionOfType(ArithmeticException.class)
                    .isThrownBy(() -> ExpiryBound.firstNanosAfter(ExpiryBound.NEVER))
                    .withMessageStartingWith("overflow")
                    .withMessageContaining("9223372036854775807");
        }

        @Test
        void timeLeftBeyondInt64IsNever() {
            assertThat(ExpiryBound.nanos(Long.MIN_VALUE, -1, Long.MAX_VALUE, NO_DRIFT))
                    .isEqualTo(ExpiryBound.NEVER);
            assertThat(ExpiryBound.nanos(Z, Long.MIN_VALUE, Long.MAX_VALUE, NO_DRIFT))
                    .isEqualTo(ExpiryBound.NEVER);
        }

        @Test
        void waitBeyondInt64IsNeverEvenFromTheFarPast() {
            assertThat(ExpiryBound.nanos(Long.MIN_VALUE, 0, Long.MAX_VALUE - 1, DEFAULT_DRIFT))
                    .isEqualTo(ExpiryBound.NEVER);
            assertThat(ExpiryBound.nanos(Long.MIN_VALUE, 0, Long.MAX_VALUE - 1, NO_DRIFT))
                    .isEqualTo(-2);
        }

        @Test
        void waitEndsExactlyWhereItFits() {
            assertThat(ExpiryBound.laterNanos(Z, 0)).isEqualTo(Z);
            assertThat(ExpiryBound.laterNanos(Long.MAX_VALUE - 5, 4)).isEqualTo(Long.MAX_VALUE - 1);
            assertThat(ExpiryBound.laterNanos(Long.MAX_VALUE - 5, 6)).isEqualTo(ExpiryBound.NEVER);
            assertThat(ExpiryBound.laterNanos(Long.MIN_VALUE, ExpiryBound.NEVER))
                    .isEqualTo(ExpiryBound.NEVER);
        }

        @ParameterizedTest(name = "{1} ns at {0} ppm")
        @CsvSource({
            "0, 9223372036854775806, 9223372036854775806",
            "999999, 4611688324271, 9223372036853675729",
            "999999, 4611688324272, 9223372036854775807",
            "500000, 3074457345618258602, 9223372036854775806",
            "500000, 3074457345618258603, 9223372036854775807",
            "1000, 9204943721096824205, 9223372036854775806",
            "1000, 9204943721096824207, 9223372036854775807"
        })
        void longestWaitThatFitsIsExact(long ppm, long nanos, long stretchedNanos) {
            assertThat(new Drift(ppm).stretchNanos(nanos)).isEqualTo(stretchedNanos);
        }
    }

    @Nested
    class TheDrift {

        @ParameterizedTest
        @ValueSource(longs = {0, 1, 999, 60 * SECOND, Z})
        @DisplayName("SK-12: drift 0 is accepted, and its factor is exactly 1")
        void noDriftChangesNothing(long nanos) {
            assertThat(NO_DRIFT.stretchNanos(nanos)).isEqualTo(nanos);
        }

        @Test
        void largestDriftIsAccepted() {
            assertThat(new Drift(999_999).stretchNanos(1)).isEqualTo(1_999_999);
        }

        @ParameterizedTest
        @ValueSource(longs = {-1, 1_000_000, 1_000_001, Long.MIN_VALUE, Long.MAX_VALUE})
        @DisplayName("SK-12: drift negative, or 1 000 000 ppm and more, is refused at construction")
        void driftOutOfRangeIsRefused(long ppm) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Drift(ppm))
                    .withMessageContaining(ppm + " ppm")
                    .withMessageContaining("must be 0 to 999999 ppm");
        }

        @ParameterizedTest
        @ValueSource(longs = {-1, Long.MIN_VALUE})
        void negativeElapsedTimeIsRefused(long nanos) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> DEFAULT_DRIFT.stretchNanos(nanos))
                    .withMessageContaining(nanos + " ns")
                    .withMessageContaining("must not be negative");
        }
    }

    @Nested
    class TheReadWindow {

        @Test
        void clockThatWentBackDuringTheReadIsNamedWithBothReadingsAndTheDifference() {
            assertThatExceptionOfType(ClockWentBackException.class)
                    .isThrownBy(() -> new Observation(Z, Z - 3, 0))
                    .withMessageContaining("went back by 3 ns")
                    .withMessageContaining("began at " + Z + " ns")
                    .withMessageContaining("ended at " + (Z - 3) + " ns");
        }

        @Test
        void largestStepBackIsNamedExactly() {
            assertThatExceptionOfType(ClockWentBackException.class)
                    .isThrownBy(() -> new Observation(Long.MAX_VALUE, Long.MIN_VALUE, 0))
                    .withMessageContaining("went back by 18446744073709551615 ns");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1000, 500_000})
    void everySmallValueMatchesTheReference(long ppm) {
        Drift drift = new Drift(ppm);
        for (long ended = -20; ended <= 20; ended++) {
            for (long stamp = -20; stamp <= 20; stamp++) {
                for (long x = -20; x <= 20; x++) {
                    assertThat(ExpiryBound.nanos(ended, stamp, x, drift))
                            .as("read ended %d, writer's stamp %d, x %d, drift %d ppm", ended, stamp, x, ppm)
                            .isEqualTo(SkewReference.safeAfterByTrying(ended, stamp, x, ppm));
                }
            }
        }
    }
}
