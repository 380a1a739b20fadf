package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.CheckerSetup;
import dev.leasehold.simulator.batch.Counterexample;
import dev.leasehold.simulator.batch.ExitStatus;
import dev.leasehold.simulator.batch.Failure;
import dev.leasehold.simulator.batch.HistoryPlayer;
import dev.leasehold.simulator.mutants.MutantNote;
import dev.leasehold.simulator.plan.PlanCodec;
import dev.leasehold.simulator.world.Threads;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "shrink",
        description = "Finds the smallest plan that breaks the same invariant as a plan that is kept.",
        mixinStandardHelpOptions = true)
final class ShrinkCommand implements Callable<Integer> {

    private final Parts parts;
    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

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
            requireFile(target);
        }
        ResultPrinter results = ResultPrinter.begin(terminal, content.mutant());
        Threads.expectWorlds(1);
        CheckerSetup setup = parts.setup(content.plan(), content.mutant());
        Failure failure = HistoryPlayer.play(setup, content.plan()).failure();
        if (failure != null) {
            results.print(failure);
        }
        if (failure instanceof Failure.Broken broken) {
            Counterexample example = Counterexample.of(setup, broken);
            results.print(example);
            keep(MutantNote.with(PlanCodec.toJson(example.minimal()), content.mutant()));
        }
        ExitStatus status = ExitStatus.of(failure == null ? List.of() : List.of(failure), List.of());
        String nothing = failure == null ? "; there is nothing to be shrunk" : "";
        results.end(status.words() + nothing, CommandText.again(spec, ""));
        return status.code();
    }

    /** A place that cannot be written to is refused before hours are spent. */
    private static void requireFile(Path target) throws IOException {
        Path folder = target.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new NoSuchFileException(target.toString());
        }
        if (Files.isDirectory(target)) {
            throw new FileSystemException(target.toString(), null, "it is a folder");
        }
    }

    private void keep(String json) throws IOException {
        if (target == null) {
            terminal.print(json);
        } else {
            Files.writeString(target, json);
            terminal.print("written: " + target);
        }
    }
}
