package dev.leasehold.operator;

import dev.leasehold.assertions.LeaseNames;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What a command has around it.
 *
 * @param out results
 * @param err what is wrong
 * @param environment variables of the process
 * @param terminal where the user may be asked back
 */
record CommandContext(PrintWriter out, PrintWriter err, Map<String, String> environment, Terminal terminal) {

    static CommandContext ofThisProcess() {
        return new CommandContext(
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                System.getenv(),
                Terminal.ofThisProcess());
    }

    /** Prints a line. Whatever cannot be seen becomes an escape: names and ids in it may be any text. */
    void print(String line) {
        out.println(LeaseNames.visible(line));
        out.flush();
    }

    /** Prints what this program itself has written, over several lines. */
    void printAsItIs(String text) {
        out.println(text);
        out.flush();
    }

    /** Whether something that was printed went nowhere: the disk is full, or what reads the pipe has ended. */
    boolean isOutputLost() {
        return out.checkError();
    }

    /** Prints a line about what is wrong, with escapes as in {@link #print}. */
    void printError(String line) {
        err.println(LeaseNames.visible(line));
        err.flush();
    }
}
