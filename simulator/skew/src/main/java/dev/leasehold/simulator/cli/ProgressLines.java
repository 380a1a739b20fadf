package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Progress;
import java.io.PrintWriter;
import java.util.function.LongSupplier;

/** Progress in plain lines, ten seconds or more apart. */
final class ProgressLines implements ProgressDisplay {

    private static final long PERIOD_NANOS = 10_000_000_000L;
    private static final long SECOND_NANOS = 1_000_000_000;

    private final PrintWriter lines;
    private final Goal goal;
    private final LongSupplier monotonicNanos;
    private final long startNanos;
    private long shownNanos;

    ProgressLines(PrintWriter lines, Goal goal, LongSupplier monotonicNanos) {
        this.lines = lines;
        this.goal = goal;
        this.monotonicNanos = monotonicNanos;
        this.startNanos = monotonicNanos.getAsLong();
        this.shownNanos = startNanos;
    }

    @Override
    public void accept(Progress progress) {
        long nowNanos = monotonicNanos.getAsLong();
        if (nowNanos - shownNanos >= PERIOD_NANOS) {
            shownNanos = nowNanos;
            lines.println(line(progress, nowNanos - startNanos));
            lines.flush();
        }
    }

    private String line(Progress progress, long goneNanos) {
        long perSecond = progress.histories() * SECOND_NANOS / goneNanos;
        return progress.histories() + " histories, " + perSecond + "/s, " + progress.failures() + " failures, about "
                + goal.leftNanos(progress.histories(), goneNanos) / SECOND_NANOS + " s left";
    }

    @Override
    public void close() {}
}
