package dev.leasehold.bench.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;

/**
 * Where output goes.
 *
 * @param out results
 * @param err progress, and what is wrong
 * @param isInteractive whether a person looks on, so that a line may be drawn over
 */
record Terminal(PrintWriter out, PrintWriter err, boolean isInteractive) {

    static Terminal ofThisProcess() {
        return new Terminal(new PrintWriter(System.out, true), new PrintWriter(System.err, true), isConsole());
    }

    /** From 22 on there may be a console without a terminal; before, there is none. */
    private static boolean isConsole() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("the console does not say whether it is a terminal", e);
        }
    }

    void print(String line) {
        out.println(line);
        out.flush();
    }
}
