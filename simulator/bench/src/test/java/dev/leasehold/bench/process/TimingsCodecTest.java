package dev.leasehold.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.bench.measure.ProcessCost;
import dev.leasehold.bench.measure.Timings;
import dev.leasehold.bench.measure.Waits;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TimingsCodecTest {

    private static final ProcessCost COST = new ProcessCost(29_000_000, ProcessCost.UNKNOWN);
    private static final Waits WAITS =
            new Waits(List.of(List.of(new Waits.Wait(5, 7), new Waits.Wait(-1, Long.MAX_VALUE)), List.of()));

    @Test
    void everyLatencySurvivesTheLine() {
        Histogram latencies = Timings.newHistogram();
        latencies.recordValue(1);
        latencies.recordValueWithCount(2_900_000, 17);
        latencies.recordValue(3_600_000_000_000L);

        Timings read = TimingsCodec.decode(TimingsCodec.encode(new Timings(latencies, 18, 4_711, COST, WAITS)));

        assertThat(read.ended()).isEqualTo(18);
        assertThat(read.inNanos()).isEqualTo(4_711);
        assertThat(read.cost()).isEqualTo(COST);
        assertThat(read.latencyNanos()).isEqualTo(latencies);
        assertThat(read.waits()).isEqualTo(WAITS);
    }

    @Test
    void callersThatHadLocksOfTheirOwnTellNoWaits() {
        Timings timings = new Timings(Timings.newHistogram(), 18, 4_711, COST, null);

        assertThat(TimingsCodec.decode(TimingsCodec.encode(timings)).waits()).isNull();
    }

    @Test
    void whatIsNoHistogramIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> TimingsCodec.decode("4711"));
        assertThatIllegalArgumentException().isThrownBy(() -> TimingsCodec.decode("1 4711 5 6 bm90aGluZw== -"));
        assertThatIllegalArgumentException().isThrownBy(() -> TimingsCodec.decode("1 4711 5 6 ??? -"));
    }
}
