package dev.leasehold.simulator.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where output goes: results and files, and on the error output progress and what is wrong. Used by one thread. */
final class Terminal {

    private final PrintWriter out;
    private final PrintWriter err;
    private boolean isFileLost;

    /** Writes what belongs together. */
    interface FileWriting {
        void write() throws IOException;
    }

    Terminal(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    static Terminal ofThisProcess() {
        return new Terminal(new PrintWriter(System.out, true), new PrintWriter(System.err, true));
    }

    PrintWriter out() {
        return out;
    }

    PrintWriter err() {
        return err;
    }

    void print(String line) {
        out.println(line);
        out.flush();
    }

    void printError(String line) {
        err.println(line);
        err.flush();
    }

    /** Makes the folder of a report. One that cannot be written to is refused now, and not when all has been played. */
    static void makeFolder(Path folder) throws IOException {
        Files.createDirectories(folder);
        try {
            Files.delete(Files.createTempFile(folder, "report", null));
        } catch (IOException e) {
            throw new FileSystemException(folder.toString(), null, Main.problem(e));
        }
    }

    /**
     * Writes files of the result, and prints where they are. A failure is told and remembered, but thrown it would keep the verdict, which
     * comes later, from the caller.
     *
     * @param what they are
     * @param shown the file that is named
     * @return whether they were written
     */
    boolean write(String what, Path shown, FileWriting writing) {
        try {
            writing.write();
        } catch (IOException e) {
            isFileLost = true;
            String file = e instanceof FileSystemException of ? of.getFile() : shown.toString();
            printError(what + ": " + file + " could not be written: " + Main.problem(e));
            return false;
        }
        print(what + ": " + shown);
        return true;
    }

    /** Whether a part of the result went nowhere: the disk is full, or what reads the pipe has ended. */
    boolean isResultLost() {
        return out.checkError() || isFileLost;
    }
}
