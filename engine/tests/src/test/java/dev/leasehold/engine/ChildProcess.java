package dev.leasehold.engine;

import dev.leasehold.replicaset.TestDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A {@link LeaseProcess}, {@link SessionProcess} or {@link OnceProcess} as the test sees it: orders go in, answers come out. */
final class ChildProcess {

    static final Duration LONG_PATIENCE = Duration.ofMinutes(30);

    private static final long PATIENCE_SECONDS = 60;
    /** In place of an answer. */
    private static final String END = "end of all answers";

    private final String instance;
    private final Process process;
    private final PrintWriter orders;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    private ChildProcess(String instance, Process process) {
        this.instance = instance;
        this.process = process;
        this.orders = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        Thread reader = new Thread(this::read, "answers of " + instance);
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a {@link LeaseProcess} and waits until its engine is there. */
    static ChildProcess start(TestDatabase database, String instance, Duration offset)
            throws IOException, InterruptedException {
        return start(LeaseProcess.class, database, database.uri(), instance, String.valueOf(offset.toSeconds()), "1");
    }

    /** The same in a namespace of so many partitions, with a clock that shows Z. */
    static ChildProcess start(TestDatabase database, String instance, int partitions)
            throws IOException, InterruptedException {
        return start(LeaseProcess.class, database, database.uri(), instance, "0", String.valueOf(partitions));
    }

    /** Starts a {@link SessionProcess} and waits until its engine is there. The URI may lead through a network of its own. */
    static ChildProcess startSession(TestDatabase database, String uri, String instance, Duration session)
            throws IOException, InterruptedException {
        return start(SessionProcess.class, database, uri, instance, String.valueOf(session.toMillis()));
    }

    /** Starts a {@link OnceProcess} and waits until its engine is there. */
    static ChildProcess startOnce(TestDatabase database, String instance) throws IOException, InterruptedException {
        return start(OnceProcess.class, database, database.uri(), instance);
    }

    private static ChildProcess start(Class<?> main, TestDatabase database, String uri, String instance, String... more)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // It lives for seconds, as the processes of tests themselves.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                uri,
                database.name(),
                instance));
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        ChildProcess child = new ChildProcess(instance, process);
        String ready = child.answer();
        if (!ready.equals("ready")) {
            throw new IllegalStateException("process " + instance + " said '" + ready + "' instead of 'ready'");
        }
        return child;
    }

    /** Hands an order over. {@link #answer()} waits for what comes of it. */
    void order(String order) {
        orders.println(order);
    }

    String answer() throws InterruptedException {
        return answer(PATIENCE_SECONDS);
    }

    /** The answer to an order of many steps. */
    String awaitAnswer() throws InterruptedException {
        return answer(LONG_PATIENCE.toSeconds());
    }

    private String answer(long patienceSeconds) throws InterruptedException {
        String answer = answers.poll(patienceSeconds, TimeUnit.SECONDS);
        if (answer == null || answer.equals(END)) {
            throw new AssertionError("process " + instance + (answer == null ? " did not answer" : " has ended"));
        }
        return answer;
    }

    String does(String order) throws InterruptedException {
        order(order);
        return answer();
    }

    /** Has it begin a claim, of which it has written everything and committed nothing, until the next order. */
    void stopsInTheCommitOf(String claim) throws InterruptedException {
        does("stopInCommit");
        order(claim);
        String answer = answer();
        if (!answer.equals("before commit")) {
            throw new AssertionError("process " + instance + " said '" + answer + "' instead of 'before commit'");
        }
    }

    /** Returns when it has ended, which it does at the order {@code exit}. */
    void awaitExit() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("process " + instance + " did not end");
        }
    }

    /** Ends it in the midst of whatever it does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Stops all its threads where they are, as a suspended machine would. */
    void pause() throws IOException, InterruptedException {
        signal("-STOP");
    }

    void resume() throws IOException, InterruptedException {
        signal("-CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", name, String.valueOf(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IOException("kill " + name + " of process " + instance + " ended with " + exit);
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            // It was killed in between.
        } finally {
            answers.add(END);
        }
    }

    /** Lets it close its engine and end. */
    void end() throws InterruptedException {
        orders.close();
        awaitExit();
    }
}
