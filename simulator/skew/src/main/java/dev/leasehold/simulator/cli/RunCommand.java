package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Batch;
import dev.leasehold.simulator.batch.BatchResult;
import dev.leasehold.simulator.batch.Bench;
import dev.leasehold.simulator.batch.Case;
import dev.leasehold.simulator.batch.Ending;
import dev.leasehold.simulator.batch.Expectations;
import dev.leasehold.simulator.batch.Failure;
import dev.leasehold.simulator.batch.Investigation;
import dev.leasehold.simulator.batch.Order;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.world.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "run",
        description = "Draws histories, plays them with the real engine, and judges each.",
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {

    private static final double SECOND_NANOS = 1e9;

    private final Parts parts;
    private final Terminal terminal;

    @Mixin
    private final RunOptions options = new RunOptions();

    RunCommand(Parts parts, Terminal terminal) {
        this.parts = parts;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        options.check();
        Order order = options.order();
        Path report = options.report();
        if (report != null) {
            // Whoever gave a place that cannot be written to shall not hear of it after the batch.
            Files.createDirectories(report);
        }
        Threads.expectWorlds(order.jobs());
        terminal.print(Version.line());
        return (options.isAllMutants() ? new AllMutants(parts, terminal, options).run() : play(order)).exitCode();
    }

    private Ending play(Order order) throws InterruptedException, IOException {
        options.lines().forEach(terminal::print);
        Bench bench = parts.bench(options.profile(), options.driftPpm(), options.mutant());
        long startNanos = System.nanoTime();
        BatchResult result = batch(bench, order);
        Tale tale = new Tale(terminal, (System.nanoTime() - startNanos) / SECOND_NANOS);
        tale.tellFigures(result);
        for (Failure failure : result.failures()) {
            tell(tale, failure, bench, result);
        }
        return conclude(tale, order, result);
    }

    private BatchResult batch(Bench bench, Order order) throws InterruptedException {
        try (ProgressDisplay display = ProgressDisplay.on(terminal, new Goal(order.length(), order.timeNanos()))) {
            return new Batch(bench, order).run(display);
        }
    }

    private void tell(Tale tale, Failure failure, Bench bench, BatchResult result)
            throws InterruptedException, IOException {
        tale.tell(failure);
        if (failure instanceof Failure.Broken broken) {
            Case found = new Investigation(bench).examine(broken);
            tale.tell(found);
            Path report = options.report();
            if (report != null) {
                Path folder = folder(report, broken);
                tale.write(
                        folder,
                        found,
                        options.mutant(),
                        result.statistics(),
                        options.commandFor(broken.plan().seed()));
                terminal.print("the shrunk plan: " + Commands.JAR + " replay "
                        + Commands.quoted(folder.resolve("minimal.json")));
            }
        }
        terminal.print(
                "that history alone: " + options.commandFor(failure.plan().seed()));
    }

    /** Where several are asked for, each gets a folder of its own. */
    private Path folder(Path report, Failure failure) {
        return options.order().failuresMax() == 1
                ? report
                : report.resolve("seed-" + failure.plan().seed());
    }

    private Ending conclude(Tale tale, Order order, BatchResult result) throws IOException {
        Mutant mutant = options.mutant();
        List<String> missing = mutant == null
                ? Expectations.missing(options.profile().word(), result.statistics())
                : result.failures().isEmpty() ? List.of("a history that shows the mutant " + mutant.name()) : List.of();
        Path report = options.report();
        if (report != null && result.failures().isEmpty()) {
            tale.write(report, result.statistics());
        }
        Ending ending = Ending.of(result.failures(), missing);
        tale.conclude(ending, mutant, result, missing);
        terminal.print("again: " + options.commandFor(order.seeds(), result.histories()));
        return ending;
    }
}
