package dev.leasehold.replicaset;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Another JVM that has a set. It keeps what it leaves behind in the given folder. */
final class OtherJvm implements AutoCloseable {

    private final Process process;
    private final Path errors;
    private final ProcessHandle mongod;

    private OtherJvm(Process process, Path errors, ProcessHandle mongod) {
        this.process = process;
        this.errors = errors;
        this.mongod = mongod;
    }

    /** Returns when its set is ready. */
    static OtherJvm start(Path folder, Path server, String mode) throws IOException {
        Path errors = Files.createTempFile(folder, "stderr-", ".txt");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.io.tmpdir=" + folder,
                        "-cp",
                        System.getProperty("java.class.path"),
                        SetHolder.class.getName(),
                        mode)
                .redirectError(errors.toFile());
        builder.environment().put(InstalledMongod.VARIABLE, server.toString());
        Process process = builder.start();
        BufferedReader output = process.inputReader();
        if (!SetHolder.READY.equals(output.readLine())) {
            throw new IllegalStateException("no set: " + Files.readString(errors));
        }
        return new OtherJvm(process, errors, Mongods.of(process.toHandle()).get(0));
    }

    ProcessHandle mongod() {
        return mongod;
    }

    List<String> errors() throws IOException {
        return Files.readAllLines(errors);
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Ends it as Ctrl-C and the end of a container do: its shutdown hooks run. */
    void terminate() throws InterruptedException {
        process.destroy();
        process.waitFor();
    }

    /** Lets its main method return. */
    int end() throws IOException, InterruptedException {
        process.getOutputStream().close();
        return process.waitFor();
    }

    /** Lets it call {@link System#exit}. */
    int exit() throws IOException, InterruptedException {
        process.getOutputStream().write('x');
        process.getOutputStream().flush();
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        mongod.destroyForcibly();
    }
}
