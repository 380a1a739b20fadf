package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Progress;
import dev.leasehold.simulator.batch.Task;
import dev.leasehold.simulator.estimate.Circumstances;
import dev.leasehold.simulator.estimate.Estimate;
import dev.leasehold.simulator.estimate.EstimatePage;
import dev.leasehold.simulator.estimate.EstimateText;
import dev.leasehold.simulator.estimate.Estimator;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.world.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "estimate",
        description = {
            "Says for your own durations how late a take-over comes, and what share of gated transactions is refused or run again.",
            "Times are written like 30s, 500ms or 2m; spans like 5ms..50ms."
        },
        mixinStandardHelpOptions = true)
final class EstimateCommand implements Callable<Integer> {

    private final Parts parts;
    private final Terminal terminal;

    @Mixin
    private final EstimateOptions options = new EstimateOptions();

    @Option(names = "--report", paramLabel = "DIR", description = "Writes estimate.html with plots.")
    private @Nullable Path report;

    EstimateCommand(Parts parts, Terminal terminal) {
        this.parts = parts;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        Circumstances circumstances = options.circumstances();
        if (report != null) {
            Files.createDirectories(report);
        }
        Threads.expectWorlds(1);
        terminal.print(Version.line());
        options.lines().forEach(terminal::print);
        terminal.print("");
        Estimate estimate = estimate(circumstances);
        terminal.out().print(EstimateText.of(estimate));
        terminal.print("");
        if (report != null) {
            Files.writeString(report.resolve("estimate.html"), EstimatePage.html(estimate, options.command()));
            terminal.print("report: " + report.resolve("estimate.html"));
        }
        terminal.print("again: " + options.command());
        return 0;
    }

    private Estimate estimate(Circumstances circumstances) throws InterruptedException {
        AtomicInteger played = new AtomicInteger();
        Goal goal = new Goal(Estimator.total(options.histories()), Long.MAX_VALUE);
        try (ProgressDisplay display = ProgressDisplay.on(terminal, goal)) {
            return Task.await(
                    "estimate",
                    () -> {
                        try (HistoryRunner runner = parts.runner(null)) {
                            return new Estimator(
                                            runner, circumstances, options.seed(), options.histories(), played::set)
                                    .estimate();
                        }
                    },
                    () -> display.accept(new Progress(played.get(), 0)));
        }
    }
}
