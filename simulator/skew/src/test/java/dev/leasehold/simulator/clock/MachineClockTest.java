package dev.leasehold.simulator.clock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.plan.Machine;
import dev.leasehold.simulator.plan.Machine.Rate;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class MachineClockTest {

    private static final long SECOND = 1_000_000_000;

    private static MachineClock clock(long monotonicNanos, Rate... rates) {
        return new MachineClock(new Machine(monotonicNanos, 0, 1, List.of(rates)));
    }

    @Test
    void aClockWithoutRatesKeepsTrueTime() {
        assertThat(clock(7).monotonicNanos(5 * SECOND)).isEqualTo(5 * SECOND + 7);
    }

    @Test
    void eachRateCountsFromItsOwnInstantOn() {
        MachineClock clock = clock(0, new Rate(0, 1_000_000), new Rate(2 * SECOND, -1_000_000));

        assertThat(clock.monotonicNanos(SECOND)).isEqualTo(1_001_000_000);
        assertThat(clock.monotonicNanos(3 * SECOND)).isEqualTo(2_002_000_000L + 999_000_000);
    }

    @Test
    void aReadingIsRoundedDownToAWholeNanosecond() {
        MachineClock fast = clock(0, new Rate(0, 1_000_000));
        MachineClock slow = clock(0, new Rate(0, -1_000_000));

        assertThat(fast.monotonicNanos(999)).isEqualTo(999);
        assertThat(fast.monotonicNanos(1000)).isEqualTo(1001);
        assertThat(slow.monotonicNanos(1)).isZero();
        assertThat(slow.monotonicNanos(1000)).isEqualTo(999);
    }

    @Test
    void aReadingMayWrapAroundAndWhatElapsedDoesNot() {
        MachineClock clock = clock(Long.MAX_VALUE - 1);

        assertThat(clock.monotonicNanos(3)).isEqualTo(Long.MIN_VALUE + 1);
        assertThat(clock.elapsedNanos(1, 3)).isEqualTo(2);
    }

    @Test
    void aSuspendedClockStandsStillAndGoesOnAtItsRate() {
        MachineClock clock = clock(0, new Rate(0, 0), new Rate(3 * SECOND, 1_000_000));
        clock.stop(SECOND, 4 * SECOND);

        assertThat(clock.monotonicNanos(4 * SECOND)).isEqualTo(SECOND);
        assertThat(clock.monotonicNanos(5 * SECOND)).isEqualTo(2_001_000_000L);
        assertThat(clock.stoppedNanos(0, 2 * SECOND)).isEqualTo(SECOND);
        assertThat(clock.stoppedNanos(0, 9 * SECOND)).isEqualTo(3 * SECOND);
    }

    @Test
    void whatWasBeforeAChangeStaysAsItWas() {
        MachineClock clock = clock(0);
        clock.setRate(SECOND, 500_000);
        clock.setMonotonic(2 * SECOND, -5);
        clock.stepWall(3 * SECOND, -SECOND);

        assertThat(clock.monotonicNanos(SECOND)).isEqualTo(SECOND);
        assertThat(clock.monotonicNanos(2 * SECOND - 1)).isGreaterThan(SECOND);
        assertThat(clock.monotonicNanos(2 * SECOND)).isEqualTo(-5);
        assertThat(clock.elapsedNanos(0, 2 * SECOND)).isEqualTo(2_000_500_000);
        assertThat(clock.wallNanos(3 * SECOND - 1)).isEqualTo(3 * SECOND - 1);
        assertThat(clock.wallNanos(3 * SECOND)).isEqualTo(2 * SECOND);
    }

    @Test
    void theWallClockShowsWholeMultiplesOfItsPrecision() {
        MachineClock clock = new MachineClock(new Machine(0, -1_500_000, 1_000_000, List.of()));

        assertThat(clock.wallNanos(0)).isEqualTo(-2_000_000);
        assertThat(clock.wallNanos(1_500_000)).isZero();
    }

    @Test
    void aClockThatStandsStillForEverNeverGetsThere() {
        MachineClock clock = clock(0);
        clock.setRate(SECOND, -SECOND);

        assertThat(clock.afterElapsedNanos(0, SECOND)).isEqualTo(SECOND);
        assertThat(clock.afterElapsedNanos(0, SECOND + 1)).isEqualTo(Long.MAX_VALUE);
    }

    @Property(tries = 300)
    void theInstantAfterARunIsTheFirstAtWhichTheClockHasRunThatFar(
            @ForAll @LongRange(min = -500_000_000, max = 500_000_000) long firstPpb,
            @ForAll @LongRange(min = -500_000_000, max = 500_000_000) long secondPpb,
            @ForAll @LongRange(min = 1, max = 100_000_000_000L) long changeNanos,
            @ForAll @LongRange(min = 0, max = 100_000_000_000L) long fromNanos,
            @ForAll @LongRange(min = 1, max = 100_000_000_000L) long runNanos) {
        MachineClock clock = clock(3, new Rate(0, firstPpb), new Rate(changeNanos, secondPpb));
        clock.stop(changeNanos + 1, changeNanos + 1 + SECOND);

        long atNanos = clock.afterElapsedNanos(fromNanos, runNanos);

        assertThat(clock.elapsedNanos(fromNanos, atNanos)).isGreaterThanOrEqualTo(runNanos);
        assertThat(clock.elapsedNanos(fromNanos, atNanos - 1)).isLessThan(runNanos);
    }
}
