package dev.leasehold.mergequeue;

import dev.leasehold.mergequeue.cli.ServeCommand;
import java.io.PrintWriter;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The command line: {@code java -jar leasehold-merge-queue.jar serve ...}. */
@Command(
        name = "leasehold-merge-queue",
        description = "A priority mutex over HTTP for CI runs that share one resource.",
        subcommands = ServeCommand.class,
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = Main.Version.class)
public final class Main {

    private static final Pattern CONNECTION = Pattern.compile(
            "mongodb(\\+srv)?://(?:.*@[^\\s'\"]*|[^\\s'\"]+)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private static final int OUTPUT_LOST = 1;

    private Main() {}

    /**
     * Runs a command.
     *
     * @param arguments of the command line
     */
    public static void main(String[] arguments) {
        // Straight on the stream: through what picocli puts before it, no failure of the stream is seen.
        System.exit(execute(commandLine().setOut(new PrintWriter(System.out, true)), arguments));
    }

    /** A success of which the caller was told nothing, since the disk is full for instance, is none. */
    static int execute(CommandLine line, String... arguments) {
        int code = line.execute(arguments);
        if (code != 0 || !line.getOut().checkError()) {
            return code;
        }
        line.getErr().println("the output could not be written to its end");
        line.getErr().flush();
        return OUTPUT_LOST;
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Main());
        IParameterExceptionHandler usual = line.getParameterExceptionHandler();
        return line.setParameterExceptionHandler((wrong, arguments) -> usual.handleParseException(
                new ParameterException(wrong.getCommandLine(), withoutConnection(String.valueOf(wrong.getMessage()))),
                arguments));
    }

    /** Arguments are repeated in messages, and one of them may be a connection string, whose password may have any character. */
    private static String withoutConnection(String message) {
        return CONNECTION.matcher(message).replaceAll("mongodb://(not shown)");
    }

    /** From the manifest of the jar. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {version == null ? "not from the jar" : version};
        }
    }
}
