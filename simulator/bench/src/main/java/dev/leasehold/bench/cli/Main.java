package dev.leasehold.bench.cli;

import com.mongodb.MongoTimeoutException;
import dev.leasehold.replicaset.ReplicaSetUnavailableException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;

/** The command line of the benchmark: measures all rows, or some, and prints or writes the results. */
@Command(
        name = "leasehold-bench",
        description =
                "Measures the lease engine beside what one would use instead, and beside the bare driver, in one run.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        footer = {
            "",
            "Peers that need etcd, redis-server or PostgreSQL (initdb and postgres) take part if these are on the PATH.",
            "Exit codes: 0 measured, whether goals were met or not; 5 no replica set, or the benchmark failed; 64 wrong usage;"
                    + " 74 as 0, but the output could not be written to its end."
        })
public final class Main implements Callable<Integer> {

    private static final int FAILED = 5;
    private static final int WRONG_USAGE = 64;
    private static final int OUTPUT_LOST = 74;

    private final Terminal terminal;

    @Mixin
    private final Options options = new Options();

    private Main(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Runs and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(execute(Terminal.ofThisProcess(), arguments));
    }

    static int execute(Terminal terminal, String... arguments) {
        CommandLine line = new CommandLine(new Main(terminal));
        line.setOut(terminal.out());
        line.setErr(terminal.err());
        line.getCommandSpec().exitCodeOnInvalidInput(WRONG_USAGE);
        line.setExecutionExceptionHandler((thrown, command, parsed) -> fail(terminal, thrown));
        return withOutput(terminal, line.execute(arguments));
    }

    /** A success of which nothing is left is none. Other results are told by the code itself. */
    private static int withOutput(Terminal terminal, int code) {
        if (code != 0 || !terminal.isOutputLost()) {
            return code;
        }
        terminal.err().println("the output could not be written to its end");
        terminal.err().flush();
        return OUTPUT_LOST;
    }

    private static int fail(Terminal terminal, Exception thrown) {
        if (thrown instanceof FileSystemException refused) {
            terminal.err().println("file " + refused.getFile() + " is refused: it cannot be written: " + why(refused));
            terminal.err().flush();
            return WRONG_USAGE;
        }
        if (thrown instanceof InterruptedException) {
            terminal.err().println("interrupted: what was measured is not written");
        } else if (thrown instanceof ReplicaSetUnavailableException || thrown instanceof MongoTimeoutException) {
            terminal.err().println(thrown.getMessage());
        } else {
            thrown.printStackTrace(terminal.err());
        }
        terminal.err().flush();
        return FAILED;
    }

    private static String why(FileSystemException refused) {
        if (refused instanceof NoSuchFileException) {
            return "its folder is not there, and cannot be made";
        }
        if (refused instanceof AccessDeniedException) {
            return "access is denied";
        }
        if (refused instanceof FileAlreadyExistsException) {
            return "a file is there, and no folder";
        }
        return String.valueOf(refused.getReason());
    }

    /** Which benchmark this is. */
    static final class Version implements IVersionProvider {

        /** Name, version and JVM, in a line. */
        static String line() {
            String version = Main.class.getPackage().getImplementationVersion();
            return "leasehold-bench " + (version == null ? "of a working tree" : version) + ", Java "
                    + Runtime.version();
        }

        @Override
        public String[] getVersion() {
            return new String[] {line()};
        }
    }

    @Override
    public Integer call() throws Exception {
        options.check();
        new Run(terminal, options).carryOut();
        return 0;
    }
}
