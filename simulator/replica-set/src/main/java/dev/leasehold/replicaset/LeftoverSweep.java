package dev.leasehold.replicaset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * Cleans up after JVMs that were killed: ends the servers that they left running and deletes their folders. A JVM that
 * is alive holds the lock of its run folder.
 */
final class LeftoverSweep {

    private static final Duration END_LIMIT = Duration.ofSeconds(10);

    private final LongFunction<Optional<ProcessHandle>> processes;

    LeftoverSweep(LongFunction<Optional<ProcessHandle>> processes) {
        this.processes = processes;
    }

    /** Cleans up what is in the base folder, but for the runs whose names begin with the own prefix. */
    void sweep(Path base, String ownPrefix) throws IOException {
        for (Path run : children(base, RunFolder.NAME_PREFIX)) {
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
        for (Path file : children(run, RunFolder.RECORD_PREFIX)) {
            ProcessRecord.read(file).ifPresent(this::endIfRunning);
        }
        Folders.delete(run);
    }

    private void endIfRunning(ProcessRecord record) {
        processes.apply(record.pid()).filter(record::isOf).ifPresent(process -> {
            process.destroyForcibly();
            // Not until it is gone: where no process collects orphans, its entry stays for ever, but without arguments.
            Awaiting.answer(
                    "the end of leftover process " + record.pid(),
                    END_LIMIT,
                    () -> Optional.of(process).filter(ended -> !record.isOf(ended)));
        });
    }

    private static List<Path> children(Path folder, String prefix) throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.filter(child -> child.getFileName().toString().startsWith(prefix))
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }
}
