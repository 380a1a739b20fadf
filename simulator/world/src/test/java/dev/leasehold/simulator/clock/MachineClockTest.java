package dev.leasehold.simulator.clock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.clock.Machine.Rate;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class MachineClockTest {

    private static final long SECOND = 1_000_000_000;

    /** As slow, and as fast, as plans let clocks be. */
    private static final long PPB_MIN = -SECOND + 1;

    private static final long PPB_MAX = SECOND;

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
    void aTickIsWhereTheClockShowsAllThatItHasRun() {
        MachineClock slow = clock(7, new Rate(0, -1_000_000));

        assertThat(slow.isAtTick(0)).isTrue();
        assertThat(slow.isAtTick(1)).isFalse();
        assertThat(slow.isAtTick(999)).isFalse();
        assertThat(slow.isAtTick(1000)).isTrue();
    }

    @Test
    void whatAClockHasRunAndDoesNotShowIsNotLostWhenItIsSetOrStandsStill() {
        MachineClock slow = clock(0, new Rate(0, -1_000_000));
        slow.setMonotonic(400, -5);
        slow.stop(700, 2000);

        // It has run 699.3 ns until it stands still, and goes on from there.
        assertThat(slow.isAtTick(2000)).isFalse();
        assertThat(slow.elapsedNanos(0, 2000)).isEqualTo(699);
        assertThat(slow.monotonicNanos(2299)).isEqualTo(-5 + 998 - 399);
        assertThat(slow.monotonicNanos(2300)).isEqualTo(-5 + 999 - 399);
        assertThat(slow.isAtTick(2300)).isTrue();
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
    void aClockThatIsWokenEarlyGoesOnAtTheRatesThatItWouldHaveHad() {
        MachineClock clock = clock(0, new Rate(0, 0), new Rate(6 * SECOND, 1_000_000));
        clock.stop(SECOND, 4 * SECOND);
        clock.stop(2 * SECOND, 5 * SECOND);

        clock.endStop(3 * SECOND);

        assertThat(clock.monotonicNanos(3 * SECOND)).isEqualTo(SECOND);
        assertThat(clock.monotonicNanos(6 * SECOND)).isEqualTo(4 * SECOND);
        assertThat(clock.monotonicNanos(7 * SECOND)).isEqualTo(5_001_000_000L);
        assertThat(clock.stoppedNanos(0, 9 * SECOND)).isEqualTo(2 * SECOND);
    }

    @Test
    void aClockThatRunsIsNotChangedByTheEndOfAStop() {
        MachineClock clock = clock(0, new Rate(0, 0), new Rate(6 * SECOND, 1_000_000));

        clock.endStop(3 * SECOND);

        assertThat(clock.monotonicNanos(7 * SECOND)).isEqualTo(7_001_000_000L);
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

    @Property(tries = 500)
    void manyPiecesOfOneRateShowWhatOnePieceShows(
            @ForAll @LongRange(min = PPB_MIN, max = PPB_MAX) long ppb,
            @ForAll @Size(max = 20) List<@LongRange(min = 1, max = 100_000_000_000L) Long> cuts,
            @ForAll @LongRange(min = 0, max = 100_000_000_000L) long atNanos) {
        List<Long> cutsNanos = cuts.stream().sorted().distinct().toList();
        MachineClock whole = clock(3, new Rate(0, ppb));
        List<Rate> rates = new ArrayList<>(List.of(new Rate(0, ppb)));
        cutsNanos.forEach(cutNanos -> rates.add(new Rate(cutNanos, ppb)));
        MachineClock drawn = clock(3, rates.toArray(Rate[]::new));
        MachineClock told = clock(3, new Rate(0, ppb));
        for (int i = 0; i < cutsNanos.size(); i++) {
            if (i % 2 == 0) {
                told.setRate(cutsNanos.get(i), ppb);
            } else {
                told.setMonotonic(cutsNanos.get(i), told.monotonicNanos(cutsNanos.get(i)));
            }
        }

        for (MachineClock pieces : List.of(drawn, told)) {
            assertSame(pieces, whole, atNanos);
            for (long cutNanos : cutsNanos) {
                assertSame(pieces, whole, cutNanos - 1);
                assertSame(pieces, whole, cutNanos);
                assertSame(pieces, whole, cutNanos + 1);
            }
        }
    }

    private static void assertSame(MachineClock pieces, MachineClock whole, long atNanos) {
        assertThat(pieces.monotonicNanos(atNanos)).isEqualTo(whole.monotonicNanos(atNanos));
        assertThat(pieces.elapsedNanos(0, atNanos)).isEqualTo(whole.elapsedNanos(0, atNanos));
        assertThat(pieces.isAtTick(atNanos)).isEqualTo(whole.isAtTick(atNanos));
    }

    /** Some in tenths of true time, the clock that stands still among them, so that ticks are frequent. */
    @Provide
    Arbitrary<List<Long>> ratesInPpb() {
        Arbitrary<Long> any = Arbitraries.longs().between(PPB_MIN, PPB_MAX);
        Arbitrary<Long> tenths = Arbitraries.longs().between(-10, 10).map(tenth -> tenth * SECOND / 10);
        return Arbitraries.oneOf(
                tenths.list().ofSize(5), Arbitraries.oneOf(any, tenths).list().ofSize(5));
    }

    @Property(tries = 1000)
    void aClockShowsTheWholeNanosecondsOfWhatItHasRunExactly(
            @ForAll("ratesInPpb") List<Long> ppb,
            @ForAll @Size(5) List<@LongRange(min = 1, max = 10_000_000_000L) Long> lengthsNanos,
            @ForAll @LongRange(min = Long.MIN_VALUE, max = Long.MAX_VALUE) long shownNanos,
            @ForAll @LongRange(min = 0, max = 60_000_000_000L) long atNanos) {
        List<Rate> rates = new ArrayList<>();
        long fromNanos = 0;
        BigInteger ran = BigInteger.ZERO;
        for (int i = 0; i < 5; i++) {
            rates.add(new Rate(fromNanos, ppb.get(i)));
            long untilNanos = i == 4 ? Long.MAX_VALUE : fromNanos + lengthsNanos.get(i);
            long spanNanos = Math.max(0, Math.min(atNanos, untilNanos) - fromNanos);
            ran = ran.add(BigInteger.valueOf(spanNanos).multiply(BigInteger.valueOf(SECOND + ppb.get(i))));
            fromNanos = untilNanos;
        }
        MachineClock clock = clock(shownNanos, rates.toArray(Rate[]::new));

        BigInteger[] wholeAndFraction = ran.divideAndRemainder(BigInteger.valueOf(SECOND));
        assertThat(clock.elapsedNanos(0, atNanos)).isEqualTo(wholeAndFraction[0].longValueExact());
        assertThat(clock.monotonicNanos(atNanos)).isEqualTo(shownNanos + wholeAndFraction[0].longValueExact());
        assertThat(clock.isAtTick(atNanos)).isEqualTo(wholeAndFraction[1].signum() == 0);
    }

    @Test
    void wallClockShowsTheSameUntilItsNextTick() {
        MachineClock clock = new MachineClock(new Machine(0, -1_500_000, 1_000_000, List.of()));
        long tickNanos = clock.nextWallTickNanos(700_000);
        assertThat(tickNanos).isEqualTo(1_500_000);
        assertThat(clock.wallNanos(tickNanos - 1)).isEqualTo(clock.wallNanos(700_000));
        assertThat(clock.wallNanos(tickNanos)).isEqualTo(0);
    }
}
