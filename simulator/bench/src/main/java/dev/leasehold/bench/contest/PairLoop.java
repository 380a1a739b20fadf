package dev.leasehold.bench.contest;

import dev.leasehold.bench.measure.Timings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** Callers that acquire and release, each a lock of its own, again and again. */
public final class PairLoop {

    /** What is counted as one operation. */
    public enum Count {
        /** An acquisition and its release, together. */
        PAIRS,
        /** Each of them. */
        PARTS
    }

    private final Locks locks;
    private final String prefix;
    private final Count count;

    /**
     * A loop that has not begun.
     *
     * @param locks the library at work
     * @param prefix of the names of the locks; each caller adds its number
     */
    public PairLoop(Locks locks, String prefix, Count count) {
        this.locks = locks;
        this.prefix = prefix;
        this.count = count;
    }

    /**
     * Lets callers run.
     *
     * @param callers how many, each in a thread of its own
     * @param startNanos when they begin, by the monotonic clock
     * @param duration for how long they begin further pairs
     * @return what all of them did
     * @throws Exception what the library threw first
     */
    public Timings run(int callers, long startNanos, Duration duration) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        try {
            List<Future<Caller>> running = new ArrayList<>();
            for (int number = 0; number < callers; number++) {
                running.add(threads.submit(new Caller(prefix + number, startNanos, startNanos + duration.toNanos())));
            }
            return sum(running, startNanos);
        } finally {
            threads.shutdownNow();
        }
    }

    private static Timings sum(List<Future<Caller>> running, long startNanos) throws Exception {
        Histogram sum = Timings.newHistogram();
        long endNanos = startNanos;
        for (Future<Caller> future : running) {
            try {
                Caller caller = future.get();
                sum.add(caller.latencies);
                endNanos = Math.max(endNanos, caller.lastNanos);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }
        return new Timings(sum, endNanos - startNanos);
    }

    private final class Caller implements Callable<Caller> {

        private final String name;
        private final long startNanos;
        private final long endNanos;
        private final Histogram latencies = Timings.newHistogram();
        private long lastNanos;

        Caller(String name, long startNanos, long endNanos) {
            this.name = name;
            this.startNanos = startNanos;
            this.endNanos = endNanos;
        }

        @Override
        public Caller call() throws Exception {
            while (System.nanoTime() < startNanos) {
                LockSupport.parkNanos(startNanos - System.nanoTime());
            }
            lastNanos = System.nanoTime();
            // One at least: on a crowded machine a thread may begin when the others have ended.
            do {
                pair();
            } while (lastNanos < endNanos);
            return this;
        }

        private void pair() throws Exception {
            long beforeNanos = lastNanos;
            Held held = locks.acquire(name);
            long betweenNanos = System.nanoTime();
            held.release();
            lastNanos = System.nanoTime();
            if (count == Count.PAIRS) {
                latencies.recordValue(lastNanos - beforeNanos);
            } else {
                latencies.recordValue(betweenNanos - beforeNanos);
                latencies.recordValue(lastNanos - betweenNanos);
            }
        }
    }
}
