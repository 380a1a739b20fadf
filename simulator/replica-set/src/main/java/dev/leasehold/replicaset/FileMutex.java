package dev.leasehold.replicaset;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A lock among JVMs. The operating system gives it back when the JVM that has it ends, however it ends. */
final class FileMutex implements AutoCloseable {

    private static final long RETRY_MILLIS = 20;

    private final FileChannel channel;

    private FileMutex(FileChannel channel) {
        this.channel = channel;
    }

    /** What is to be done while it is held. */
    interface Work<T> {
        T run() throws IOException;
    }

    /** Waits until neither another JVM nor another thread of this one has it, and does the work. */
    static <T> T holding(Path file, Work<T> work) throws IOException {
        FileMutex mutex = acquire(file);
        try {
            return work.run();
        } finally {
            mutex.close();
        }
    }

    /** Waits until neither another JVM nor another thread of this one has it. */
    static FileMutex acquire(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            while (true) {
                try {
                    channel.lock();
                    return new FileMutex(channel);
                } catch (OverlappingFileLockException e) {
                    // The channel stays open: closing it would give back the lock that the other thread has.
                    pause();
                }
            }
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Takes it if no other JVM has it. Must not be asked for a file that this JVM has locked: a refusal closes the
     * file, and on POSIX that gives back every lock that the process has on it.
     */
    static Optional<FileMutex> tryAcquire(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        @Nullable FileLock lock = null;
        try {
            lock = channel.tryLock();
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        return lock == null ? Optional.empty() : Optional.of(new FileMutex(channel));
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(RETRY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted").initCause(e);
        }
    }
}
