package dev.leasehold.examples.quarkus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.model.CreateCollectionOptions;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged application as a process of its own, seen from outside: over HTTP, and from another engine. */
@WithReplicaSet
class QuarkusApplicationIT {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Pattern LISTENING = Pattern.compile("Listening on: (http://\\S+)");

    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    private TestDatabase database;
    private Process application;

    @BeforeEach
    void use(TestDatabase fresh) {
        database = fresh;
    }

    @AfterEach
    void end() throws InterruptedException {
        application.destroyForcibly().waitFor();
    }

    private void start() throws IOException {
        application = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Dquarkus.http.host=127.0.0.1",
                        "-Dquarkus.http.port=0",
                        "-Dquarkus.mongodb.connection-string=" + database.uri(),
                        "-Dquarkus.mongodb.database=" + database.name(),
                        "-jar",
                        Path.of("target", "quarkus-app", "quarkus-run.jar").toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
    }

    private String output() throws IOException {
        return Files.readString(folder.resolve("output"));
    }

    /** The address that it listens on, as soon as it does. */
    private String address() throws IOException {
        await().atMost(LIMIT).until(() -> !application.isAlive() || output().contains("Listening on"));
        Matcher found = LISTENING.matcher(output());
        assertThat(found.find()).as(output()).isTrue();
        return found.group(1);
    }

    private HttpResponse<String> get(String address) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString());
    }

    private String makeReport(String address) throws IOException, InterruptedException {
        return http.send(
                        HttpRequest.newBuilder(URI.create(address + "/reports"))
                                .POST(BodyPublishers.noBody())
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    @Test
    @DisplayName(
            "A Quarkus application has an engine with health and meters, which excludes an engine of another process")
    void anEngineWithHealthAndMeters() throws Exception {
        start();
        String address = address();

        assertThat(get(address + "/q/health/ready").body()).contains("\"leasehold\"", "\"UP\"");
        assertThat(get(address + "/q/health/live").body()).contains("\"leasehold\"", "\"UP\"");
        assertThat(get(address + "/q/metrics").body()).contains("leasehold_");

        try (MongoClient client = database.newClient();
                LeaseEngine other = LeaseEngine.builder(client)
                        .database(database.name())
                        .namespace("billing")
                        .build()) {
            try (Lease lease = other.tryAcquire("report").orElseThrow()) {
                assertThat(makeReport(address)).as(lease.name()).isEqualTo("another process makes it");
            }
            await().atMost(LIMIT).until(() -> makeReport(address).startsWith("made with token "));
        }
    }

    @Test
    @DisplayName(
            "Its client has the two timeouts that an engine needs, without which it waits for a frozen server for ever")
    void timeoutsOfTheClient() throws Exception {
        start();
        address();

        assertThat(output()).contains("serverSelectionTimeout='3000 ms'").contains("readTimeoutMS=10000");
    }

    @Test
    @DisplayName("What cannot work refuses to start")
    void refusesToStart() throws Exception {
        database.database()
                .createCollection(
                        "leases", new CreateCollectionOptions().capped(true).sizeInBytes(1_000));

        start();

        assertThat(application.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(application.exitValue()).as(output()).isNotZero();
        assertThat(output()).contains("capped");
    }
}
