package dev.leasehold.bench.cli;

import java.time.Duration;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Progress as a bar that draws over itself. */
final class ProgressLine implements ProgressDisplay {

    private final ProgressBar bar;

    ProgressLine(Duration expected) {
        this.bar = new ProgressBarBuilder()
                .setInitialMax(expected.toSeconds())
                .setUnit(" s", 1)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(500)
                .clearDisplayOnFinish()
                .build();
    }

    @Override
    public void show(String row, Duration done) {
        bar.stepTo(done.toSeconds());
        bar.setExtraMessage(" " + row);
    }

    @Override
    public void close() {
        bar.close();
    }
}
