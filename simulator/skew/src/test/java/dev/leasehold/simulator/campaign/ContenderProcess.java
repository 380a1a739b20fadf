package dev.leasehold.simulator.campaign;

import dev.leasehold.simulator.history.Event;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A {@link Contender} as the campaign sees it. Its journal and what it logs are kept in files too. */
final class ContenderProcess implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 120;

    private final String name;
    private final Process process;
    private final Path journal;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<List<Event>> end;
    private long killedNanos = Long.MAX_VALUE;

    private ContenderProcess(String name, Process process, Path journal) {
        this.name = name;
        this.process = process;
        this.journal = journal;
        this.end = CompletableFuture.supplyAsync(this::read, task -> new Thread(task, "journal of " + name).start());
    }

    /** Starts one; {@link #awaitReady()} tells when its engine is there. */
    static ContenderProcess start(Path folder, String uri, String name, long seed, List<String> leases)
            throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Contender.class.getName(),
                        uri,
                        name,
                        String.valueOf(seed),
                        String.join(",", leases))
                .redirectError(folder.resolve(name + ".log").toFile())
                .start();
        return new ContenderProcess(name, process, folder.resolve(name + ".journal"));
    }

    void awaitReady() {
        within(ready);
    }

    /**
     * Stops it in the midst of whatever it does, and lets it go on after a while. The shell does both, so that nothing is
     * left stopped when this process ends meanwhile. Not every small system has a kill of its own.
     */
    void pause(long millis) throws IOException, InterruptedException {
        String signals = String.format(
                Locale.ROOT,
                "kill -s STOP %1$d; sleep %2$d.%3$03d; kill -s CONT %1$d",
                process.pid(),
                millis / 1_000,
                millis % 1_000);
        new ProcessBuilder("sh", "-c", signals).inheritIO().start().waitFor();
    }

    /** Ends it in the midst of whatever it does. What it wrote last can still be read, which {@link Process} would prevent. */
    void kill() throws InterruptedException {
        killedNanos = System.nanoTime();
        process.toHandle().destroyForcibly();
        process.waitFor();
    }

    /** Lets it end in its own way. */
    void stop() {
        new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true).println("stop");
    }

    /** Its journal, once it has ended in its own way. */
    List<Event> awaitEnd() throws InterruptedException {
        List<Event> events = within(end);
        if (process.waitFor() != 0) {
            throw new AssertionError(
                    "process " + name + " ended with code " + process.exitValue() + ", see " + journal);
        }
        return events;
    }

    /** Its journal, once it was killed. What it showed afterwards, before it was dead, is left out. */
    List<Event> journalOfTheDead() {
        ProcessName killed = ProcessName.of(name);
        List<Event> events = new ArrayList<>(within(end));
        events.removeIf(event -> event instanceof Event.ValidUntil && event.atNanos() > killedNanos);
        events.add(new Event.Stopped(killedNanos, killed.machine(), killed.incarnation(), true));
        return events;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private List<Event> read() {
        List<Event> events = new ArrayList<>();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
                BufferedWriter copy = Files.newBufferedWriter(journal)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                copy.write(line);
                copy.newLine();
                if (line.equals(Contender.READY)) {
                    ready.complete(null);
                } else {
                    events.add(Journal.parse(line));
                }
            }
            return events;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            ready.completeExceptionally(new IllegalStateException("process " + name + " ended, see " + journal));
        }
    }

    private <T> T within(CompletableFuture<T> future) {
        return future.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    }
}
