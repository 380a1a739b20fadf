package dev.leasehold.mergequeue.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.mergequeue.http.RunningService;
import dev.leasehold.replicaset.DatabaseUser;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
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
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot start says why in one line, as a user of the jar sees it. */
class StartIT {

    private static final Path JAR =
            Path.of("target", "leasehold-merge-queue.jar").toAbsolutePath();
    private static final String NOWHERE = "mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=500";

    @TempDir
    private Path folder;

    private Path config;

    @BeforeEach
    void write() throws IOException {
        config = Files.writeString(folder.resolve("config.yaml"), """
                providers:
                  - {owner: acme, repo: shop, base-ref: main}
                """);
    }

    private record Ended(int code, String output) {}

    private Ended serve(int port, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-jar",
                JAR.toString(),
                "serve",
                "--config",
                config.toString(),
                "--port",
                Integer.toString(port)));
        command.addAll(List.of(options));
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return new Ended(process.exitValue(), Files.readString(output));
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void onAFullDiskHelpIsNoSuccess() throws Exception {
        Process process = new ProcessBuilder("java", "-jar", JAR.toString(), "--help")
                .redirectOutput(Path.of("/dev/full").toFile())
                .redirectError(folder.resolve("error").toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(1);
            assertThat(folder.resolve("error")).content().contains("could not be written to its end");
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void withoutDatabaseItSaysSo() throws Exception {
        Ended ended = serve(RunningService.freePort(), "--mongodb-uri", NOWHERE);

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.output())
                .contains("cannot start: ")
                .contains("127.0.0.1:1")
                .doesNotContain("\tat ", "Exception in thread");
    }

    @Test
    @DisplayName("Without authentication it listens on the machine alone unless a host is given, and then warns")
    void openServiceListensOnTheMachineAlone() throws Exception {
        try (ServerSocket used = new ServerSocket(0)) {
            Ended open = serve(used.getLocalPort(), "--mongodb-uri", NOWHERE);
            Ended everywhere = serve(used.getLocalPort(), "--mongodb-uri", NOWHERE, "--host", "0.0.0.0");
            Files.writeString(
                    config, "authentication: [{username: ci, password: secret}]\n" + Files.readString(config));
            Ended guarded = serve(used.getLocalPort(), "--mongodb-uri", NOWHERE);

            assertThat(open.output()).contains("cannot listen on 127.0.0.1,").doesNotContain("warning");
            assertThat(everywhere.output())
                    .contains("warning: the configuration has no authentication, so each client that reaches 0.0.0.0")
                    .contains("cannot listen on 0.0.0.0,");
            assertThat(guarded.output()).contains("cannot listen on 0.0.0.0,").doesNotContain("warning");
        }
    }

    @Test
    @DisplayName("A used port is noticed before anything is asked of the database")
    void withUsedPortItSaysSo() throws Exception {
        try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Ended ended = serve(used.getLocalPort(), "--mongodb-uri", NOWHERE);

            assertThat(ended.code()).isEqualTo(1);
            assertThat(ended.output())
                    .contains("cannot start: cannot listen on 127.0.0.1, port " + used.getLocalPort())
                    .doesNotContain("\tat ", "serverSelection");
        }
    }

    @Test
    @WithOwnReplicaSet(nodes = 1, authentication = true)
    @DisplayName("A user without the rights is told which role it needs, and readWrite on the database suffices")
    void withoutRightsItSaysSo(TestDatabase database) throws Exception {
        DatabaseUser reader = database.newUser("read");
        DatabaseUser writer = database.newUser("readWrite");
        String unknown = writer.uri().replace(writer.name() + ":", writer.name() + ":not");

        for (String uri : List.of(reader.uri(), unknown)) {
            Ended ended = serve(RunningService.freePort(), "--mongodb-uri", uri);

            assertThat(ended.code()).isEqualTo(1);
            assertThat(ended.output())
                    .contains(
                            "cannot start: the database refuses the user of --mongodb-uri: it needs the role readWrite")
                    .doesNotContain("\tat ", "Exception in thread");
        }
        try (ReplicaProcess replica =
                ReplicaProcess.start(folder, config, List.of("--mongodb-uri", writer.uri()), Map.of())) {
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(replica.caller()
                                    .acquire("acme/shop/main", "sha", 1)
                                    .status())
                            .isEqualTo(200));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "replica-1:8080",
                "replica-1",
                "ftp://replica-1:8080",
                "http://replica-1:8080/path",
                "http://user@replica-1:8080",
                "http://:8080",
                "http://replica 1:8080",
                "http://replica-1:99999",
                ""
            })
    void addressThatOthersCannotReachIsRefused(String address) throws Exception {
        Ended ended = serve(RunningService.freePort(), "--mongodb-uri", NOWHERE, "--address", address);

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.output())
                .contains("--address '" + address + "' is refused: it must be http://HOST:PORT")
                .doesNotContain("\tat ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mongodb://u:hunter2%@127.0.0.1",
                "mongodb://u:777/hunter2@127.0.0.1",
                "mongodb://u:777/x.hunter2@127.0.0.1",
                "mongodb://u:777/hunter2?x=y@127.0.0.1",
                "mongodb://u:777?hunter2@127.0.0.1",
                "mongodb://u:hunter2@",
                "postgres://u:hunter2@127.0.0.1"
            })
    void refusedUriIsNotRepeated(String uri) throws Exception {
        Ended ended = serve(RunningService.freePort(), "--mongodb-uri", uri);

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.output()).contains("--mongodb-uri is refused").doesNotContain("hunter", "\tat ");
    }
}
