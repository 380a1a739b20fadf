package dev.leasehold.examples.globallock;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

/**
 * Files that keep the greatest token under which they were written, and refuse an older one. It knows nothing of leases: it stands for any
 * resource that can compare two numbers. For many threads and processes.
 */
final class FileStore {

    /** Files of the store itself begin with a dot. */
    private static final String LOCK_FILE = ".lock";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}");

    private final Path folder;
    /** The lock on the file keeps out other processes only. */
    private final ReentrantLock turn = new ReentrantLock();

    FileStore(Path folder) {
        this.folder = folder;
    }

    /**
     * Writes a file.
     *
     * @param name 1 to 100 letters and digits of ASCII, '.', '_' and '-', the first one no '.'
     * @return false if it was written under a greater token, and stays as it is
     * @throws IllegalArgumentException if the name breaks that rule
     */
    boolean write(String name, String text, long token) throws IOException {
        Path file = file(name);
        turn.lock();
        try (FileChannel channel =
                FileChannel.open(folder.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.lock(); // until the channel is closed
            return writeAlone(file, text, token);
        } finally {
            turn.unlock();
        }
    }

    // example:start store
    private static boolean writeAlone(Path file, String text, long token) throws IOException {
        if (Files.exists(file) && tokenOf(file) > token) {
            return false;
        }
        Path next = file.resolveSibling("." + file.getFileName());
        Files.writeString(next, token + "\n" + text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return true;
    }
    // example:end store

    private static long tokenOf(Path file) throws IOException {
        String content = Files.readString(file);
        return Long.parseLong(content.substring(0, content.indexOf('\n')));
    }

    /** A name of another kind could lead out of the folder, or to a file of the store itself. */
    private Path file(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("file '" + name + "' is refused: a name must be 1 to 100 letters and"
                    + " digits of ASCII, '.', '_' and '-', and not begin with '.'");
        }
        return folder.resolve(name);
    }

    /** What was written last. */
    String read(String name) throws IOException {
        String content = Files.readString(file(name));
        return content.substring(content.indexOf('\n') + 1);
    }
}
