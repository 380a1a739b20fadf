package dev.leasehold.examples.story;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A story in a JVM of its own, as a user would run it.
 *
 * @param exitStatus 0 when all went as told
 * @param out what it printed
 * @param err what it logged
 */
public record ChildJvm(int exitStatus, String out, String err) {

    private static final long LIMIT_MINUTES = 3;

    /**
     * Runs it to its end.
     *
     * @param story with a main method
     * @param folder for what it prints
     * @param environment in addition to this JVM's
     */
    public static ChildJvm run(Class<?> story, Path folder, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder =
                new ProcessBuilder(command(story)).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
                throw new AssertionError(story + " does not end by itself: " + Files.readString(out));
            }
            return new ChildJvm(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<String> command(Class<?> story) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return List.of(java.toString(), "-cp", System.getProperty("java.class.path"), story.getName());
    }
}
