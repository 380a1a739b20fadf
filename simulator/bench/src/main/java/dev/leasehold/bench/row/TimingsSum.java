package dev.leasehold.bench.row;

import dev.leasehold.bench.measure.ProcessCost;
import dev.leasehold.bench.measure.Timings;
import dev.leasehold.bench.measure.Waits;
import dev.leasehold.bench.process.WorkerProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;

/** What several processes did at the same time, as if one had done it: they all had the same turn. */
final class TimingsSum {

    private TimingsSum() {}

    static Timings of(List<CompletableFuture<Timings>> running) throws InterruptedException {
        Histogram sum = Timings.newHistogram();
        long ended = 0;
        long turnNanos = 1;
        List<List<Waits.Wait>> waits = new ArrayList<>();
        ProcessCost cost = new ProcessCost(0, 0);
        for (CompletableFuture<Timings> each : running) {
            Timings timings = WorkerProcess.await(each);
            sum.add(timings.latencyNanos());
            ended += timings.ended();
            turnNanos = Math.max(turnNanos, timings.inNanos());
            if (timings.waits() != null) {
                waits.addAll(timings.waits().ofCallers());
            }
            cost = cost.plus(Objects.requireNonNull(timings.cost(), "a process tells its cost"));
        }
        return new Timings(sum, ended, turnNanos, cost, waits.isEmpty() ? null : new Waits(waits));
    }
}
