package dev.leasehold.replicaset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * Cleans up after JVMs that were killed: ends the servers that they left running and deletes their folders. A JVM that
 * is alive holds the lock of its run folder.
 */
final class LeftoverSweep {

    private static final int END_SECONDS_MAX = 10;

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
                remove(run);
                lock.get().close();
            }
        } catch (NoSuchFileException e) {
            // Its own JVM had begun to delete it.
            remove(run);
        }
    }

    private void remove(Path run) throws IOException {
        for (Path file : children(run, RunFolder.RECORD_PREFIX)) {
            Optional<ProcessRecord> record = ProcessRecord.read(file);
            record.flatMap(known -> processes.apply(known.pid()).filter(known::isOf))
                    .ifPresent(LeftoverSweep::end);
        }
        Folders.delete(run);
    }

    private static void end(ProcessHandle process) {
        process.destroyForcibly();
        try {
            process.onExit().get(END_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReplicaSetUnavailableException("interrupted while ending leftover process " + process.pid(), e);
        } catch (ExecutionException | TimeoutException e) {
            throw new ReplicaSetUnavailableException("leftover process %d does not end".formatted(process.pid()), e);
        }
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
