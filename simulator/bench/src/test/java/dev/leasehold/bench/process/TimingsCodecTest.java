package dev.leasehold.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.bench.measure.ProcessCost;
import dev.leasehold.bench.measure.Timings;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TimingsCodecTest {

    private static final ProcessCost COST = new ProcessCost(29_000_000, ProcessCost.UNKNOWN);

    @Test
    void everyLatencySurvivesTheLine() {
        Histogram latencies = Timings.newHistogram();
        latencies.recordValue(1);
        latencies.recordValueWithCount(2_900_000, 17);
        latencies.recordValue(3_600_000_000_000L);

        Timings read = TimingsCodec.decode(TimingsCodec.encode(new Timings(latencies, 18, 4_711, COST)));

        assertThat(read.ended()).isEqualTo(18);
        assertThat(read.inNanos()).isEqualTo(4_711);
        assertThat(read.cost()).isEqualTo(COST);
        assertThat(read.latencyNanos()).isEqualTo(latencies);
    }

    @Test
    void whatIsNoHistogramIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> TimingsCodec.decode("4711"));
        assertThatIllegalArgumentException().isThrownBy(() -> TimingsCodec.decode("1 4711 5 6 bm90aGluZw=="));
        assertThatIllegalArgumentException().isThrownBy(() -> TimingsCodec.decode("1 4711 5 6 ???"));
    }
}
