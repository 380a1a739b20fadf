package dev.leasehold.simulator.campaign;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Asks an engine again and again which tenures are valid, and writes that down. What is valid when it is asked is so since the
 * question began, as it was valid before, or granted before: so each word counts from the begin of its question.
 */
final class ValidityWatch implements AutoCloseable {

    private static final long PERIOD_MILLIS = 2;
    /** From which gap between two rounds the process has slept. */
    private static final long SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** An answer that took longer tells too little of its instant. */
    private static final long ANSWER_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(1);
    /** The same end, as far as two answers can agree. */
    private static final long SAME_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** What is over is looked at for so many rounds more: nothing must bring it back. */
    private static final int ROUNDS_AFTER_THE_END = 100;

    private final LeaseEngine engine;
    private final Journal journal;
    private final Map<Tenure, Watched> watched = new ConcurrentHashMap<>();
    private final CompletableFuture<Void> watching;
    private volatile boolean closed;

    ValidityWatch(LeaseEngine engine, Journal journal) {
        this.engine = engine;
        this.journal = journal;
        this.watching = CompletableFuture.runAsync(this::run, task -> new Thread(task, "validity watch").start());
    }

    /** What was said of a tenure so far. */
    private final class Watched {
        private final Tenure tenure;
        private final Supplier<Duration> remaining;
        private boolean said;
        private boolean stale;
        private long saidUntilNanos;
        private long lastNanos;
        private int roundsOver;

        Watched(Tenure tenure, Supplier<Duration> remaining) {
            this.tenure = tenure;
            this.remaining = remaining;
        }

        synchronized void look() {
            long beforeNanos = System.nanoTime();
            long remainingNanos = remaining.get().toNanos();
            if (System.nanoTime() - beforeNanos > ANSWER_NANOS_MAX) {
                return;
            }
            if (remainingNanos > 0) {
                isValid(beforeNanos, beforeNanos + remainingNanos - Contender.CLOCK_ERROR_NANOS);
            } else {
                end();
                roundsOver++;
            }
        }

        private void isValid(long atNanos, long untilNanos) {
            if (untilNanos <= atNanos) {
                return;
            }
            if (!said || stale || Math.abs(untilNanos - saidUntilNanos) > SAME_NANOS) {
                journal.validUntil(atNanos, tenure, untilNanos);
                saidUntilNanos = untilNanos;
            }
            said = true;
            stale = false;
            lastNanos = atNanos;
        }

        synchronized void end() {
            if (said) {
                journal.validityEnded(lastNanos, tenure);
            }
            said = false;
        }

        /** What was said before is to be said again. */
        synchronized void sayAgain() {
            stale = true;
        }
    }

    /** To be called whenever a validity may have been formed, rightly or not. */
    void watch(Tenure tenure) {
        watch(tenure, () -> engine.tenures().remaining(tenure));
    }

    void watch(Lease lease) {
        watch(lease.tenure(), lease::remaining);
    }

    private void watch(Tenure tenure, Supplier<Duration> remaining) {
        watched.computeIfAbsent(tenure, each -> new Watched(each, remaining));
    }

    /** Looks at it no more. */
    void forget(Tenure tenure) {
        Watched former = watched.remove(tenure);
        if (former != null) {
            former.end();
        }
    }

    private void run() {
        try {
            long formerNanos = System.nanoTime();
            while (!closed) {
                watched.values().forEach(Watched::look);
                watched.values().removeIf(each -> each.roundsOver > ROUNDS_AFTER_THE_END);
                Thread.sleep(PERIOD_MILLIS);
                formerNanos = awake(formerNanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Nothing is said of the time that the process has slept. */
    private long awake(long formerNanos) {
        long nowNanos = System.nanoTime();
        if (nowNanos - formerNanos > SLEEP_NANOS) {
            watched.values().forEach(Watched::sayAgain);
            journal.slept(formerNanos, nowNanos);
        }
        return nowNanos;
    }

    @Override
    public void close() {
        closed = true;
        watching.join();
        watched.values().forEach(Watched::end);
    }
}
