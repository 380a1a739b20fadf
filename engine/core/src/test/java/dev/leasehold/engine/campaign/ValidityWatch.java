package dev.leasehold.engine.campaign;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Asks an engine again and again which tenures are valid, and writes that down. */
final class ValidityWatch implements AutoCloseable {

    private static final long PERIOD_MILLIS = 2;
    /** What a killed process takes along at the most. */
    private static final int SAMPLES_PER_PIECE = 100;

    /** From which gap between two samples the process has slept. */
    private static final long SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** How a validity is asked for, and what was answered so far. */
    private record Watched(Supplier<Duration> remaining, ValiditySpan span) {}

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

    /** To be called whenever a validity may have been formed, rightly or not. */
    void watch(Tenure tenure) {
        watch(tenure, () -> engine.tenures().remaining(tenure));
    }

    void watch(Lease lease) {
        watch(lease.tenure(), lease::remaining);
    }

    private void watch(Tenure tenure, Supplier<Duration> remaining) {
        watched.computeIfAbsent(tenure, each -> new Watched(remaining, new ValiditySpan(each)));
    }

    private void run() {
        try {
            long formerNanos = System.nanoTime();
            for (int sample = 1; !closed; sample++) {
                boolean endsPiece = sample % SAMPLES_PER_PIECE == 0;
                watched.forEach((tenure, each) -> sample(tenure, each, endsPiece));
                Thread.sleep(PERIOD_MILLIS);
                formerNanos = awake(formerNanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long awake(long formerNanos) {
        long nowNanos = System.nanoTime();
        if (nowNanos - formerNanos > SLEEP_NANOS) {
            journal.slept(formerNanos, nowNanos);
        }
        return nowNanos;
    }

    private void sample(Tenure tenure, Watched watched, boolean endsPiece) {
        ValiditySpan span = watched.span();
        long beforeNanos = System.nanoTime();
        long remainingNanos = watched.remaining().get().toNanos();
        span.sample(beforeNanos, remainingNanos, System.nanoTime()).ifPresent(journal::write);
        if (remainingNanos == 0) {
            this.watched.remove(tenure);
        } else if (endsPiece) {
            span.soFar().ifPresent(journal::write);
        }
    }

    @Override
    public void close() {
        closed = true;
        watching.join();
        watched.values().forEach(each -> each.span().soFar().ifPresent(journal::write));
    }
}
