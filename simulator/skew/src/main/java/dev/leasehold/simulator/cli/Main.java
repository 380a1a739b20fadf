package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Ending;
import java.nio.file.FileSystemException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Begins here. */
@Command(
        name = "leasehold-simulator",
        description =
                "Runs the lease engine in invented histories of clocks, networks and databases, and judges them by its promises.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        footer = {
            "",
            "Exit codes: 0 all promises held; 1 safety broken; 2 liveness or limits broken; 3 coverage too low, or a mutant"
                    + " survived; 4 not deterministic; 5 simulator or engine crashed; 64 wrong usage."
        })
public final class Main implements Runnable {

    private static final int WRONG_USAGE = 64;

    @Spec
    private CommandSpec spec;

    private Main() {}

    /** Runs a command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(execute(Parts.REAL, Terminal.ofThisProcess(), arguments));
    }

    static int execute(Parts parts, Terminal terminal, String... arguments) {
        try {
            return commandLine(parts, terminal).execute(arguments);
        } catch (Error e) {
            // What parses commands leaves errors to whoever calls it, and the process would end as if a promise were
            // broken.
            return crashed(terminal, e);
        }
    }

    private static int crashed(Terminal terminal, Throwable thrown) {
        thrown.printStackTrace(terminal.err());
        terminal.err().flush();
        return Ending.CRASHED.exitCode();
    }

    static CommandLine commandLine(Parts parts, Terminal terminal) {
        CommandLine line = new CommandLine(new Main());
        line.addSubcommand(new RunCommand(parts, terminal));
        line.addSubcommand(new ReplayCommand(parts, terminal));
        line.addSubcommand(new ShrinkCommand(parts, terminal));
        line.addSubcommand(new EstimateCommand(parts, terminal));
        line.addSubcommand(new MutantsCommand(terminal));
        line.addSubcommand(new ProfilesCommand(terminal));
        line.addSubcommand(new ExplainCommand(terminal));
        line.setOut(terminal.out());
        line.setErr(terminal.err());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler((thrown, command, parsed) -> {
            if (thrown instanceof FileSystemException refused) {
                terminal.err()
                        .println("file " + refused.getFile() + " is refused: it cannot be written: "
                                + Words.of(refused));
                terminal.err().flush();
                return WRONG_USAGE;
            }
            return crashed(terminal, thrown);
        });
        setWrongUsage(line);
        return line;
    }

    private static void setWrongUsage(CommandLine line) {
        line.getCommandSpec().exitCodeOnInvalidInput(WRONG_USAGE);
        line.getSubcommands().values().forEach(Main::setWrongUsage);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}
