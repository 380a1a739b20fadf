package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Batch.Progress;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Prints how far a batch is: on a terminal in a line that is drawn over, else in a line every ten seconds. Used by one thread. */
final class ProgressPrinter implements Consumer<Progress>, AutoCloseable {

    private static final long PERIOD_NANOS = 10_000_000_000L;
    private static final double SECOND_NANOS = 1e9;
    private static final int BAR_WIDTH = 30;
    private static final int LINE_WIDTH = 110;

    private final Terminal terminal;
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
    ProgressPrinter(Terminal terminal, long histories, long timeNanos, LongSupplier monotonicNanos) {
        this.terminal = terminal;
        this.histories = histories;
        this.timeNanos = timeNanos;
        this.monotonicNanos = monotonicNanos;
        this.startNanos = monotonicNanos.getAsLong();
        this.shownNanos = startNanos;
    }

    @Override
    public void accept(Progress progress) {
        long nowNanos = monotonicNanos.getAsLong();
        double goneNanos = Math.max(1, nowNanos - startNanos);
        double share = Math.min(1, Math.max((double) progress.histories() / histories, goneNanos / timeNanos));
        String line = progress.histories() + " histories, "
                + (long) (progress.histories() * SECOND_NANOS / goneNanos) + "/s, " + progress.failures()
                + " failed, about "
                + (long) ((goneNanos / share - goneNanos) / SECOND_NANOS) + " s left";
        if (terminal.isInteractive()) {
            int filled = (int) (share * BAR_WIDTH);
            redraw('[' + "=".repeat(filled) + " ".repeat(BAR_WIDTH - filled) + "] " + line);
        } else if (nowNanos - shownNanos >= PERIOD_NANOS) {
            shownNanos = nowNanos;
            terminal.err().println(line);
            terminal.err().flush();
        }
    }

    private void redraw(String line) {
        terminal.err().print('\r' + line + " ".repeat(Math.max(0, LINE_WIDTH - line.length())) + '\r');
        terminal.err().flush();
    }

    @Override
    public void close() {
        if (terminal.isInteractive()) {
            redraw("");
        }
    }
}
