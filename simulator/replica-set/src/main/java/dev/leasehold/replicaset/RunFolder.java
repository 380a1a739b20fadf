package dev.leasehold.replicaset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Everything that this JVM has on disk and every process that it started. When the JVM ends, both end. When it is
 * killed, they stay, and the next JVM finds them: the lock file is free then, and a process that has a data folder in here
 * among its arguments was started by it.
 */
final class RunFolder {

    static final String NAME_PREFIX = "run-";
    static final String LOCK_NAME = "lock";

    private static final Duration HOOKS_LIMIT = Duration.ofSeconds(2);

    /** Surefire kills a JVM that needs more than 30 s for its end. */
    private static final Duration SPRING_LIMIT = Duration.ofSeconds(20);

    private static final ReentrantLock OPENING = new ReentrantLock();
    private static @Nullable RunFolder ofThisJvm;

    private final Path folder;
    private final FileMutex lock;
    private final AtomicInteger names = new AtomicInteger();
    private final ReentrantLock starting = new ReentrantLock();
    private final Set<Process> processes = new LinkedHashSet<>();
    private boolean ended;

    private RunFolder(Path folder, FileMutex lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /** The one of this JVM; the first call cleans up after others and makes it. */
    static RunFolder ofThisJvm() throws IOException {
        OPENING.lock();
        try {
            if (ofThisJvm == null) {
                Path base = base();
                RunFolder opened = open(base);
                rehearseEnd(base);
                Runtime.getRuntime().addShutdownHook(new Thread(opened::endAfterSpring, "leasehold-replica-set-end"));
                ofThisJvm = opened;
            }
            return ofThisJvm;
        } finally {
            OPENING.unlock();
        }
    }

    /** A new folder for one set. */
    Path newFolder() throws IOException {
        return Files.createDirectory(folder.resolve("set-" + names.incrementAndGet()));
    }

    /** Starts a server, whose data folder is one in here. */
    Process start(ProcessBuilder builder) throws IOException {
        starting.lock();
        try {
            if (ended) {
                throw new IOException("the JVM is ending");
            }
            Process process = builder.start();
            processes.add(process);
            return process;
        } finally {
            starting.unlock();
        }
    }

    /** Forgets a process that is gone. */
    void forget(Process process) {
        starting.lock();
        try {
            processes.remove(process);
        } finally {
            starting.unlock();
        }
    }

    /** Applications that Spring closes when the JVM ends still write to their database. */
    private void endAfterSpring() {
        SpringShutdown.awaitEnd(HOOKS_LIMIT, SPRING_LIMIT);
        end();
    }

    /**
     * Runs what the end runs, for nothing, so that its classes are loaded: exec-maven-plugin, for one, closes the class loader of
     * its program before the JVM runs the hooks.
     */
    private static void rehearseEnd(Path base) throws IOException {
        SpringShutdown.awaitEnd(Duration.ZERO, Duration.ZERO);
        new RunFolder(Files.createTempDirectory(base, "rehearsal-"), FileMutex.acquire(base.resolve("rehearsal.lock")))
                .end();
    }

    /** On this thread: the future of a process needs one of the common pool, which may never have one. */
    private static void awaitEnd(Process process) {
        while (process.isAlive()) {
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                // The folder cannot be deleted before.
            }
        }
    }

    private void end() {
        starting.lock();
        try {
            ended = true;
            processes.forEach(Process::destroyForcibly);
            processes.forEach(RunFolder::awaitEnd);
            Folders.delete(folder);
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            starting.unlock();
        }
    }

    private static RunFolder open(Path base) throws IOException {
        // The same lock for making and for sweeping: a folder without its lock yet must not be taken for a dead one.
        return FileMutex.holding(base.resolve("base.lock"), () -> {
            String prefix = prefixOfThisJvm();
            new LeftoverSweep(ProcessHandle::allProcesses).sweep(base, prefix);
            Path folder = Files.createTempDirectory(base, prefix);
            return new RunFolder(folder, FileMutex.acquire(folder.resolve(LOCK_NAME)));
        });
    }

    private static String prefixOfThisJvm() {
        ProcessHandle self = ProcessHandle.current();
        long startMillis = self.info().startInstant().orElse(Instant.EPOCH).toEpochMilli();
        return String.format(Locale.ROOT, "%s%d-%d-", NAME_PREFIX, self.pid(), startMillis);
    }

    private static Path base() throws IOException {
        String user = System.getProperty("user.name").replaceAll("[^A-Za-z0-9_-]", "_");
        Path base =
                Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath().resolve("leasehold-" + user);
        Path own = Files.createTempFile("leasehold-", ".owner");
        try {
            Files.createDirectories(
                    base, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            // A shared temporary folder lets any user take our name; what another one put there must not be trusted.
            if (!Files.getOwner(base).equals(Files.getOwner(own))) {
                throw new IOException("%s belongs to %s".formatted(base, Files.getOwner(base)));
            }
            return base;
        } finally {
            Files.delete(own);
        }
    }
}
