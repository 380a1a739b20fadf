package dev.leasehold.replicaset;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One life of a {@code mongod} on this machine, from its start to its end. */
final class MongodProcess {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration END_LIMIT = Duration.ofSeconds(30);
    private static final Duration SIGNAL_LIMIT = Duration.ofSeconds(5);
    private static final int LOG_TAIL_LINES = 20;
    /** The exit code for an address in use. */
    private static final int EXIT_NET_ERROR = 48;
    /** What a server writes that could bind to its port, and aborts since another began to listen on it first. */
    private static final String ADDRESS_IN_USE = "Address already in use";

    private final RunFolder run;
    private final MongodCommand command;
    private final Path log;
    private final Process process;

    private MongodProcess(RunFolder run, MongodCommand command, Path log, Process process) {
        this.run = run;
        this.command = command;
        this.log = log;
        this.process = process;
    }

    /** Starts it; {@link #awaitListening()} tells when it can be used. Each life has its own log. */
    static MongodProcess start(RunFolder run, MongodCommand command) throws IOException {
        Files.createDirectories(command.dataFolder());
        Path log = Files.createTempFile(command.dataFolder().getParent(), "mongod-" + command.port() + "-", ".log");
        ProcessBuilder builder = new ProcessBuilder(command.arguments())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        // A locale that the machine does not have would stop the server.
        builder.environment().put("LC_ALL", "C");
        return new MongodProcess(run, command, log, run.start(builder));
    }

    /** @throws PortTakenException if another process took the port meanwhile */
    void awaitListening() {
        // Not by connecting: another process that took the port would answer too.
        Awaiting.answer("mongod on port " + command.port(), START_LIMIT, () -> {
            failIfEnded();
            return Optional.of(log).filter(MongodProcess::saysListening);
        });
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    void terminate() {
        process.destroy();
        // A stopped process gets the signal only when it goes on.
        if (process.isAlive()) {
            signal("CONT");
        }
        awaitEnd();
    }

    void pause() {
        signal("STOP");
        // Until a thread of it has taken the signal, the others go on and answer.
        Awaiting.answer(
                "the stop of pid " + process.pid(),
                END_LIMIT,
                () -> Optional.of(process).filter(stopping -> !stopping.isAlive() || isStopped(stopping.pid())));
    }

    /** Whether all threads are, as Linux tells it; taken for granted elsewhere. */
    private static boolean isStopped(long pid) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", String.valueOf(pid), "task"))) {
            return threads.allMatch(MongodProcess::isThreadStopped);
        } catch (IOException e) {
            return true;
        }
    }

    private static boolean isThreadStopped(Path thread) {
        try {
            return Files.readAllLines(thread.resolve("status"), StandardCharsets.ISO_8859_1).stream()
                    .anyMatch(line -> line.startsWith("State:\tT"));
        } catch (IOException e) {
            // It has ended meanwhile.
            return true;
        }
    }

    void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            // The shell's own kill: not every small system has a program of that name.
            List<String> kill = List.of("sh", "-c", String.format(Locale.ROOT, "kill -s %s %d", name, process.pid()));
            ToolRun result = ToolRun.of(kill, SIGNAL_LIMIT, () -> {});
            if (result.exitCode() != 0 && process.isAlive()) {
                throw new IOException(result.output().strip());
            }
        } catch (IOException e) {
            throw new IllegalStateException(
                    String.format(Locale.ROOT, "SIG%s for pid %d: %s", name, process.pid(), e.getMessage()), e);
        }
    }

    private void awaitEnd() {
        // Not interruptible: a caller must know that the process is gone.
        if (!Closing.uninterrupted(this::endsInTime)) {
            throw new IllegalStateException(String.format(
                    Locale.ROOT, "mongod on port %d, pid %d, does not end", command.port(), process.pid()));
        }
        run.forget(process);
    }

    /** On this thread: the future of a process needs one of the common pool, which what is tested may keep busy. */
    private boolean endsInTime() {
        try {
            return process.waitFor(END_LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the end of a mongod", e);
        }
    }

    private void failIfEnded() {
        if (process.isAlive()) {
            return;
        }
        String message = String.format(
                Locale.ROOT,
                "mongod on port %d ended with code %d while starting%n%s",
                command.port(),
                process.exitValue(),
                logTail());
        throw process.exitValue() == EXIT_NET_ERROR || logged().contains(ADDRESS_IN_USE)
                ? new PortTakenException(message)
                : new ReplicaSetUnavailableException(message);
    }

    private String logTail() {
        List<String> lines = logged().lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
    }

    private String logged() {
        return logged(log);
    }

    private static boolean saysListening(Path log) {
        return logged(log).toLowerCase(Locale.ROOT).contains("waiting for connections");
    }

    private static String logged(Path log) {
        try {
            // Not as UTF-8: the last character may be half written.
            return Files.readString(log, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new ReplicaSetUnavailableException("cannot read " + log, e);
        }
    }
}
