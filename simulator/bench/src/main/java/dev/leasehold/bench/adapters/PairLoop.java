package dev.leasehold.bench.adapters;

import dev.leasehold.bench.measure.Timings;
import dev.leasehold.bench.measure.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/** Callers that acquire and release again and again, each a lock of its own, or all the same one. */
public final class PairLoop {

    /** What is counted as one operation. */
    public enum Count {
        /** An acquisition and its release, together. */
        PAIRS,
        /** Each of them. */
        PARTS
    }

    private final Locks locks;
    private final String name;
    private final boolean isShared;
    private final Count count;
    private final LongSupplier nanoTime;

    /**
     * A loop that has not begun.
     *
     * @param locks the library at work
     * @param name of the lock; where each caller has its own, it adds its number
     * @param isShared whether all want the same one
     */
    public PairLoop(Locks locks, String name, boolean isShared, Count count) {
        this(locks, name, isShared, count, System::nanoTime);
    }

    PairLoop(Locks locks, String name, boolean isShared, Count count, LongSupplier nanoTime) {
        this.locks = locks;
        this.name = name;
        this.isShared = isShared;
        this.count = count;
        this.nanoTime = nanoTime;
    }

    /**
     * Lets callers run.
     *
     * @param callers how many, each in a thread of its own
     * @param turn when they do
     * @return what all of them did
     * @throws Exception what the library threw first
     */
    public Timings run(int callers, Turn turn) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        try {
            List<Future<Timings>> running = new ArrayList<>();
            for (int number = 0; number < callers; number++) {
                running.add(threads.submit(new Caller(isShared ? name : name + number, turn)));
            }
            List<Timings> timings = new ArrayList<>();
            for (Future<Timings> each : running) {
                timings.add(each.get());
            }
            return Timings.sum(timings);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            threads.shutdownNow();
        }
    }

    private final class Caller implements Callable<Timings> {

        private final String name;
        private final Turn turn;
        private final Histogram latencies = Timings.newHistogram();
        /** Empty where each caller has a lock of its own. */
        private final List<Waits.Wait> waits = new ArrayList<>();

        private long ended;
        private long lastNanos;

        Caller(String name, Turn turn) {
            this.name = name;
            this.turn = turn;
        }

        @Override
        public Timings call() throws Exception {
            while (nanoTime.getAsLong() < turn.beginNanos()) {
                LockSupport.parkNanos(turn.beginNanos() - nanoTime.getAsLong());
            }
            lastNanos = nanoTime.getAsLong();
            Histogram settling = Timings.newHistogram();
            while (lastNanos < turn.startNanos()) {
                pair(settling);
            }
            // One at least: on a crowded machine a thread may begin when the others have ended.
            do {
                pair(latencies);
            } while (lastNanos < turn.endNanos());
            return new Timings(
                    latencies, ended, turn.durationNanos(), null, isShared ? new Waits(List.of(waits)) : null);
        }

        private void pair(Histogram into) throws Exception {
            long beforeNanos = lastNanos;
            Held held = locks.acquire(name);
            long betweenNanos = nanoTime.getAsLong();
            if (isShared && into == latencies) {
                waits.add(new Waits.Wait(beforeNanos, betweenNanos));
            }
            held.release();
            lastNanos = nanoTime.getAsLong();
            if (count == Count.PAIRS) {
                record(into, beforeNanos, lastNanos);
            } else {
                record(into, beforeNanos, betweenNanos);
                record(into, betweenNanos, lastNanos);
            }
        }

        private void record(Histogram into, long fromNanos, long toNanos) {
            into.recordValue(toNanos - fromNanos);
            // What is still to end when the turn is over takes a time that is no part of it, and differs from one to
            // the other.
            ended += turn.covers(toNanos) ? 1 : 0;
        }
    }
}
