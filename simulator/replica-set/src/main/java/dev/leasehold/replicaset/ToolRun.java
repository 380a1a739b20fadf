package dev.leasehold.replicaset;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A short-lived command that ran to its end, and everything that it printed. */
record ToolRun(int exitCode, String output) {

    private static final Duration TICK = Duration.ofSeconds(5);

    /**
     * Runs a command; {@code eachTick} is called every five seconds until it ends.
     *
     * @throws IOException if it cannot be started or exceeds the limit
     */
    static ToolRun of(List<String> command, Duration limit, Runnable eachTick) throws IOException {
        // A file, for a pipe that is not emptied would stop a talkative command.
        Path printed = Files.createTempFile("leasehold-", ".out");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(printed.toFile())
                    .start();
            int exitCode = awaitEnd(process, limit, eachTick);
            // Whatever is not UTF-8 is replaced: a tool speaks in the encoding of its locale.
            return new ToolRun(exitCode, new String(Files.readAllBytes(printed), StandardCharsets.UTF_8));
        } finally {
            Files.delete(printed);
        }
    }

    private static int awaitEnd(Process process, Duration limit, Runnable eachTick) throws IOException {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        try {
            while (!process.waitFor(Math.min(TICK.toNanos(), limit.toNanos()), TimeUnit.NANOSECONDS)) {
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw new IOException(String.format(Locale.ROOT, "did not end within %d s", limit.toSeconds()));
                }
                eachTick.run();
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted").initCause(e);
        } finally {
            process.destroyForcibly();
        }
    }
}
