package dev.leasehold.operator;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Begins here. */
@Command(
        name = "leasehold",
        description =
                "Shows the leases of a namespace, finds out what is wrong with it, and carries out an operator's orders.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
public final class Main implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Main() {}

    /** Runs a command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(execute(Surroundings.ofThisProcess(), arguments));
    }

    static int execute(Surroundings surroundings, String... arguments) {
        return commandLine(surroundings).execute(arguments);
    }

    static CommandLine commandLine(Surroundings surroundings) {
        CommandLine line = new CommandLine(new Main());
        line.addSubcommand(new ListCommand(surroundings));
        line.addSubcommand(new InspectCommand(surroundings));
        line.addSubcommand(new WatchCommand(surroundings));
        line.addSubcommand(new WritersCommand(surroundings));
        line.addSubcommand(new PinCommand(surroundings));
        line.addSubcommand(new UnpinCommand(surroundings));
        line.addSubcommand(new ForceExpireCommand(surroundings));
        line.addSubcommand(new OccurrencesCommand(surroundings));
        line.addSubcommand(new ForgetOccurrenceCommand(surroundings));
        line.addSubcommand(new DoctorCommand(surroundings));
        line.addSubcommand(new HousekeepingCommand(surroundings));
        line.addSubcommand(new ServeCommand(surroundings));
        line.addSubcommand(new RunCommand(surroundings));
        line.addSubcommand(new CompletionCommand(surroundings));
        line.setOut(surroundings.out());
        line.setErr(surroundings.err());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setUsageHelpAutoWidth(true);
        line.getCommandSpec().usageMessage().footer("", ExitCode.inWords());
        line.setParameterExceptionHandler((wrong, given) -> wrongUsage(surroundings, wrong));
        line.setExecutionExceptionHandler((thrown, command, parsed) ->
                Failures.tell(surroundings, thrown, DatabaseCommand.wantsJson(command.getCommand())));
        return line;
    }

    /** Parameters are shown in messages, and one of them may be a connection string. */
    private static int wrongUsage(Surroundings surroundings, ParameterException wrong) {
        String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
        surroundings.complain(Redaction.of(String.valueOf(wrong.getMessage())));
        surroundings.complain("See '" + command + " --help'.");
        return ExitCode.USAGE.number();
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getErr());
        throw new ParameterException(spec.commandLine(), "say what to do: a command is missing");
    }
}
