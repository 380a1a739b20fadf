package dev.leasehold.operator;

import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that needs the database. */
abstract class DatabaseCommand implements Callable<Integer> {

    private final CommandContext context;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    DatabaseCommand(CommandContext context) {
        this.context = context;
    }

    static boolean wantsJson(Object command) {
        return command instanceof DatabaseCommand database && database.json
                || command instanceof RunCommand run && run.json();
    }

    final CommandContext context() {
        return context;
    }

    final boolean json() {
        return json;
    }

    @Override
    public final Integer call() throws Exception {
        try (Connection open = connection.open(context.environment())) {
            return run(open).number();
        }
    }

    abstract ExitCode run(Connection open) throws Exception;

    final void print(String line) {
        context.print(line);
    }

    /** Prints a result as JSON, over several lines. */
    final void printJson(Object result) {
        context.printAsItIs(Json.of(result));
    }
}
