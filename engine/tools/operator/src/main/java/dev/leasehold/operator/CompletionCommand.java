package dev.leasehold.operator;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** What a shell needs to complete commands and options. */
@Command(
        name = "completion",
        description =
                "Prints a script that completes commands and options in bash and zsh: source <(leasehold completion)",
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {

    private final CommandContext context;

    CompletionCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        context.printAsItIs(AutoComplete.bash("leasehold", Main.commandLine(context)));
        return ExitCode.DONE.number();
    }
}
