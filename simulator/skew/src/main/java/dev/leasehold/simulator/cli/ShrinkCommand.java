package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Bench;
import dev.leasehold.simulator.batch.Case;
import dev.leasehold.simulator.batch.Ending;
import dev.leasehold.simulator.batch.Failure;
import dev.leasehold.simulator.batch.Investigation;
import dev.leasehold.simulator.batch.Replay;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.mutants.MutantNote;
import dev.leasehold.simulator.plan.PlanCodec;
import dev.leasehold.simulator.world.Threads;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "shrink",
        description = "Finds the smallest plan that breaks the same promise as a plan that is kept.",
        mixinStandardHelpOptions = true)
final class ShrinkCommand implements Callable<Integer> {

    private final Parts parts;
    private final Terminal terminal;

    @Mixin
    private final KeptPlan kept = new KeptPlan();

    @Option(names = "-o", paramLabel = "FILE", description = "Where to. Default: it is printed.")
    private @Nullable Path target;

    ShrinkCommand(Parts parts, Terminal terminal) {
        this.parts = parts;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        KeptPlan.Content content = kept.read();
        if (target != null) {
            requireFolder(target);
        }
        Bench bench = content.bench(parts);
        Threads.expectWorlds(1);
        terminal.print(Version.line());
        terminal.print(Words.of(content.mutant()));
        Failure failure = Replay.of(bench, content.plan()).failure();
        if (failure != null) {
            new Tale(terminal, 0).tell(failure);
        }
        if (failure instanceof Failure.Broken broken) {
            keep(new Investigation(bench).examine(broken), content.mutant());
        }
        Ending ending = Ending.of(failure == null ? List.of() : List.of(failure), List.of());
        terminal.print("");
        terminal.print("verdict: " + Words.of(ending) + (failure == null ? "; there is nothing to be shrunk" : ""));
        terminal.print("again: " + kept.command("shrink") + (target == null ? "" : " -o " + Commands.quoted(target)));
        return ending.exitCode();
    }

    /** Whoever gave a place that cannot be written to shall not hear of it after hours. */
    private static void requireFolder(Path target) throws IOException {
        Path folder = target.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new NoSuchFileException(target.toString());
        }
        if (Files.isDirectory(target)) {
            throw new FileSystemException(target.toString(), null, "it is a folder");
        }
        if (!Files.isWritable(Files.exists(target) ? target : folder)) {
            throw new AccessDeniedException(target.toString());
        }
    }

    private void keep(Case found, @Nullable Mutant mutant) throws IOException {
        new Tale(terminal, 0).tell(found);
        String json = MutantNote.with(PlanCodec.toJson(found.minimal()), mutant);
        if (target == null) {
            terminal.print(json);
        } else {
            Files.writeString(target, json);
            terminal.print("written: " + target);
        }
    }
}
