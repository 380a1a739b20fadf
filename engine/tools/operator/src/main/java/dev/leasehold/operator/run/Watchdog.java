package dev.leasehold.operator.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A small process that ends a command if this process is killed, or stopped for longer than the lease is held. It is a script of the shell,
 * and rests on two clocks: on its own pauses of a second, and on the time of day.
 *
 * <p>One thread.
 */
public final class Watchdog implements AutoCloseable {

    private static final long SECOND_NANOS = 1_000_000_000;

    /** What is left of the validity when the script kills a command: it looks once a second. */
    static final long MARGIN_NANOS = 2 * SECOND_NANOS;

    private final long graceSeconds;
    private Path folder;
    private FileChannel beat;
    private Process process;
    private long count;

    /** The process group of the command, and when it began, as the script reads them; empty until they are known. */
    private String group = "";

    private Watchdog(long graceSeconds, Path folder, FileChannel beat, Process process) {
        this.graceSeconds = graceSeconds;
        this.folder = folder;
        this.beat = beat;
        this.process = process;
    }

    /**
     * Starts it.
     *
     * @param graceNanos how long the command may take to end once it was asked to
     * @param remainingNanos for how long the lease is held if nothing renews it
     * @return the watchdog, to be closed when the command is gone
     */
    public static Watchdog start(long graceNanos, long remainingNanos) throws IOException {
        long graceSeconds = Math.floorDiv(graceNanos + SECOND_NANOS - 1, SECOND_NANOS);
        Path folder = newFolder();
        Watchdog watchdog = new Watchdog(
                graceSeconds,
                folder,
                openBeat(folder),
                script(folder, graceSeconds, seconds(remainingNanos, graceSeconds)));
        watchdog.beat(remainingNanos);
        return watchdog;
    }

    private static Path newFolder() throws IOException {
        return Files.createTempDirectory("leasehold-run-");
    }

    private static FileChannel openBeat(Path folder) throws IOException {
        return FileChannel.open(folder.resolve("beat"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    private static Process script(Path folder, long graceSeconds, long leftSeconds) throws IOException {
        List<String> line = new ArrayList<>(CommandProcess.inOwnSession());
        line.addAll(List.of("sh", "-c", text(), "leasehold-watchdog", folder.toString()));
        line.add(Long.toString(ProcessHandle.current().pid()));
        line.add(Long.toString(graceSeconds));
        line.add(Long.toString(leftSeconds));
        return new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    static String text() throws IOException {
        return script("began.sh") + script("watchdog.sh");
    }

    /** A part of a script of the shell. */
    static String script(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(Watchdog.class.getResourceAsStream(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** {@return whether it has asked the command to end, because this process did not say in time that it holds the lease} */
    public boolean hasAskedCommand() {
        return Files.exists(folder.resolve("asked"));
    }

    /** {@return where the command writes its process group, and when it began} */
    public Path pidFile() {
        return folder.resolve("pid");
    }

    /**
     * Says for how long the lease is held. Is to be called about twice a second.
     *
     * @param remainingNanos for how long the lease is held if nothing renews it
     */
    public void beat(long remainingNanos) throws IOException {
        if (group.isEmpty() && Files.exists(pidFile())) {
            group = Files.readString(pidFile()).strip();
        }
        // A cleaner of old files may remove the folder, and the name may belong to another user since.
        boolean isFolderGone = Files.notExists(folder.resolve("beat"));
        if (isFolderGone) {
            process.destroyForcibly();
            removeFolder();
            folder = newFolder();
            beat = openBeat(folder);
        }
        count++;
        long leftSeconds = seconds(remainingNanos, graceSeconds);
        long untilSeconds = System.currentTimeMillis() / 1_000 + leftSeconds;
        // Always as long, and in one write, so that the script never reads a part of it.
        String line = String.format(Locale.ROOT, "%12d %12d %12d %40s%n", count, untilSeconds, leftSeconds, group);
        beat.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)), 0);
        if (isFolderGone || !process.isAlive()) {
            process = script(folder, graceSeconds, leftSeconds);
        }
    }

    /** In how many seconds the command must be asked to end, so that the grace period and the margin are over before the lease is. */
    private static long seconds(long remainingNanos, long graceSeconds) {
        return Math.max(0, (remainingNanos - MARGIN_NANOS) / SECOND_NANOS - graceSeconds);
    }

    /** Ends it, and leaves nothing behind, also on an interrupt. The command is gone. */
    @Override
    public void close() {
        process.destroyForcibly();
        boolean isInterrupted = !awaitEnd();
        removeFolder();
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void removeFolder() {
        try {
            beat.close();
            for (String file : List.of("beat", "pid", "asked")) {
                Files.deleteIfExists(folder.resolve(file));
            }
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            // How the command has ended counts for more than a file that stays behind.
        }
    }

    /** Tells whether it was not interrupted. */
    private boolean awaitEnd() {
        try {
            process.waitFor(10, TimeUnit.SECONDS);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }
}
