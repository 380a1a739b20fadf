package dev.leasehold.mergequeue.process;

import dev.leasehold.mergequeue.http.Caller;
import dev.leasehold.mergequeue.http.RunningService;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The jar in a process of its own, as users run it. */
final class ReplicaProcess implements AutoCloseable {

    private static final Path JAR =
            Path.of("target", "leasehold-merge-queue.jar").toAbsolutePath();

    private final Process process;
    private final URI address;
    private final Path errors;

    private ReplicaProcess(Process process, URI address, Path errors) {
        this.process = process;
        this.address = address;
        this.errors = errors;
    }

    /** Returns when it serves. */
    static ReplicaProcess start(Path folder, Path config, List<String> options, Map<String, String> environment)
            throws IOException {
        return start(folder, config, RunningService.freePort(), options, environment);
    }

    static ReplicaProcess start(
            Path folder, Path config, int port, List<String> options, Map<String, String> environment)
            throws IOException {
        Path errors = Files.createTempFile(folder, "replica-", ".log");
        URI address = URI.create("http://127.0.0.1:" + port);
        ProcessBuilder builder = new ProcessBuilder(command(config, port, address, options))
                .directory(folder.toFile())
                .redirectError(errors.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        ReplicaProcess replica = new ReplicaProcess(process, address, errors);
        BufferedReader output = process.inputReader();
        String line = output.readLine();
        if (line == null || !line.equals("serving at " + address)) {
            replica.close();
            throw new IllegalStateException(line + ": " + Files.readString(errors));
        }
        return replica;
    }

    private static List<String> command(Path config, int port, URI address, List<String> options) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx160m",
                "-jar",
                JAR.toString(),
                "serve",
                "--config",
                config.toString(),
                "--host",
                "127.0.0.1",
                "--port",
                Integer.toString(port),
                "--address",
                address.toString()));
        command.addAll(options);
        return command;
    }

    /** Gives up on a frozen replica soon. */
    Caller caller() {
        return new Caller(address, Duration.ofSeconds(8));
    }

    URI address() {
        return address;
    }

    int port() {
        return address.getPort();
    }

    String log() throws IOException {
        return Files.readString(errors);
    }

    /** As by the operating system: nothing is given back. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    /** Asked to end, as by a service manager. */
    int end() throws InterruptedException {
        process.destroy();
        return process.waitFor();
    }

    private void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
