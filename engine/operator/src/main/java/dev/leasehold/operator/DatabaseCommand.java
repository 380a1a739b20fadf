package dev.leasehold.operator;

import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that needs the database. */
abstract class DatabaseCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    DatabaseCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    static boolean wantsJson(Object command) {
        return command instanceof DatabaseCommand database && database.json
                || command instanceof RunCommand run && run.json();
    }

    final Surroundings surroundings() {
        return surroundings;
    }

    final boolean json() {
        return json;
    }

    @Override
    public final Integer call() throws Exception {
        try (Connection open = connection.open(surroundings.environment())) {
            return run(open).number();
        }
    }

    abstract ExitCode run(Connection open) throws Exception;

    final void print(String line) {
        surroundings.print(line);
    }

    /** Prints a result as JSON, over several lines. */
    final void printJson(Object result) {
        surroundings.printAsItIs(Json.of(result));
    }
}
