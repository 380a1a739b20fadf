package dev.leasehold.mergequeue;

import dev.leasehold.mergequeue.cli.ServeCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
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

    private Main() {}

    /**
     * Runs a command.
     *
     * @param arguments of the command line
     */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Main()).execute(arguments));
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
