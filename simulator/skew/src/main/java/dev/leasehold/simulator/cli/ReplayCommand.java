package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Ending;
import dev.leasehold.simulator.batch.Failure;
import dev.leasehold.simulator.batch.Played;
import dev.leasehold.simulator.batch.Replay;
import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.report.EventText;
import dev.leasehold.simulator.world.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "replay", description = "Plays a plan again, and judges it.", mixinStandardHelpOptions = true)
final class ReplayCommand implements Callable<Integer> {

    private final Parts parts;
    private final Terminal terminal;

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
        Threads.expectWorlds(1);
        terminal.print(Version.line());
        terminal.print(Words.of(content.mutant()));
        Played played = Replay.of(content.bench(parts), content.plan());
        History history = played.history();
        if (history != null) {
            tell(history, played, content.mutant());
        }
        Failure failure = played.failure();
        // Which promises were broken was told with all the others that were.
        if (failure != null && !(failure instanceof Failure.Broken)) {
            new Tale(terminal, 0).tell(failure);
        }
        Ending ending = Ending.of(failure == null ? List.of() : List.of(failure), List.of());
        terminal.print("");
        terminal.print("verdict: " + Words.of(ending));
        terminal.print("again: " + kept.command("replay"));
        return ending.exitCode();
    }

    private void tell(History history, Played played, @Nullable Mutant mutant) throws IOException {
        if (trace) {
            terminal.out().print(EventText.of(history));
        }
        terminal.print(Words.count(history.events().size(), "event", "events") + ", fingerprint "
                + Long.toHexString(played.hash()));
        for (Violation violation : Objects.requireNonNull(played.verdict()).violations()) {
            terminal.print(violation.guarantee() + ": " + violation.sentence());
        }
        if (report != null) {
            new Tale(terminal, 0).write(report, played, mutant, kept.command("replay"));
        }
    }
}
