package dev.leasehold.examples.environments;

import dev.leasehold.examples.story.Speaker;
import dev.leasehold.examples.story.StoryFailedException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** An {@link EnvironmentInstance} in a JVM of its own, which can be frozen. For Linux and macOS. */
final class InstanceProcess implements Speaker, AutoCloseable {

    private static final long ANSWER_SECONDS_MAX = 60;

    private final String name;
    private final Process process;
    private final BufferedWriter in;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    private InstanceProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        this.in = process.outputWriter();
    }

    /** Starts it, with that duration of its leases. */
    static InstanceProcess start(String name, String uri, String database, Duration duration) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1", // starts faster
                        "-D" + LeaseDuration.PROPERTY + "=" + duration,
                        "-cp",
                        classPath(),
                        EnvironmentInstance.class.getName(),
                        uri,
                        database,
                        name)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        // Otherwise one that is frozen while the story is interrupted would stay for ever.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        InstanceProcess instance = new InstanceProcess(name, process);
        Thread reader = new Thread(instance::read, "answers-of-" + name);
        reader.setDaemon(true);
        reader.start();
        return instance;
    }

    /** Inside of Maven the property is the class path of Maven. */
    private static String classPath() {
        return InstanceProcess.class.getClassLoader() instanceof URLClassLoader loader
                ? Arrays.stream(loader.getURLs())
                        .map(InstanceProcess::file)
                        .collect(Collectors.joining(File.pathSeparator))
                : System.getProperty("java.class.path");
    }

    private static String file(URL url) {
        return Path.of(URI.create(url.toString())).toString();
    }

    private void read() {
        try (BufferedReader out = process.inputReader()) {
            out.lines().forEach(answers::add);
        } catch (IOException e) {
            answers.add("error: " + e);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    /** Tells it to do something, and waits for the answer. */
    String ask(String command) throws IOException, InterruptedException {
        tell(command);
        return answer();
    }

    /** Tells it to do something, which it does when it is not frozen. */
    void tell(String command) throws IOException {
        in.write(command);
        in.newLine();
        in.flush();
    }

    String answer() throws InterruptedException {
        String answer = answers.poll(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
        if (answer == null) {
            throw new StoryFailedException(name + " has not answered for " + ANSWER_SECONDS_MAX + " s");
        }
        return answer;
    }

    /** Stops all its threads. It does not notice. */
    void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** Lets it go on where it stopped. */
    void wake() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        List<String> kill = List.of("kill", "-" + signal, Long.toString(process.pid()));
        int status = new ProcessBuilder(kill).inheritIO().start().waitFor();
        StoryFailedException.unless(status == 0, kill + " has ended with " + status);
    }

    /** Ends it at once, also when it is frozen. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
