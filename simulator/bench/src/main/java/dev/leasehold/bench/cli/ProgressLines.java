package dev.leasehold.bench.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Progress in plain lines, ten seconds or more apart. */
final class ProgressLines implements ProgressDisplay {

    private static final long PERIOD_NANOS = 10_000_000_000L;

    private final PrintWriter lines;
    private final Duration expected;
    private final LongSupplier monotonicNanos;
    private long shownNanos;

    ProgressLines(PrintWriter lines, Duration expected, LongSupplier monotonicNanos) {
        this.lines = lines;
        this.expected = expected;
        this.monotonicNanos = monotonicNanos;
        this.shownNanos = monotonicNanos.getAsLong();
    }

    @Override
    public void show(String row, Duration done) {
        long nowNanos = monotonicNanos.getAsLong();
        if (nowNanos - shownNanos >= PERIOD_NANOS) {
            shownNanos = nowNanos;
            lines.println(row + ": about " + done.toSeconds() + " of " + expected.toSeconds() + " s");
            lines.flush();
        }
    }

    @Override
    public void close() {}
}
