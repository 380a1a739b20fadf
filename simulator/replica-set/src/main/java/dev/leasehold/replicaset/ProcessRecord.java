package dev.leasehold.replicaset;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.Properties;

/**
 * What is known of a process that we started, so that another JVM can tell it from one that merely got its pid later.
 */
record ProcessRecord(long pid, Instant started, String command, Path folder) {

    /** Linux counts a process's start from the boot, and takes the boot's time from the wall clock, which is set. */
    private static final Duration START_TOLERANCE = Duration.ofSeconds(2);

    static ProcessRecord of(ProcessHandle process, Path folder) {
        ProcessHandle.Info info = process.info();
        return new ProcessRecord(
                process.pid(),
                info.startInstant().orElse(Instant.EPOCH),
                info.command().orElse(""),
                folder);
    }

    static Optional<ProcessRecord> read(Path file) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
            return Optional.of(new ProcessRecord(
                    Long.parseLong(properties.getProperty("pid")),
                    Instant.parse(properties.getProperty("started")),
                    properties.getProperty("command"),
                    Path.of(properties.getProperty("folder"))));
        } catch (RuntimeException e) {
            // It was written by another program; a record that cannot be trusted must not end a process.
            return Optional.empty();
        }
    }

    void write(Path file) throws IOException {
        Properties properties = new Properties();
        properties.setProperty("pid", Long.toString(pid));
        properties.setProperty("started", started.toString());
        properties.setProperty("command", command);
        properties.setProperty("folder", folder.toString());
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try (Writer writer = Files.newBufferedWriter(part)) {
            properties.store(writer, null);
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Only a process with the same start, the same program and our own folder among its arguments is ours. */
    boolean isOf(ProcessHandle process) {
        ProcessHandle.Info info = process.info();
        return process.pid() == pid
                && info.startInstant().filter(this::isAboutTheStart).isPresent()
                && info.command().filter(command::equals).isPresent()
                && info.arguments().filter(this::nameTheFolder).isPresent();
    }

    private boolean isAboutTheStart(Instant instant) {
        return Duration.between(started, instant).abs().compareTo(START_TOLERANCE) <= 0;
    }

    private boolean nameTheFolder(String[] arguments) {
        return Arrays.asList(arguments).contains(folder.toString());
    }
}
