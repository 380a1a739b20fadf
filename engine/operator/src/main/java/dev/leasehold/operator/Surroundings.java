package dev.leasehold.operator;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What a command has around it.
 *
 * @param out results
 * @param err what is wrong
 * @param environment variables of the process
 * @param terminal whoever may be asked back
 */
record Surroundings(PrintWriter out, PrintWriter err, Map<String, String> environment, Terminal terminal) {

    static Surroundings ofThisProcess() {
        return new Surroundings(
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                System.getenv(),
                Terminal.ofThisProcess());
    }

    void print(String line) {
        out.println(line);
        out.flush();
    }

    void complain(String line) {
        err.println(line);
        err.flush();
    }
}
