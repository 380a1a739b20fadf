package dev.leasehold.mergequeue.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.mergequeue.http.Caller.Reply;
import dev.leasehold.mergequeue.replica.ProviderKey;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several replicas on one database. */
@WithReplicaSet
class ReplicasIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String PROVIDER = "acme/shop/release/1.2";
    private static final String YAML = """
            authentication: [{username: ci, password: secret}]
            providers:
              - owner: acme
                repo: shop
                base-ref: release/*
                expected-requests: 2
                stabilization-window: 1h
                request-ttl: 4h
              - {owner: acme, repo: odd, base-ref: feature/*, stabilization-window: 1h, request-ttl: 4h}
            """;
    private static final String[] CREDENTIALS = {"Authorization", "Basic Y2k6c2VjcmV0"};

    @Test
    void anyReplicaAnswersForTheOneThatServes(TestDatabase database) throws Exception {
        try (RunningService first = RunningService.start(database, YAML);
                RunningService second = RunningService.start(database, YAML)) {
            awaitStatus(first, "one", 1, "pending");

            Reply won = acquire(second, "two", 2);

            assertThat(won.requestStatus()).isEqualTo("acquired");
            assertThat(won.response().headers().firstValue("Content-Type")).contains("application/json");
            assertThat(acquire(first, "two", 2).token()).isEqualTo(1);
            Reply refused = post(second, "/release", "{\"head_sha\": \"one\", \"status\": \"success\", \"token\": 1}");
            assertThat(refused.status()).isEqualTo(409);
            assertThat(second.caller()
                            .send("GET", "/metrics", new byte[0], CREDENTIALS)
                            .response()
                            .body()
                            .lines())
                    .filteredOn(line -> line.startsWith("http_server_requests_seconds_count"))
                    .filteredOn(line -> line.contains("status=\"409\""))
                    .singleElement()
                    .asString()
                    .contains("error=\"" + refused.error() + "\"");
            assertThat(second.caller()
                            .send("GET", "/" + PROVIDER, new byte[0], CREDENTIALS)
                            .body()
                            .path("served_by")
                            .asText())
                    .isEqualTo(first.address().toString());
            Reply encoded = second.caller()
                    .send(
                            "POST",
                            "/acme/shop/release%2F1.2/acquire",
                            body("one", 1).getBytes(StandardCharsets.UTF_8),
                            CREDENTIALS);
            assertThat(encoded.requestStatus()).isEqualTo("pending");
        }
    }

    /** Some clients encode what need not be encoded, and in lower case. */
    @ParameterizedTest
    @ValueSource(strings = {"feature/%7Ba%7D%7Cb", "feature%2F%7ba%7d%7c%62"})
    @DisplayName("a request is passed on under the name of its branch, however its caller has written that")
    void oddPathsArePassedOn(String path, TestDatabase database) throws Exception {
        try (RunningService first = RunningService.start(database, YAML);
                RunningService second = RunningService.start(database, YAML)) {
            ProviderKey key = new ProviderKey("acme", "odd", "feature/{a}|b");
            await().atMost(LIMIT)
                    .untilAsserted(() ->
                            assertThat(send(first, key.path()).requestStatus()).isEqualTo("pending"));

            String answer = raw(second, "/acme/odd/" + path);

            assertThat(answer).startsWith("HTTP/1.1 200").contains("\"provider\":\"acme/odd/feature/{a}|b\"");
        }
    }

    private static Reply send(RunningService service, String path) throws Exception {
        return service.caller()
                .send("POST", path + "/acquire", body("one", 1).getBytes(StandardCharsets.UTF_8), CREDENTIALS);
    }

    /** What the client of the JDK would not send. */
    private static String raw(RunningService service, String path) throws IOException {
        String body = body("one", 1);
        try (Socket socket =
                new Socket(service.address().getHost(), service.address().getPort())) {
            socket.setSoTimeout(30_000);
            String request = "POST " + path + "/acquire HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                    + String.join(": ", CREDENTIALS) + "\r\nContent-Type: application/json\r\nContent-Length: "
                    + body.length() + "\r\n\r\n" + body;
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void requestIsPassedOnOnlyOnce(TestDatabase database) throws Exception {
        try (RunningService first = RunningService.start(database, YAML);
                RunningService second = RunningService.start(database, YAML)) {
            awaitStatus(first, "one", 1, "pending");
            acquire(second, "one", 1);

            Reply reply = second.callerOnce()
                    .send(
                            "POST",
                            "/" + PROVIDER + "/acquire",
                            body("one", 1).getBytes(StandardCharsets.UTF_8),
                            CREDENTIALS[0],
                            CREDENTIALS[1],
                            Forwarder.HEADER,
                            "http://127.0.0.1:1");

            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.error()).isEqualTo("no-owner");
            assertThat(reply.response().headers().firstValue("Retry-After")).contains("1");
        }
    }

    @Test
    void replicaThatEndsIsReplacedAtOnceAndTimeGoesOn(TestDatabase database) throws Exception {
        try (RunningService second = RunningService.start(database, YAML)) {
            try (RunningService first = RunningService.start(database, YAML)) {
                awaitStatus(first, "one", 1, "pending");
                first.pass(Duration.ofMinutes(50));
                assertThat(acquire(first, "one", 1).requestStatus()).isEqualTo("pending");
                acquire(second, "one", 1); // stands for the lease from now on
            }
            awaitStatus(second, "one", 1, "pending");
            second.pass(Duration.ofMinutes(5));
            assertThat(acquire(second, "one", 1).requestStatus()).isEqualTo("pending");
            second.pass(Duration.ofMinutes(5));
            assertThat(acquire(second, "one", 1).requestStatus()).isEqualTo("acquired");
        }
    }

    @Test
    @DisplayName(
            "After a restart of all replicas the maximum hold ends a hold on a branch of a pattern, asked for or not")
    void holdOnABranchThatNoRunAsksForEnds(TestDatabase database) throws Exception {
        String yaml =
                "providers: [{owner: acme, repo: shop, base-ref: release/*, expected-requests: 1, maximum-hold: 1h}]";
        try (RunningService before = RunningService.start(database, yaml)) {
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(
                                    before.caller().acquire(PROVIDER, "dead", 1).requestStatus())
                            .isEqualTo("acquired"));
        }
        try (RunningService after = RunningService.start(database, yaml)) {
            await().atMost(LIMIT).untilAsserted(() -> {
                after.pass(Duration.ofMinutes(20));
                assertThat(after.caller()
                                .get("/" + PROVIDER)
                                .body()
                                .at("/history/0/outcome")
                                .asText())
                        .isEqualTo("expired");
            });
        }
    }

    @Test
    void timeOfDayThatIsWrongByDayChangesNothing(TestDatabase database) throws Exception {
        try (RunningService early =
                RunningService.start(database, YAML, () -> Instant.now().minus(Duration.ofDays(1)))) {
            try (RunningService late =
                    RunningService.start(database, YAML, () -> Instant.now().plus(Duration.ofDays(1)))) {
                awaitStatus(late, "one", 1, "pending");
                assertThat(acquire(early, "one", 1).requestStatus()).isEqualTo("pending");
                assertThat(acquire(early, "two", 2).requestStatus()).isEqualTo("acquired");
            }

            awaitStatus(early, "two", 2, "acquired");

            assertThat(acquire(early, "two", 2).token()).isEqualTo(1);
            assertThat(acquire(early, "one", 1).requestStatus()).isEqualTo("pending");
        }
    }

    private static void awaitStatus(RunningService service, String sha, long priority, String status) {
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(acquire(service, sha, priority).requestStatus())
                        .isEqualTo(status));
    }

    private static Reply acquire(RunningService service, String sha, long priority) throws Exception {
        return post(service, "/acquire", body(sha, priority));
    }

    private static Reply post(RunningService service, String path, String body) throws Exception {
        return service.caller().send("POST", "/" + PROVIDER + path, body.getBytes(StandardCharsets.UTF_8), CREDENTIALS);
    }

    private static String body(String sha, long priority) {
        return String.format(
                Locale.ROOT, "{\"head_sha\": \"%s\", \"head_ref\": \"ref\", \"priority\": %d}", sha, priority);
    }
}
