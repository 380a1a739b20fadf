package dev.leasehold.simulator.cli;

import java.io.PrintWriter;

/**
 * Where output goes.
 *
 * @param out results
 * @param err progress, and what is wrong
 */
record Terminal(PrintWriter out, PrintWriter err) {

    static Terminal ofThisProcess() {
        return new Terminal(new PrintWriter(System.out, true), new PrintWriter(System.err, true));
    }

    void print(String line) {
        out.println(line);
        out.flush();
    }
}
