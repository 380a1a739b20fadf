package dev.leasehold.bench.process;

import dev.leasehold.bench.adapters.Library;
import dev.leasehold.bench.adapters.PairLoop;
import dev.leasehold.bench.adapters.ServerAddresses;
import dev.leasehold.bench.adapters.Turn;
import dev.leasehold.bench.measure.Timings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** A {@link Worker} as seen by the process that gives the orders. Safe for use by many threads. */
public final class WorkerProcess implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 180;
    private static final long PARTING_SECONDS = 10;

    private final Process process;
    private final PrintWriter orders;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, CompletableFuture<String>> answers = new ConcurrentHashMap<>();

    private WorkerProcess(Process process) {
        this.process = process;
        this.orders = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        Thread reader = new Thread(this::read, "answers of process " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts a process with a small heap.
     *
     * @param place the servers
     * @param heapMegabytes its heap at the most
     */
    public static WorkerProcess start(ServerAddresses place, int heapMegabytes) throws IOException {
        List<String> options = List.of(
                "-Xmx" + heapMegabytes + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:CompileThresholdScaling=0.1");
        List<String> command = JavaCommand.of(options, Worker.class.getName(), place.arguments());
        return new WorkerProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** Has it open a library under a namespace. */
    public CompletableFuture<String> open(String namespace, Library library, Duration length) {
        return order("open " + namespace + " " + library.name() + " " + length.toMillis());
    }

    /** Has it close what it opened under that namespace. */
    public CompletableFuture<String> close(String namespace) {
        return order("close " + namespace);
    }

    /** Has it acquire and release a lock again and again, one of its own, or one that others want too. */
    public CompletableFuture<Timings> pairs(
            String namespace, String name, boolean isShared, PairLoop.Count count, Turn turn) {
        return order("pairs " + namespace + " " + name + " " + isShared + " " + count + " " + turn.beginNanos() + " "
                        + turn.startNanos() + " " + turn.endNanos())
                .thenApply(TimingsCodec::decode);
    }

    /** Has it acquire a lock and release it, and answers how long both took. */
    public CompletableFuture<Long> pairNanos(String namespace, String name) {
        return order("pair " + namespace + " " + name).thenApply(Long::valueOf);
    }

    /** Has it acquire a lock, and answers when it had it, by the monotonic clock. */
    public CompletableFuture<Long> acquire(String namespace, String name) {
        return order("acquire " + namespace + " " + name).thenApply(Long::valueOf);
    }

    /** Has it release a lock, and answers when it began to, by the monotonic clock. */
    public CompletableFuture<Long> release(String namespace, String name) {
        return order("release " + namespace + " " + name).thenApply(Long::valueOf);
    }

    /** Has an engine in it stop right before the commit of a claim. */
    public CompletableFuture<String> stopInClaim(String namespace) {
        return order("stop-in-claim " + namespace);
    }

    /** Has it leave a transaction of the bare driver open that has written a document. */
    public CompletableFuture<String> stopInTransaction(String document) {
        return order("stop-in-transaction " + document);
    }

    /** Has an engine in it read all leases, and answers how many bytes each takes. */
    public CompletableFuture<Double> viewBytesPerLease(String namespace) {
        return order("view-size " + namespace).thenApply(answer -> {
            String[] words = answer.split(" ");
            return Double.parseDouble(words[1]) / Long.parseLong(words[0]);
        });
    }

    private CompletableFuture<String> order(String order) {
        long number = numbers.incrementAndGet();
        CompletableFuture<String> answer = new CompletableFuture<>();
        answers.put(number, answer);
        orders.println(number + " " + order);
        if (!process.isAlive()) {
            gone();
        }
        return answer;
    }

    /**
     * Waits for an answer.
     *
     * @throws IllegalStateException if the worker failed, ended, or did not answer for minutes
     */
    public static <T> T await(CompletableFuture<T> answer) throws InterruptedException {
        try {
            return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(Objects.requireNonNull(e.getCause()).getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("a process did not answer within " + PATIENCE_SECONDS + " s", e);
        }
    }

    /** Has all of them do something at the same time, and waits for all. */
    public static <T> void awaitAll(List<WorkerProcess> workers, Function<WorkerProcess, CompletableFuture<T>> order)
            throws InterruptedException {
        for (CompletableFuture<T> answer : workers.stream().map(order).toList()) {
            await(answer);
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                accept(line.split(" ", 3));
            }
        } catch (IOException e) {
            // It was killed. Those that wait are told below.
        }
        gone();
    }

    private void accept(String[] words) {
        CompletableFuture<String> answer = answers.remove(Long.parseLong(words[0]));
        if (answer == null) {
            return;
        }
        if (words[1].equals("ok")) {
            answer.complete(words[2]);
        } else {
            answer.completeExceptionally(new IllegalStateException("a process failed: " + words[2]));
        }
    }

    private void gone() {
        answers.values()
                .forEach(answer -> answer.completeExceptionally(
                        new IllegalStateException("process " + process.pid() + " has ended")));
    }

    /** Ends it in the midst of whatever it does, and answers when, by the monotonic clock. */
    public long kill() throws InterruptedException {
        long nowNanos = System.nanoTime();
        process.destroyForcibly().waitFor();
        return nowNanos;
    }

    @Override
    public void close() {
        orders.close();
        try {
            if (process.waitFor(PARTING_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
