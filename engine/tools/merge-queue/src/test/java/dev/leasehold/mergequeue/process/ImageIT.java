package dev.leasehold.mergequeue.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.mergequeue.http.RunningService;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * What an image would run, run here as it stands in the Dockerfile and in the example of a compose file. Only what differs
 * between the image and this machine is put in its place: folders, the port, the name of the database.
 */
@WithReplicaSet
class ImageIT {

    private static final Path DOCKERFILE = Path.of("Dockerfile");
    private static final Path COMPOSE = Path.of("..", "..", "..", "docs", "examples", "compose.yaml");
    private static final Path CONFIG = Path.of("..", "..", "..", "docs", "examples", "merge-queue.yaml");
    private static final String PORT = "8080";

    @TempDir
    private Path folder;

    private String port;

    @BeforeEach
    void choosePort() throws IOException {
        port = Integer.toString(RunningService.freePort());
        Files.copy(CONFIG, folder.resolve("merge-queue.yaml"));
    }

    /** The words of an instruction in the form of an array. */
    private List<String> instruction(String name) throws IOException {
        String line = Files.readAllLines(DOCKERFILE).stream()
                .filter(one -> one.startsWith(name + " "))
                .findFirst()
                .orElseThrow();
        return here(List.of(new ObjectMapper().readValue(line.substring(line.indexOf('[')), String[].class)));
    }

    @SuppressWarnings("unchecked")
    private static List<String> commandInCompose(String service) throws IOException {
        Map<String, Object> compose = (Map<String, Object>)
                new Load(LoadSettings.builder().build()).loadFromString(Files.readString(COMPOSE));
        Map<String, Object> services = (Map<String, Object>) compose.get("services");
        return (List<String>) ((Map<String, Object>) services.get(service)).get("command");
    }

    private List<String> here(List<String> words) {
        return words.stream()
                .map(word -> word.replace(
                                "/opt/leasehold",
                                Path.of("target").toAbsolutePath().toString())
                        .replace("/etc/leasehold", folder.toString())
                        .replace(PORT, port))
                .toList();
    }

    private int run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private void isHealthyWith(List<String> arguments) throws Exception {
        List<String> check = instruction("HEALTHCHECK");
        assertThat(run(check)).as("nothing serves yet").isNotZero();
        List<String> command = new ArrayList<>(instruction("ENTRYPOINT"));
        // The image has the newest Java alone, this machine perhaps not.
        command.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(arguments);
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            await().atMost(Duration.ofMinutes(1))
                    .pollInterval(Duration.ofMillis(300))
                    .untilAsserted(() -> {
                        assertThat(process.isAlive())
                                .as(Files.readString(output))
                                .isTrue();
                        assertThat(run(check)).as(Files.readString(output)).isZero();
                    });
        } finally {
            process.destroy();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    @DisplayName("What the image runs serves, and its health check passes then and not before")
    void theImageServes(TestDatabase database) throws Exception {
        Files.writeString(folder.resolve("arguments"), "--mongodb-uri=" + database.uri() + "\n");

        isHealthyWith(instruction("CMD"));
    }

    @Test
    @DisplayName("What the example of a compose file runs serves")
    void theReplicaOfTheComposeFileServes(TestDatabase database) throws Exception {
        isHealthyWith(here(commandInCompose("replica-1")).stream()
                .map(word -> word.startsWith("--mongodb-uri=") ? "--mongodb-uri=" + database.uri() : word)
                .toList());
    }

    @Test
    @DisplayName("The image is not run by root")
    void notByRoot() throws IOException {
        assertThat(Files.readAllLines(DOCKERFILE)).contains("USER 10001:10001");
    }
}
