package dev.leasehold.replicaset;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Cleans up after JVMs that were killed: ends the servers that they left running and deletes their folders. A JVM that
 * is alive holds the lock of its run folder.
 */
final class LeftoverSweep {

    private static final Duration END_LIMIT = Duration.ofSeconds(10);

    private final Supplier<Stream<ProcessHandle>> processes;

    /** @param processes all of this machine */
    LeftoverSweep(Supplier<Stream<ProcessHandle>> processes) {
        this.processes = processes;
    }

    /** Cleans up what is in the base folder, but for the runs whose names begin with the own prefix. */
    void sweep(Path base, String ownPrefix) throws IOException {
        for (Path run : runs(base)) {
            // Not even a look at one's own lock: see FileMutex.tryAcquire.
            if (!run.getFileName().toString().startsWith(ownPrefix)) {
                sweepIfDead(run);
            }
        }
    }

    private void sweepIfDead(Path run) throws IOException {
        try {
            Optional<FileMutex> lock = FileMutex.tryAcquire(run.resolve(RunFolder.LOCK_NAME));
            if (lock.isPresent()) {
                removeHolding(lock.get(), run);
            }
        } catch (NoSuchFileException e) {
            // Its own JVM had begun to delete it.
            remove(run);
        }
    }

    private void removeHolding(FileMutex lock, Path run) throws IOException {
        try {
            remove(run);
        } finally {
            lock.close();
        }
    }

    private void remove(Path run) throws IOException {
        processes.get().filter(process -> isServerIn(run, process)).forEach(process -> end(process, run));
        Folders.delete(run);
    }

    /** No other program has one of these folders as its data folder: their names are drawn anew by each JVM. */
    private static boolean isServerIn(Path run, ProcessHandle process) {
        List<String> arguments = process.info().arguments().map(List::of).orElse(List.of());
        int dataFolder = arguments.indexOf(MongodCommand.DATA_FOLDER) + 1;
        // As a text: that of another program need not be a path in the locale of this JVM.
        return dataFolder > 0
                && dataFolder < arguments.size()
                && arguments.get(dataFolder).startsWith(run + File.separator);
    }

    private static void end(ProcessHandle process, Path run) {
        process.destroyForcibly();
        // Not until it is gone: where no process collects orphans, its entry stays for ever, but without arguments.
        Awaiting.answer(
                "the end of leftover process " + process.pid(),
                END_LIMIT,
                () -> Optional.of(process).filter(ended -> !isServerIn(run, ended)));
    }

    private static List<Path> runs(Path base) throws IOException {
        try (Stream<Path> children = Files.list(base)) {
            return children.filter(child -> child.getFileName().toString().startsWith(RunFolder.NAME_PREFIX))
                    .toList();
        }
    }
}
