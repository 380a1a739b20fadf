package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Progress;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Progress as a bar that draws over itself. */
final class ProgressLine implements ProgressDisplay {

    private static final long SECOND_NANOS = 1_000_000_000;

    private final Goal goal;
    private final LongSupplier monotonicNanos;
    private final long startNanos;
    private final ProgressBar bar;

    ProgressLine(Goal goal, LongSupplier monotonicNanos) {
        this.goal = goal;
        this.monotonicNanos = monotonicNanos;
        this.startNanos = monotonicNanos.getAsLong();
        this.bar = new ProgressBarBuilder()
                .setInitialMax(goal.bar())
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(200)
                .hideEta()
                .clearDisplayOnFinish()
                .build();
    }

    @Override
    public void accept(Progress progress) {
        long goneNanos = monotonicNanos.getAsLong() - startNanos;
        bar.stepTo(goal.barDone(progress.histories(), goneNanos));
        bar.setExtraMessage(words(progress, Math.max(1, goneNanos)));
    }

    private String words(Progress progress, long goneNanos) {
        // The bar itself says how many there were, or for how many seconds.
        return (goal.isByTime() ? " " + progress.histories() + " histories," : "")
                + " " + (long) (progress.histories() * (double) SECOND_NANOS / goneNanos) + "/s, " + progress.failures()
                + " failed, "
                + goal.leftNanos(progress.histories(), goneNanos) / SECOND_NANOS + " s left";
    }

    @Override
    public void close() {
        bar.close();
    }
}
