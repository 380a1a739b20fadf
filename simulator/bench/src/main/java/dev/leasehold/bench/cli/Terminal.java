package dev.leasehold.bench.cli;

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

    /** Whether something that was printed went nowhere: the disk is full, or what reads the pipe has ended. */
    boolean isOutputLost() {
        return out.checkError();
    }
}
