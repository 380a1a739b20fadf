package dev.leasehold.bench.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A server that runs for as long as the benchmark does. */
final class ServerProcess implements AutoCloseable {

    private static final Duration READY_LIMIT = Duration.ofSeconds(60);
    private static final long POLL_MILLIS = 50;
    private static final long PARTING_SECONDS = 10;

    private final Process process;

    private ServerProcess(Process process) {
        this.process = process;
    }

    /** Starts it; it need not take connections yet. */
    static ServerProcess start(Path folder, List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return new ServerProcess(process);
    }

    /** A port that no process listens on at the moment. */
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** So many of them. */
    static List<Integer> freePorts(int count) throws IOException {
        List<Integer> ports = new ArrayList<>();
        while (ports.size() < count) {
            ports.add(freePort());
        }
        return ports;
    }

    /** Returns when it takes connections. */
    void awaitPort(int port) throws IOException, InterruptedException {
        await("listening on port " + port, () -> listens(port));
    }

    /** Returns when it is ready in that sense. */
    void await(String ready, BooleanSupplier isReady) throws IOException, InterruptedException {
        long startNanos = System.nanoTime();
        while (!isReady.getAsBoolean()) {
            if (!process.isAlive() || System.nanoTime() - startNanos > READY_LIMIT.toNanos()) {
                throw new IOException(process.info().command().orElse("a server") + " is not " + ready);
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), (int) POLL_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Asks it to end at once, as a terminal would: PostgreSQL waits for open connections otherwise. Java itself knows no such signal. */
    private void interrupt() {
        try {
            new ProcessBuilder("kill", "-INT", String.valueOf(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            // There is no such program: then it ends in its own time.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        interrupt();
        process.destroy();
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
