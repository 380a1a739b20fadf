package dev.leasehold.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an image would run, run here as it stands in the Dockerfile and in the example of a compose file. */
@WithReplicaSet
class ImageIT {

    private static final Path DOCKERFILE = Path.of("Dockerfile");
    private static final Path COMPOSE = Path.of("..", "..", "..", "docs", "examples", "compose.yaml");
    private static final String PORT = "7117";

    @TempDir
    private Path folder;

    private static List<String> words(String array) throws IOException {
        return List.of(new ObjectMapper().readValue(array, String[].class));
    }

    private static List<String> instruction(String name) throws IOException {
        String line = Files.readAllLines(DOCKERFILE).stream()
                .filter(one -> one.startsWith(name + " "))
                .findFirst()
                .orElseThrow();
        return words(line.substring(line.indexOf('[')));
    }

    /** The array behind a key of the service of the operator's page. */
    private static List<String> inCompose(String key) throws IOException {
        String all = Files.readString(COMPOSE);
        Matcher found =
                Pattern.compile("\\b" + key + ": (\\[.*])").matcher(all.substring(all.indexOf("\n  operator:")));
        assertThat(found.find()).isTrue();
        return words(found.group(1));
    }

    private Process start(List<String> arguments, TestDatabase database) throws IOException {
        List<String> command = new ArrayList<>(instruction("ENTRYPOINT"));
        // The image has the newest Java alone, this machine perhaps not.
        command.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.replaceAll(word -> word.replace(
                "/opt/leasehold", Path.of("target").toAbsolutePath().toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile());
        builder.environment().put("LEASEHOLD_URI", database.uri());
        builder.environment().put("LEASEHOLD_DATABASE", database.name());
        builder.environment().put("LEASEHOLD_NAMESPACE", "*");
        return builder.start();
    }

    @Test
    @DisplayName("The image tells what it can do, and is not run by root")
    void theImageHelps(TestDatabase database) throws Exception {
        Process process = start(instruction("CMD"), database);

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(Files.readString(folder.resolve("output"), StandardCharsets.UTF_8))
                .contains("force-expire");
        assertThat(Files.readAllLines(DOCKERFILE)).contains("USER 10001:10001");
    }

    @Test
    @DisplayName("The page of the compose file is served, and its health check passes then and not before")
    void thePageIsServed(TestDatabase database) throws Exception {
        String port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = Integer.toString(free.getLocalPort());
        }
        List<String> check = inCompose("test").stream()
                .skip(1) // says only that it is a command
                .map(word -> word.replace(PORT, port).replace("$$", "$"))
                .toList();
        assertThat(run(check)).as("nothing serves yet").isNotZero();
        // The page is of namespaces that are there.
        Service.on(database, "shop:1").close();
        Process process = start(
                inCompose("command").stream()
                        .map(word -> word.replace(PORT, port))
                        .toList(),
                database);
        try {
            await().atMost(Duration.ofMinutes(1))
                    .pollInterval(Duration.ofMillis(300))
                    .untilAsserted(() -> {
                        assertThat(process.isAlive())
                                .as(Files.readString(folder.resolve("output")))
                                .isTrue();
                        assertThat(run(check)).isZero();
                    });
        } finally {
            process.destroy();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static int run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }
}
