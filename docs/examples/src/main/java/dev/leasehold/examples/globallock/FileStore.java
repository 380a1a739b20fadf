package dev.leasehold.examples.globallock;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Files that keep the greatest token under which they were written, and refuse an older one. It knows nothing of leases: it stands for any
 * resource that can compare two numbers. For many threads and processes.
 */
final class FileStore {

    private static final String LOCK_FILE = ".lock";

    private final Path folder;
    /** The lock on the file keeps out other processes only. */
    private final ReentrantLock turn = new ReentrantLock();

    FileStore(Path folder) {
        this.folder = folder;
    }

    /**
     * Writes a file.
     *
     * @return false if it was written under a greater token, and stays as it is
     */
    boolean write(String name, String text, long token) throws IOException {
        turn.lock();
        try (FileChannel channel =
                FileChannel.open(folder.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.lock(); // until the channel is closed
            return writeAlone(folder.resolve(name), text, token);
        } finally {
            turn.unlock();
        }
    }

    // example:start store
    private static boolean writeAlone(Path file, String text, long token) throws IOException {
        if (Files.exists(file) && tokenOf(file) > token) {
            return false;
        }
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.writeString(next, token + "\n" + text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return true;
    }
    // example:end store

    private static long tokenOf(Path file) throws IOException {
        String content = Files.readString(file);
        return Long.parseLong(content.substring(0, content.indexOf('\n')));
    }

    /** What was written last. */
    String read(String name) throws IOException {
        String content = Files.readString(folder.resolve(name));
        return content.substring(content.indexOf('\n') + 1);
    }
}
