package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.ExitStatus;
import dev.leasehold.simulator.batch.Failure;
import dev.leasehold.simulator.batch.HistoryPlayer;
import dev.leasehold.simulator.batch.PlayedHistory;
import dev.leasehold.simulator.batch.PlayedHistory.Outcome;
import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.report.EventText;
import dev.leasehold.simulator.report.Finding;
import dev.leasehold.simulator.world.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(name = "replay", description = "Plays a plan again, and checks it.", mixinStandardHelpOptions = true)
final class ReplayCommand implements Callable<Integer> {

    private final Parts parts;
    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Mixin
    private final KeptPlan kept = new KeptPlan();

    @Option(names = "--trace", description = "Prints every event.")
    private boolean trace;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Writes a report folder, apart from that of the plan.")
    private @Nullable Path report;

    ReplayCommand(Parts parts, Terminal terminal) {
        this.parts = parts;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        KeptPlan.Content content = kept.read();
        if (report != null) {
            kept.requireApartFrom(report);
            Files.createDirectories(report);
        }
        String again = CommandText.again(spec, "", "--report", "--trace");
        ResultPrinter results = ResultPrinter.begin(terminal, content.mutant());
        Threads.expectWorlds(1);
        PlayedHistory played = HistoryPlayer.play(parts.setup(content.plan(), content.mutant()), content.plan());
        Outcome outcome = played.outcome();
        if (outcome != null) {
            if (trace) {
                terminal.out().print(EventText.of(outcome.history()));
            }
            results.print(outcome, played.hash());
        }
        Failure failure = played.failure();
        if (outcome != null && report != null) {
            Violation violation = failure instanceof Failure.Broken broken
                    ? broken.violation()
                    : outcome.verdict().first();
            results.write(
                    report,
                    Finding.ofKeptPlan(violation, content.mutant(), outcome.history(), outcome.verdict(), again));
        }
        // Which invariants were broken was printed with all the others that were.
        if (failure != null && !(failure instanceof Failure.Broken)) {
            results.print(failure);
        }
        ExitStatus status = ExitStatus.of(failure == null ? List.of() : List.of(failure), List.of());
        results.end(status.words(), again);
        return status.code();
    }
}
