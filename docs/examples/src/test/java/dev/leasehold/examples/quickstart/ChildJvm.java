package dev.leasehold.examples.quickstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The quickstart in a JVM of its own, as a user would run it.
 *
 * @param exitStatus 0 when all went as told
 * @param out what it printed
 * @param err what it logged
 */
record ChildJvm(int exitStatus, String out, String err) {

    private static final long LIMIT_MINUTES = 3;

    /**
     * Runs it to its end.
     *
     * @param environment in addition to this JVM's
     */
    static ChildJvm run(Path folder, Map<String, String> environment) throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder =
                new ProcessBuilder(command()).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
                throw new AssertionError("the quickstart does not end by itself: " + Files.readString(out));
            }
            return new ChildJvm(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<String> command() {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return List.of(java.toString(), "-cp", System.getProperty("java.class.path"), Quickstart.class.getName());
    }
}
