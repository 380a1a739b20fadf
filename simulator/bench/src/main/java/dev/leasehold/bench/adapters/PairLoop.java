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
    private final String prefix;
    private final Count count;
    private final LongSupplier nanoTime;
    private final boolean isShared;

    /**
     * A loop that has not begun.
     *
     * @param locks the library at work
     * @param prefix of the names of the locks; each caller adds its number
     */
    public PairLoop(Locks locks, String prefix, Count count) {
        this(locks, prefix, count, System::nanoTime, false);
    }

    PairLoop(Locks locks, String prefix, Count count, LongSupplier nanoTime, boolean isShared) {
        this.isShared = isShared;
        this.locks = locks;
        this.prefix = prefix;
        this.count = count;
        this.nanoTime = nanoTime;
    }

    /** A loop in which all callers want the lock of this name. */
    public static PairLoop onOneLock(Locks locks, String name) {
        return new PairLoop(locks, name, Count.PAIRS, System::nanoTime, true);
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
            List<Future<Caller>> running = new ArrayList<>();
            for (int number = 0; number < callers; number++) {
                running.add(threads.submit(new Caller(isShared ? prefix : prefix + number, turn)));
            }
            return sum(running, turn);
        } finally {
            threads.shutdownNow();
        }
    }

    private Timings sum(List<Future<Caller>> running, Turn turn) throws Exception {
        Histogram sum = Timings.newHistogram();
        long ended = 0;
        List<List<Waits.Wait>> waits = new ArrayList<>();
        for (Future<Caller> future : running) {
            try {
                Caller caller = future.get();
                sum.add(caller.latencies);
                ended += caller.ended;
                waits.add(caller.waits);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }
        return new Timings(sum, ended, turn.durationNanos(), null, isShared ? new Waits(waits) : null);
    }

    private final class Caller implements Callable<Caller> {

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
        public Caller call() throws Exception {
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
            return this;
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
