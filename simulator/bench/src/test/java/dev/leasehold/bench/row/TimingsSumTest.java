package dev.leasehold.bench.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.bench.measure.ProcessCost;
import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Timings;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TimingsSumTest {

    private static final long TURN_NANOS = 2_000_000_000L;

    private static CompletableFuture<Timings> answer(int operations, long ended, ProcessCost cost) {
        Histogram latencies = Timings.newHistogram();
        latencies.recordValueWithCount(1_000_000, operations);
        return CompletableFuture.completedFuture(new Timings(latencies, ended, TURN_NANOS, cost, null));
    }

    @Test
    void processesThatHadTheSameTurnAddUp() throws Exception {
        Timings sum = TimingsSum.of(
                List.of(answer(8, 7, new ProcessCost(9_000, 30)), answer(4, 3, new ProcessCost(11_000, 20))));

        assertThat(sum.operations()).isEqualTo(12);
        assertThat(sum.of(Quantity.RATE)).isEqualTo(5);
        assertThat(sum.of(Quantity.PROCESSOR)).isEqualTo(2_000);
        assertThat(sum.of(Quantity.THREAD_WAITS)).isEqualTo(5);
    }

    @Test
    void waitsThatOneProcessDoesNotTellAreNotKnownOfAll() throws Exception {
        Timings sum = TimingsSum.of(List.of(
                answer(8, 7, new ProcessCost(9_000, 30)), answer(4, 3, new ProcessCost(11_000, ProcessCost.UNKNOWN))));

        assertThat(sum.quantities()).contains(Quantity.PROCESSOR).doesNotContain(Quantity.THREAD_WAITS);
    }
}
