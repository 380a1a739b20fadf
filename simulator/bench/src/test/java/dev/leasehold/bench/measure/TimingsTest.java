package dev.leasehold.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TimingsTest {

    private static final long TURN_NANOS = 2_000_000_000L;

    private static Timings process(int operations, long ended, ProcessCost cost) {
        Histogram latencies = Timings.newHistogram();
        latencies.recordValueWithCount(1_000_000, operations);
        return new Timings(latencies, ended, TURN_NANOS, cost, null);
    }

    @Test
    void processesThatHadTheSameTurnAddUp() {
        Sample sum = Timings.sum(
                        List.of(process(8, 7, new ProcessCost(9_000, 30)), process(4, 3, new ProcessCost(11_000, 20))))
                .sample();

        assertThat(sum.operations()).isEqualTo(12);
        assertThat(sum.of(Quantity.RATE)).isEqualTo(5);
        assertThat(sum.of(Quantity.PROCESSOR)).isEqualTo(2_000);
        assertThat(sum.of(Quantity.THREAD_WAITS)).isEqualTo(5);
    }

    @Test
    void waitsThatOneProcessDoesNotTellAreNotKnownOfAll() {
        Sample sum = Timings.sum(List.of(
                        process(8, 7, new ProcessCost(9_000, 30)),
                        process(4, 3, new ProcessCost(11_000, ProcessCost.UNKNOWN))))
                .sample();

        assertThat(sum.values()).containsKey(Quantity.PROCESSOR).doesNotContainKey(Quantity.THREAD_WAITS);
    }
}
