package dev.leasehold.bench.row;

import dev.leasehold.bench.measure.Timings;
import dev.leasehold.bench.process.WorkerProcess;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;

/** What several processes did at the same time, as if one had done it. */
final class TimingsSum {

    private TimingsSum() {}

    static Timings of(List<CompletableFuture<Timings>> running) throws InterruptedException {
        Histogram sum = Timings.newHistogram();
        long longestNanos = 1;
        for (CompletableFuture<Timings> each : running) {
            Timings timings = WorkerProcess.await(each);
            sum.add(timings.latencyNanos());
            longestNanos = Math.max(longestNanos, timings.elapsedNanos());
        }
        return new Timings(sum, longestNanos);
    }
}
