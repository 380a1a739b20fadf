package dev.leasehold.bench.cli;

import java.io.PrintWriter;
import java.time.Duration;

/** How far a run is, in lines that are ten seconds or more apart. Used by one thread. */
final class ProgressLines {

    private static final long PERIOD_NANOS = 10_000_000_000L;

    private final PrintWriter lines;
    private final Duration expected;
    private long shownNanos;

    ProgressLines(PrintWriter lines, Duration expected) {
        this.lines = lines;
        this.expected = expected;
        this.shownNanos = System.nanoTime();
    }

    /** A row has come so far: so much of the whole run, in the time that was expected for it, is over. */
    void show(String row, Duration done) {
        long nowNanos = System.nanoTime();
        if (nowNanos - shownNanos >= PERIOD_NANOS) {
            shownNanos = nowNanos;
            lines.println(row + ": about " + done.toSeconds() + " of " + expected.toSeconds() + " s");
            lines.flush();
        }
    }
}
