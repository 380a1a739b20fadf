package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.ExitStatus;
import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.mutants.Mutants;
import dev.leasehold.simulator.plan.Profile;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command line of the simulator: plays histories, finds mutants, shrinks and explains plans, estimates. */
@Command(
        name = "leasehold-simulator",
        description =
                "Runs the lease engine in invented histories of clocks, networks and databases, and checks its invariants.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        footer = {
            "",
            "Exit codes: 0 every invariant held; 1 safety broken; 2 liveness or limits broken; 3 coverage too low, or a mutant"
                    + " survived; 4 not deterministic; 5 simulator or engine crashed; 64 wrong usage; 74 as 0, but the result"
                    + " could not be written to its end."
        })
public final class Main implements Runnable {

    private static final int WRONG_USAGE = 64;
    private static final int RESULT_LOST = 74;

    private static final Map<Class<?>, String> FILE_PROBLEMS = Map.of(
            NoSuchFileException.class, "it is not there, or its folder is not",
            AccessDeniedException.class, "access is denied",
            MalformedInputException.class, "it is no text in UTF-8",
            FileAlreadyExistsException.class, "a file is there, and no folder");

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    private Main(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Runs a command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(execute(Parts.REAL, Terminal.ofThisProcess(), arguments));
    }

    static int execute(Parts parts, Terminal terminal, String... arguments) {
        try {
            return withResult(terminal, commandLine(parts, terminal).execute(arguments));
        } catch (Error e) {
            // The parser of commands leaves errors to its caller, and the process would end as if an invariant were
            // broken.
            return crashed(terminal, e);
        }
    }

    /** A success of which nothing is left is none. Other results are told by the code itself. */
    private static int withResult(Terminal terminal, int code) {
        if (code != ExitStatus.HELD.code() || !terminal.isResultLost()) {
            return code;
        }
        terminal.printError("the command was carried out, and its result could not be written to its end");
        return RESULT_LOST;
    }

    private static int crashed(Terminal terminal, Throwable thrown) {
        thrown.printStackTrace(terminal.err());
        terminal.err().flush();
        return ExitStatus.CRASHED.code();
    }

    static CommandLine commandLine(Parts parts, Terminal terminal) {
        CommandLine line = new CommandLine(new Main(terminal));
        line.addSubcommand(new RunCommand(parts, terminal));
        line.addSubcommand(new PlanCommand.Replay(parts, terminal));
        line.addSubcommand(new PlanCommand.Shrink(parts, terminal));
        line.addSubcommand(new EstimateCommand(parts, terminal));
        line.setOut(terminal.out());
        line.setErr(terminal.err());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler((thrown, command, parsed) -> {
            if (thrown instanceof FileSystemException refused) {
                terminal.printError(
                        "file " + refused.getFile() + " is refused: it cannot be written: " + problem(refused));
                return WRONG_USAGE;
            }
            return crashed(terminal, thrown);
        });
        line.getCommandSpec().exitCodeOnInvalidInput(WRONG_USAGE);
        line.getSubcommands().values().forEach(sub -> sub.getCommandSpec().exitCodeOnInvalidInput(WRONG_USAGE));
        Converters.register(line);
        return line;
    }

    /** Which simulator this is. */
    static final class Version implements IVersionProvider {

        /** Name, version and JVM, in a line. */
        static String line() {
            String version = Main.class.getPackage().getImplementationVersion();
            return "leasehold-simulator " + (version == null ? "of a working tree" : version) + ", Java "
                    + Runtime.version();
        }

        @Override
        public String[] getVersion() {
            return new String[] {line()};
        }
    }

    /** Why a file can be neither read nor written. */
    static String problem(IOException thrown) {
        String reason = thrown instanceof FileSystemException of ? of.getReason() : thrown.getMessage();
        return FILE_PROBLEMS.getOrDefault(thrown.getClass(), reason == null ? thrown.toString() : reason);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    @Command(
            name = "mutants",
            description = "Lists the mistakes that can be planted, and the invariants by which each must be found.",
            mixinStandardHelpOptions = true)
    void mutants() {
        Stream.concat(Mutants.all().stream(), Stream.of(Mutants.canary())).forEach(this::print);
    }

    private void print(Mutant mutant) {
        String killers = mutant.killers().stream().map(Guarantee::name).collect(Collectors.joining(" or "));
        print(
                mutant.name(),
                mutant.what(),
                "must break " + killers + " within " + mutant.histories() + " histories of profile "
                        + mutant.profile().word());
    }

    @Command(
            name = "profiles",
            description = "Lists the kinds of histories that can be drawn.",
            mixinStandardHelpOptions = true)
    void profiles() {
        for (Profile profile : Profile.values()) {
            print(profile.word(), profile.description());
        }
    }

    @Command(name = "explain", description = "Says what an invariant means.", mixinStandardHelpOptions = true)
    void explain(
            @Parameters(
                            arity = "0..1",
                            paramLabel = "INVARIANT",
                            description = "${COMPLETION-CANDIDATES}; all of them without it.")
                    @Nullable Guarantee invariant) {
        for (Guarantee each : invariant == null ? Arrays.asList(Guarantee.values()) : List.of(invariant)) {
            ExitStatus broken = each.isSafety() ? ExitStatus.UNSAFE : ExitStatus.NOT_LIVE;
            print(each.name(), each.words(), "exit code " + broken.code() + ": " + broken.words());
        }
    }

    private void print(String name, String... lines) {
        terminal.print(name);
        for (String line : lines) {
            terminal.print("    " + line);
        }
    }
}
