package dev.leasehold.operator;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the operator's tool. */
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
        CommandContext context = CommandContext.ofThisProcess();
        System.exit(ProcessArguments.areAsGiven(arguments) ? execute(context, arguments) : wrongLocale(context));
    }

    private static int wrongLocale(CommandContext context) {
        context.printError("an argument has characters that this process cannot read: the encoding of its locale is "
                + ProcessArguments.encoding() + ". Set LC_ALL=C.UTF-8, or the locale in which they were written");
        return ExitCode.USAGE.number();
    }

    static int execute(CommandContext context, String... arguments) {
        return withOutput(context, commandLine(context).execute(arguments));
    }

    /** A success whose output is lost is none. Other results are told by the code itself. */
    private static int withOutput(CommandContext context, int code) {
        if (code != ExitCode.DONE.number() || !context.isOutputLost()) {
            return code;
        }
        context.printError("the command was carried out, and the output could not be written to its end");
        return ExitCode.FAILED.number();
    }

    static CommandLine commandLine(CommandContext context) {
        CommandLine line = new CommandLine(new Main());
        line.addSubcommand(new ListCommand(context));
        line.addSubcommand(new InspectCommand(context));
        line.addSubcommand(new WatchCommand(context));
        line.addSubcommand(new WritersCommand(context));
        line.addSubcommand(new PinCommand(context));
        line.addSubcommand(new UnpinCommand(context));
        line.addSubcommand(new ForceExpireCommand(context));
        line.addSubcommand(new OccurrencesCommand(context));
        line.addSubcommand(new ForgetOccurrenceCommand(context));
        line.addSubcommand(new DoctorCommand(context));
        line.addSubcommand(new HousekeepingCommand(context));
        line.addSubcommand(new ServeCommand(context));
        line.addSubcommand(new RunCommand(context));
        line.addSubcommand(new CompletionCommand(context));
        line.setOut(context.out());
        line.setErr(context.err());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        // The words of a command to run may begin with an @, as may names.
        line.setExpandAtFiles(false);
        line.setUsageHelpAutoWidth(true);
        line.getCommandSpec().usageMessage().footer("", ExitCode.inWords());
        line.setParameterExceptionHandler((wrong, given) -> wrongUsage(context, wrong));
        line.setExecutionExceptionHandler((thrown, command, parsed) ->
                Failures.tell(context, thrown, DatabaseCommand.wantsJson(command.getCommand())));
        return line;
    }

    /** Parameters are shown in messages, and one of them may be a connection string. */
    private static int wrongUsage(CommandContext context, ParameterException wrong) {
        String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
        context.printError(Redaction.of(String.valueOf(wrong.getMessage())));
        context.printError("See '" + command + " --help'.");
        return ExitCode.USAGE.number();
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getErr());
        throw new ParameterException(spec.commandLine(), "say what to do: a command is missing");
    }
}
