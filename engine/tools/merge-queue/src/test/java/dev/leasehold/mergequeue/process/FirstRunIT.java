package dev.leasehold.mergequeue.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.mergequeue.http.Caller.Reply;
import dev.leasehold.replicaset.ReplicaSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar as in the first try of the documentation. */
class FirstRunIT {

    private static final String YAML = """
            authentication: [{username: ci, password: "${MERGE_QUEUE_PASSWORD}"}]
            providers:
              - {owner: acme, repo: shop, base-ref: main, expected-requests: 1}
            """;

    @TempDir
    private Path folder;

    @Test
    void embeddedReplicaServesAndEnds() throws Exception {
        ReplicaSet.shared(); // makes sure that there is a server to be found
        Path config = Files.writeString(folder.resolve("config.yaml"), YAML);
        try (ReplicaProcess replica =
                ReplicaProcess.start(folder, config, List.of("--embedded"), Map.of("MERGE_QUEUE_PASSWORD", "secret"))) {
            Reply won = replica.caller()
                    .send(
                            "POST",
                            "/acme/shop/main/acquire",
                            "{\"head_sha\": \"sha\", \"head_ref\": \"ref\", \"priority\": 1}".getBytes(),
                            "Authorization",
                            "Basic Y2k6c2VjcmV0",
                            "Content-Type",
                            "application/json");
            assertThat(won.requestStatus()).isEqualTo("acquired");
            assertThat(replica.caller().get("/").status()).isEqualTo(401);

            assertThat(replica.end()).isEqualTo(143);
            assertThat(replica.log())
                    .contains("\"POST /acme/shop/main/acquire\" 200")
                    .doesNotContain("secret")
                    .doesNotContain(" ERROR ", " WARN ");
        }
    }

    @Test
    void refusedConfigurationNamesTheLine() throws Exception {
        Path config = Files.writeString(folder.resolve("config.yaml"), YAML.replace("base-ref", "branch"));

        assertThatThrownBy(() -> ReplicaProcess.start(
                        folder, config, List.of("--embedded"), Map.of("MERGE_QUEUE_PASSWORD", "secret")))
                .hasMessageContaining("config.yaml, line 3: unknown key 'branch'");
    }

    @Test
    @DisplayName("The jar has the licences, the notices, and the list of all that it contains of others")
    void jarHasTheLicences() throws Exception {
        try (JarFile jar = new JarFile("target/leasehold-merge-queue.jar")) {
            assertThat(text(jar, "META-INF/LICENSE")).contains("Apache License");
            assertThat(text(jar, "META-INF/NOTICE")).contains("Leasehold").contains("Jakarta");
            assertThat(text(jar, "META-INF/licenses/EPL-2.0.txt")).contains("Eclipse Public License");
            assertThat(text(jar, "META-INF/licenses/MIT-slf4j.txt")).contains("QOS.ch");
            String others = text(jar, "META-INF/THIRD-PARTY.txt");
            assertThat(List.of(
                            "javalin",
                            "jetty-server",
                            "kotlin-stdlib",
                            "jackson-databind",
                            "logback-classic",
                            "jmustache"))
                    .allSatisfy(other -> assertThat(others).contains(":" + other + ":"));
        }
    }

    private static String text(JarFile jar, String entry) throws IOException {
        return new String(jar.getInputStream(jar.getJarEntry(entry)).readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void jarIsWithoutLibrariesForContainers() throws Exception {
        try (JarFile jar = new JarFile("target/leasehold-merge-queue.jar")) {
            assertThat(jar.stream().map(entry -> entry.getName()))
                    .noneMatch(name -> name.startsWith("org/testcontainers") || name.contains("docker-java"));
        }
    }
}
