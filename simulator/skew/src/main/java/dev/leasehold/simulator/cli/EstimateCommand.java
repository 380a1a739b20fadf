package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Batch.Progress;
import dev.leasehold.simulator.batch.SimulationTask;
import dev.leasehold.simulator.estimate.Estimate;
import dev.leasehold.simulator.estimate.EstimatePage;
import dev.leasehold.simulator.estimate.EstimateSettings;
import dev.leasehold.simulator.estimate.Estimator;
import dev.leasehold.simulator.estimate.Span;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.world.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "estimate",
        description = {
            "Says for your own durations how late a take-over comes, and what share of gated transactions is refused or run again.",
            "Times are written like 30s, 500ms or 2m; spans like 5ms..50ms."
        },
        mixinStandardHelpOptions = true)
final class EstimateCommand implements Callable<Integer> {

    private static final String DEFAULT = " Default: ${DEFAULT-VALUE}.";

    private final Parts parts;
    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Option(names = "--session", paramLabel = "TIME", defaultValue = "30s", description = "Session length." + DEFAULT)
    private Duration session;

    @Option(
            names = "--heartbeat",
            paramLabel = "TIME",
            description = "Heartbeat period. Default: a third of the session length.")
    private @Nullable Duration heartbeat;

    @Option(names = "--term", paramLabel = "TIME", defaultValue = "60s", description = "Term of a handle." + DEFAULT)
    private Duration term;

    @Option(names = "--drift-ppm", paramLabel = "PPM", defaultValue = "1000", description = "Drift bound." + DEFAULT)
    private long driftPpm;

    @Option(
            names = "--latency",
            paramLabel = "SPAN",
            defaultValue = "1ms..5ms",
            description = "One way between an engine and the database." + DEFAULT)
    private Span latency;

    @Option(
            names = "--replication",
            paramLabel = "SPAN",
            defaultValue = "1ms..3ms",
            description = "From a write until a majority has it." + DEFAULT)
    private Span replication;

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "3",
            description = "So many want the lease, the holder included." + DEFAULT)
    private int clients;

    @Option(
            names = "--gates-per-minute",
            paramLabel = "N",
            defaultValue = "60",
            description = "So many gated transactions are begun." + DEFAULT)
    private int gatesPerMinute;

    @Option(
            names = "--gate-length",
            paramLabel = "SPAN",
            defaultValue = "5ms..20ms",
            description = "How long one is worked on after its assertion." + DEFAULT)
    private Span gateLength;

    @Option(
            names = "--histories",
            paramLabel = "N",
            defaultValue = "200",
            description = "So many for each line of the result, up to 1000000." + DEFAULT)
    private int histories;

    @Option(names = "--seed", paramLabel = "N", description = "The root of all seeds. Default: a fresh one.")
    private @Nullable Long seed;

    @Option(names = "--report", paramLabel = "DIR", description = "Writes estimate.html with plots.")
    private @Nullable Path report;

    EstimateCommand(Parts parts, Terminal terminal) {
        this.parts = parts;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        EstimateSettings settings;
        int total;
        try {
            settings = settings();
            total = Estimator.total(histories);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        if (report != null) {
            Terminal.makeFolder(report);
        }
        long root = seed != null ? seed : RunCommand.freshSeed();
        String again = CommandText.again(spec, " --seed " + root, "--seed", "--report");
        Threads.expectWorlds(1);
        terminal.print(Main.Version.line());
        terminal.print("seed " + root);
        terminal.print("");
        Estimate estimate = estimate(settings, root, total);
        terminal.out().print(estimate.text());
        terminal.print("");
        if (report != null) {
            Path page = report.resolve("estimate.html");
            terminal.write("report", page, () -> Files.writeString(page, EstimatePage.html(estimate, again)));
        }
        terminal.print("again: " + again);
        return 0;
    }

    private EstimateSettings settings() {
        return new EstimateSettings(
                session.toNanos(),
                heartbeat == null ? session.toNanos() / 3 : heartbeat.toNanos(),
                term.toNanos(),
                driftPpm,
                latency,
                replication,
                clients,
                gatesPerMinute,
                gateLength);
    }

    private Estimate estimate(EstimateSettings settings, long root, int total) throws InterruptedException {
        AtomicInteger played = new AtomicInteger();
        ProgressPrinter progress = new ProgressPrinter(terminal.err(), total, Long.MAX_VALUE, System::nanoTime);
        return SimulationTask.await(
                "estimate",
                () -> {
                    try (HistoryRunner runner = parts.runners().apply(null)) {
                        return new Estimator(runner, settings, root, histories, played::set).estimate();
                    }
                },
                () -> progress.accept(new Progress(played.get(), 0)));
    }
}
