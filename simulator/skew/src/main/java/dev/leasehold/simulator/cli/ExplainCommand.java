package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Ending;
import dev.leasehold.simulator.checker.Guarantee;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "explain", description = "Says what a promise promises.", mixinStandardHelpOptions = true)
final class ExplainCommand implements Runnable {

    private final Terminal terminal;

    @Parameters(
            arity = "0..1",
            paramLabel = "PROMISE",
            description = "${COMPLETION-CANDIDATES}; all of them without it.")
    private @Nullable Guarantee guarantee;

    ExplainCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        List<Guarantee> promises = guarantee == null ? Arrays.asList(Guarantee.values()) : List.of(guarantee);
        for (Guarantee each : promises) {
            int exitCode = (each.isSafety() ? Ending.UNSAFE : Ending.NOT_LIVE).exitCode();
            terminal.print(each.name());
            terminal.print("    " + each.words());
            terminal.print("    A matter of " + (each.isSafety() ? "safety" : "liveness and limits") + "; exit code "
                    + exitCode + " when it is broken.");
        }
    }
}
