package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Batch.Progress;
import java.io.PrintWriter;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Prints how far a batch is, in a line every ten seconds. Used by one thread. */
final class ProgressPrinter implements Consumer<Progress> {

    private static final long PERIOD_NANOS = 10_000_000_000L;
    private static final double SECOND_NANOS = 1e9;

    private final PrintWriter lines;
    private final long histories;
    private final long timeNanos;
    private final LongSupplier monotonicNanos;
    private final long startNanos;
    private long shownNanos;

    /**
     * Will print it.
     *
     * @param histories the batch is over after so many
     * @param timeNanos or after this time, if that is sooner
     */
    ProgressPrinter(PrintWriter lines, long histories, long timeNanos, LongSupplier monotonicNanos) {
        this.lines = lines;
        this.histories = histories;
        this.timeNanos = timeNanos;
        this.monotonicNanos = monotonicNanos;
        this.startNanos = monotonicNanos.getAsLong();
        this.shownNanos = startNanos;
    }

    @Override
    public void accept(Progress progress) {
        long nowNanos = monotonicNanos.getAsLong();
        if (nowNanos - shownNanos >= PERIOD_NANOS) {
            shownNanos = nowNanos;
            double goneNanos = nowNanos - startNanos;
            double share = Math.min(1, Math.max((double) progress.histories() / histories, goneNanos / timeNanos));
            boolean isGuess = progress.histories() == 0 && timeNanos == Long.MAX_VALUE;
            lines.println(progress.histories() + " histories, "
                    + (long) (progress.histories() * SECOND_NANOS / goneNanos) + "/s, " + progress.failures()
                    + " failed"
                    + (isGuess
                            ? ""
                            : ", about " + (long) ((goneNanos / share - goneNanos) / SECOND_NANOS) + " s left"));
            lines.flush();
        }
    }
}
