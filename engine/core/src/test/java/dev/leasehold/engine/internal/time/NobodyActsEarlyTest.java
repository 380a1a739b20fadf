package dev.leasehold.engine.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsReport;

/**
 * The clock argument played through with two clocks that run at rates of their own and show whole nanoseconds of something finer: a
 * simulation of what the bound is for, which knows nothing of how the bound is computed.
 */
class NobodyActsEarlyTest {

    private static final long PARTS_PER_NANO = 1_000_000;

    /** How fast a clock runs, within what the drift allows, in parts of a nanosecond per tick of true time. */
    enum Rate {
        SLOWEST,
        TRUE,
        FASTEST;

        long parts(long ppm) {
            return switch (this) {
                case SLOWEST -> PARTS_PER_NANO - ppm;
                case TRUE -> PARTS_PER_NANO;
                case FASTEST -> PARTS_PER_NANO + ppm;
            };
        }
    }

    /** A clock that showed 0 when the read was over, by how much it is ahead of that, and how fast it runs. */
    private record RunningClock(long phaseParts, long partsPerTick) {

        long nanosAt(long tick) {
            return (phaseParts + tick * partsPerTick) / PARTS_PER_NANO;
        }

        /** The first tick at which this clock shows the given time or more. */
        long tickOf(long nanos) {
            long missingParts = Math.max(0, nanos * PARTS_PER_NANO - phaseParts);
            return (missingParts + partsPerTick - 1) / partsPerTick;
        }
    }

    @Property(tries = 5000)
    @StatisticsReport(onFailureOnly = true)
    void whenTheReaderMayActTheWritersClockShowsTheInstant(
            @ForAll @LongRange(max = 100_000) long leftNanos,
            @ForAll @LongRange(max = 500_000) long ppm,
            @ForAll Rate readerRate,
            @ForAll Rate writerRate,
            @ForAll @LongRange(max = PARTS_PER_NANO - 1) long readerPhase,
            @ForAll @LongRange(max = PARTS_PER_NANO - 1) long writerPhase) {
        RunningClock reader = new RunningClock(readerPhase, readerRate.parts(ppm));
        RunningClock writer = new RunningClock(writerPhase, writerRate.parts(ppm));
        long bound = ExpiryBound.nanos(0, 0, leftNanos, new Drift(ppm));

        long spareNanos = writer.nanosAt(firstTickToActAt(reader, bound)) - leftNanos;

        assertThat(spareNanos).isNotNegative();
        Statistics.label("to spare")
                .collect(spareNanos == 0 ? "nothing" : "something")
                .coverage(seen -> seen.check("nothing").percentage(share -> share > 1));
    }

    private static long firstTickToActAt(RunningClock reader, long bound) {
        long tickOfBound = reader.tickOf(bound);
        boolean passed = ExpiryBound.hasPassed(reader.nanosAt(tickOfBound), bound);
        return passed ? tickOfBound : reader.tickOf(ExpiryBound.firstNanosAfter(bound));
    }
}
