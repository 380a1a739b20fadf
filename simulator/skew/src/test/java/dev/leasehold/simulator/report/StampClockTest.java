package dev.leasehold.simulator.report;

import static dev.leasehold.simulator.report.Script.MS;
import static dev.leasehold.simulator.report.Script.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.clock.Machine;
import org.junit.jupiter.api.Test;

/** Stamps of writers as instants of true time. */
class StampClockTest {

    private final Script script =
            new Script(Script.SETTING).machine(new Machine.Rate(0, 1_000_000)).starts(0);

    private long trueNanosOf(String writer, long stamp) {
        return new StampClock(script.history()).trueNanos(writer, stamp);
    }

    @Test
    void aStampIsMappedToTheFirstInstantAtWhichTheClockShowsIt() {
        long stamp = script.at(20 * SECOND).stamp(0);

        assertThat(trueNanosOf(script.writer(0), stamp)).isEqualTo(20 * SECOND);
        assertThat(trueNanosOf(script.writer(0), stamp + 1)).isEqualTo(20 * SECOND + 1);
    }

    @Test
    void everyEngineOfAMachineHasItsOwnOrigin() {
        String first = script.writer(0);
        script.at(5 * SECOND).crashes(0, SECOND).at(6 * SECOND + 300).starts(0);
        long stamp = script.at(20 * SECOND).stamp(0);

        assertThat(trueNanosOf(script.writer(0), stamp)).isEqualTo(20 * SECOND);
        assertThat(trueNanosOf(first, stamp)).isNotEqualTo(20 * SECOND);
    }

    @Test
    void aClockThatStandsStillForASuspendShowsItLater() {
        long stamp = script.at(20 * SECOND).stamp(0);
        script.clock(0).stop(10 * SECOND, 13 * SECOND);

        assertThat(trueNanosOf(script.writer(0), stamp)).isBetween(23 * SECOND - MS, 23 * SECOND + MS);
    }

    @Test
    void theStampOfAnEngineThatNeverStartedIsNotMapped() {
        assertThat(trueNanosOf("m0#0i7n0", 1)).isEqualTo(Long.MAX_VALUE);
    }
}
