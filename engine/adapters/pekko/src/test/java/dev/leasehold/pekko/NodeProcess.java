package dev.leasehold.pekko;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The first node of a cluster in a process of its own, which can be stopped and killed. */
final class NodeProcess implements AutoCloseable {

    private static final long LIMIT_SECONDS = 60;

    private final Process process;
    private final String address;

    private NodeProcess(Process process, String address) {
        this.process = process;
        this.address = address;
    }

    /** Arguments: URI and database. Ends when its input does. */
    public static void main(String[] arguments) throws IOException {
        PrintStream answers = System.out;
        // Whatever logs to the console must not come between the answers.
        System.setOut(System.err);
        try (ClusterNode node = ClusterNode.start(arguments[0], arguments[1], null, "")) {
            answers.println(node.address());
            BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                node.wakeEntities();
            }
        }
    }

    /** Starts one and waits until it is there. */
    static NodeProcess start(String uri, String database) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NodeProcess.class.getName(),
                        uri,
                        database)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader answers = process.inputReader(StandardCharsets.UTF_8);
        String address = CompletableFuture.supplyAsync(() -> firstLine(answers))
                .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                .join();
        return new NodeProcess(process, address);
    }

    private static String firstLine(BufferedReader answers) {
        try {
            return String.valueOf(answers.readLine());
        } catch (IOException e) {
            throw new AssertionError("the node ended before it was there", e);
        }
    }

    String address() {
        return address;
    }

    /** Ends it in the midst of whatever it does. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Stops all its threads where they are, as a suspended machine would. */
    void freeze() throws IOException, InterruptedException {
        signal("-STOP");
    }

    void thaw() throws IOException, InterruptedException {
        signal("-CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", name, String.valueOf(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IOException("kill " + name + " ended with " + exit);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
