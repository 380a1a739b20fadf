package dev.leasehold.engine.campaign;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseEngine;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Asks an engine again and again which tenures it believes in, and writes that down. */
final class BeliefWatch implements AutoCloseable {

    private static final long PERIOD_MILLIS = 2;
    /** What a killed process takes along at the most. */
    private static final int SAMPLES_PER_PIECE = 100;

    private final LeaseEngine engine;
    private final Journal journal;
    private final Map<Tenure, BeliefSpan> spans = new ConcurrentHashMap<>();
    private final CompletableFuture<Void> watching;
    private volatile boolean closed;

    BeliefWatch(LeaseEngine engine, Journal journal) {
        this.engine = engine;
        this.journal = journal;
        this.watching = CompletableFuture.runAsync(this::run, task -> new Thread(task, "belief watch").start());
    }

    /** To be called whenever a belief may have been formed, rightly or not. */
    void watch(Tenure tenure) {
        spans.computeIfAbsent(tenure, BeliefSpan::new);
    }

    private void run() {
        try {
            for (int sample = 1; !closed; sample++) {
                boolean endsPiece = sample % SAMPLES_PER_PIECE == 0;
                spans.forEach((tenure, span) -> sample(tenure, span, endsPiece));
                Thread.sleep(PERIOD_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sample(Tenure tenure, BeliefSpan span, boolean endsPiece) {
        long beforeNanos = System.nanoTime();
        long remainingNanos = engine.remaining(tenure).toNanos();
        span.sample(beforeNanos, remainingNanos, System.nanoTime()).ifPresent(journal::write);
        if (remainingNanos == 0) {
            spans.remove(tenure);
        } else if (endsPiece) {
            span.soFar().ifPresent(journal::write);
        }
    }

    @Override
    public void close() {
        closed = true;
        watching.join();
        spans.values().forEach(span -> span.soFar().ifPresent(journal::write));
    }
}
