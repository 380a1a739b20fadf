package dev.leasehold.mergequeue.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import dev.leasehold.mergequeue.http.Caller.Reply;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** One replica, over HTTP. Each test has a branch of its own. */
@WithReplicaSet
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HttpServiceIT {

    private static final String YAML = """
            hosts: [Queue.internal]
            limits:
              body-bytes: 1024
              requests-per-provider: 30
              providers: 40
            providers:
              - {owner: acme, repo: shop, base-ref: main, expected-requests: 3, release-token: optional}
              - {owner: acme, repo: shop, base-ref: "release/*", expected-requests: 3, release-token: optional}
              - {owner: acme, repo: pass, base-ref: "*", expected-requests: 3, after-failure: pass-on, release-token: optional}
              - {owner: acme, repo: hold, base-ref: "*", expected-requests: 2, maximum-hold: 1m, release-token: optional}
              - {owner: acme, repo: one, base-ref: "*", expected-requests: 1, release-token: optional}
              - {owner: acme, repo: meters, base-ref: main, expected-requests: 3, release-token: optional}
              - {owner: acme, repo: meters, base-ref: "x/**", expected-requests: 9}
              - {owner: acme, repo: strict, base-ref: "*", expected-requests: 1}
            """;

    private TestDatabase database;
    private RunningService service;
    private Caller caller;

    @BeforeAll
    void start(TestDatabase database) {
        this.database = database;
        service = RunningService.start(database, YAML);
        caller = service.caller();
    }

    @AfterAll
    void close() {
        service.close();
    }

    @Test
    void successfulRunEndsTheRoundForAll() throws Exception {
        String provider = "acme/shop/release/1";
        assertThat(caller.acquire(provider, "three", 3).requestStatus()).isEqualTo("pending");
        assertThat(caller.acquire(provider, "one", 1).requestStatus()).isEqualTo("pending");
        Reply two = caller.acquire(provider, "two", 2);
        assertThat(two.requestStatus()).isEqualTo("pending");
        assertThat(two.body().path("request").path("place").asInt()).isEqualTo(2);
        assertThat(two.body().path("waits_for").asText()).isEqualTo("priority");

        Reply won = caller.acquire(provider, "three", 3);

        assertThat(won.status()).isEqualTo(200);
        assertThat(won.requestStatus()).isEqualTo("acquired");
        assertThat(won.token()).isEqualTo(1);
        assertThat(won.body().path("stacked_requests").findValuesAsText("head_sha"))
                .containsExactly("two", "one");
        assertThat(caller.acquire(provider, "three", 3).token()).isEqualTo(1);
        assertThat(caller.release(provider, "three", "success").requestStatus()).isEqualTo("completed");
        assertThat(caller.release(provider, "three", "success").requestStatus()).isEqualTo("completed");
        Reply told = caller.acquire(provider, "two", 2);
        assertThat(told.requestStatus()).isEqualTo("completed");
        assertThat(told.body().path("winner").path("head_sha").asText()).isEqualTo("three");
        assertThat(caller.acquire(provider, "one", 1).requestStatus()).isEqualTo("completed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/health/ready", "/acme/shop/main", "/acme/shop/a%20b", "/acme/no/main", "/no/path"})
    @DisplayName("HEAD is answered as GET is, without the body")
    void headIsAnsweredAsGet(String path) throws Exception {
        Reply got = caller.get(path);
        Reply asked = caller.send("HEAD", path, new byte[0]);

        assertThat(asked.status()).isEqualTo(got.status());
        assertThat(asked.response().body()).isEmpty();
        assertThat(asked.response().headers().firstValue("Content-Type"))
                .isEqualTo(got.response().headers().firstValue("Content-Type"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json; charset=unknown",
                "application/json; charset=",
                "application/json;charset=\"\\"
            })
    @DisplayName(
            "JSON is UTF-8 whatever charset its type names, and one that does not exist is no fault of the service")
    void charsetOfJsonIsPassedOver(String type) throws Exception {
        byte[] body =
                "{\"head_sha\": \"sha\", \"head_ref\": \"queue/1\", \"priority\": 1}".getBytes(StandardCharsets.UTF_8);

        Reply reply = caller.send("POST", "/acme/one/charset/acquire", body, "Content-Type", type);

        assertThat(reply.status()).isEqualTo(200);
    }

    @Test
    void olderSpellingIsAnsweredInIt() throws Exception {
        String path = "/acme/one/spelling/aquire";

        Reply won = caller.post(path, Caller.acquireBody("sha", 1));

        assertThat(won.requestStatus()).isEqualTo("aquired");
        assertThat(caller.acquire("acme/one/spelling", "sha", 1).requestStatus())
                .isEqualTo("acquired");
    }

    @ParameterizedTest
    @ValueSource(strings = {"release/9.9", "release%2F9.9"})
    void slashesOfBranchMayBeEncoded(String branch) throws Exception {
        Reply reply = caller.acquire("acme/shop/" + branch, "sha-" + branch.length(), 1);

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body().path("provider").asText()).isEqualTo("acme/shop/release/9.9");
    }

    @Test
    @DisplayName("PM-16: of many that poll at the same instant one is acquired, and the token shows which")
    void oneOfManyIsAcquired() throws Exception {
        List<Callable<Reply>> polls = IntStream.range(0, 20)
                .<Callable<Reply>>mapToObj(run -> () -> caller.acquire("acme/one/together", "run-" + run, 1))
                .toList();
        ExecutorService threads = Executors.newFixedThreadPool(20);
        try {
            List<Reply> replies =
                    threads.invokeAll(polls).stream().map(HttpServiceIT::get).toList();

            List<Reply> acquired = replies.stream()
                    .filter(reply -> reply.requestStatus().equals("acquired"))
                    .toList();
            assertThat(acquired).hasSize(1);
            assertThat(acquired.get(0).token()).isEqualTo(1);
            JsonNode shown = caller.get("/acme/one/together").body();
            assertThat(shown.path("holder").path("head_sha"))
                    .isEqualTo(acquired.get(0).body().path("request").path("head_sha"));
            assertThat(shown.path("waiting")).hasSize(19);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    @DisplayName("PM-9b: over HTTP, in the words of an answer")
    void newcomerIsToldThatItWaitsForTheRound() throws Exception {
        String provider = "acme/pass/newcomer";
        caller.acquire(provider, "one", 1);
        caller.acquire(provider, "two", 2);
        caller.acquire(provider, "three", 3);
        assertThat(caller.release(provider, "three", "failure").requestStatus()).isEqualTo("failure");

        Reply newcomer = caller.acquire(provider, "nine", 9);

        assertThat(newcomer.body().path("waits_for").asText()).isEqualTo("round");
        assertThat(caller.acquire(provider, "two", 2).token()).isEqualTo(2);
    }

    @Test
    @DisplayName("PM-12: a holder that is past the maximum hold counts as failed, and the waiters go on")
    void maximumHoldEnds() throws Exception {
        String provider = "acme/hold/main";
        caller.acquire(provider, "one", 1);
        assertThat(caller.acquire(provider, "two", 2).requestStatus()).isEqualTo("acquired");
        JsonNode holder = caller.get("/" + provider).body().path("holder");
        assertThat(holder.path("remaining_seconds").asLong()).isBetween(1L, 60L);

        service.pass(Duration.ofSeconds(25));
        caller.acquire(provider, "one", 1);
        service.pass(Duration.ofSeconds(25));
        caller.acquire(provider, "one", 1);
        service.pass(Duration.ofSeconds(25));
        caller.acquire(provider, "one", 1);

        assertThat(caller.acquire(provider, "three", 3).token()).isEqualTo(2);
        Reply refused = caller.release(provider, "two", "success");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body().path("message").asText()).contains("is failure", "become success");
    }

    @Test
    @DisplayName("PM-14, PM-15: what is refused says by which rule")
    void refusalsSayTheRule() throws Exception {
        String provider = "acme/one/refusals";
        caller.acquire(provider, "holder", 1);
        caller.acquire(provider, "waiter", 1);

        Reply stranger = caller.release(provider, "stranger", "success");
        Reply waiter = caller.release(provider, "waiter", "success");
        Reply oldToken =
                caller.post("/" + provider + "/release", Map.of("head_sha", "holder", "status", "success", "token", 7));
        Reply state = caller.release(provider, "holder", "completed");
        Reply asking = caller.post(
                "/" + provider + "/acquire",
                Map.of("head_sha", "sha", "head_ref", "ref", "priority", 1, "status", "acquired"));

        assertThat(List.of(stranger, waiter, oldToken, state, asking)).allSatisfy(reply -> {
            assertThat(reply.status()).isEqualTo(409);
            assertThat(reply.body().path("rule").asText()).isNotEmpty();
            assertThat(reply.body().path("message").asText()).isNotEmpty();
        });
        assertThat(List.of(stranger, waiter, oldToken, state, asking))
                .extracting(Reply::error)
                .containsExactly("not-holder", "status-change", "old-token", "status-change", "status-change");
        assertThat(caller.acquire(provider, "holder", 1).token()).isEqualTo(1);
    }

    @Test
    @DisplayName("PM-17: when an administrator clears the queue, waiters are told, and tokens go on growing")
    void clearedQueueTellsAll() throws Exception {
        String provider = "acme/one/cleared";
        caller.acquire(provider, "holder", 1);
        caller.acquire(provider, "waiter", 1);

        Reply cleared = caller.delete("/" + provider);

        assertThat(cleared.body().path("cleared_requests").asInt()).isEqualTo(2);
        assertThat(caller.acquire(provider, "waiter", 1).error()).isEqualTo("queue-cleared");
        assertThat(caller.release(provider, "holder", "success").error()).isEqualTo("queue-cleared");
        assertThat(caller.acquire(provider, "next", 1).token()).isEqualTo(2);
    }

    @Test
    @DisplayName("PM-18: waiters, sizes of rounds, outcomes and requests are measured")
    void metricsAreThere() throws Exception {
        String provider = "acme/meters/main";
        caller.acquire(provider, "one", 1);
        caller.acquire(provider, "two", 2);
        caller.acquire(provider, "three", 3);
        assertThat(metrics())
                .contains("leasehold_merge_queue_waiting{provider=\"" + provider + "\"} 2")
                .contains("leasehold_merge_queue_holding{provider=\"" + provider + "\"} 1");

        caller.release(provider, "three", "success");

        assertThat(metrics())
                .contains("leasehold_merge_queue_waiting{provider=\"" + provider + "\"} 0")
                .contains("leasehold_merge_queue_outcomes_total{outcome=\"success\",provider=\"" + provider + "\"} 1")
                .contains("leasehold_merge_queue_round_size_bucket{provider=\"" + provider + "\",le=\"2.0\"} 0")
                .contains("leasehold_merge_queue_round_size_bucket{provider=\"" + provider + "\",le=\"3.0\"} 1")
                .contains("leasehold_merge_queue_write_events_count")
                .contains(
                        "http_server_requests_seconds_count{error=\"none\",method=\"POST\",route=\"/{owner}/{repo}/<baseRef>/release\"");
    }

    @Test
    @DisplayName(
            "Callers make no meters: branches of a pattern are one, made-up methods are one, and unknown paths are one")
    void callersMakeNoMeters() throws Exception {
        caller.acquire("acme/meters/x/1", "sha", 1);
        raw("Q0X / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        caller.get("/acme/unknown/x0");
        long before = metrics().lines().count();

        for (int i = 2; i < 12; i++) {
            caller.acquire("acme/meters/x/" + i, "sha", 1);
            raw("Q" + i + "X / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            caller.get("/acme/unknown/x" + i);
        }

        assertThat(metrics()).contains("leasehold_merge_queue_waiting{provider=\"acme/meters/x/**\"} 11");
        assertThat(metrics()).doesNotContain("acme/meters/x/1\"", "Q0X");
        // That of the scrape before.
        assertThat(metrics().lines().count()).isLessThan(before + 25);
    }

    @Test
    void holdsAndWaitsAreTimed() throws Exception {
        caller.acquire("acme/meters/main", "t1", 1);
        caller.acquire("acme/meters/main", "t2", 2);
        caller.acquire("acme/meters/main", "t3", 3);
        service.pass(Duration.ofMinutes(2));
        caller.release("acme/meters/main", "t3", "success");

        assertThat(metrics())
                .contains(
                        "leasehold_merge_queue_hold_seconds_bucket{outcome=\"success\",provider=\"acme/meters/main\",le=\"60.0\"}")
                .containsPattern(
                        "leasehold_merge_queue_wait_seconds_count\\{outcome=\"completed\",provider=\"acme/meters/main\"} \\d")
                .containsPattern(
                        "leasehold_merge_queue_wait_seconds_count\\{outcome=\"acquired\",provider=\"acme/meters/main\"} \\d");
    }

    @Test
    @DisplayName("A hold that lasts unusually long is shown, measured and warned of once")
    void longHoldIsToldOfOnce() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger("dev.leasehold.mergequeue.replica.ProviderQueue");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.setLevel(Level.WARN);
        logger.setAdditive(false);
        logger.addAppender(log);
        try {
            caller.acquire("acme/one/long", "sha", 1);
            service.pass(Duration.ofMinutes(61));
            caller.acquire("acme/one/long", "sha", 1);
            caller.acquire("acme/one/long", "sha", 1);

            assertThat(caller.get("/acme/one/long")
                            .body()
                            .path("holder")
                            .path("long_hold")
                            .asBoolean())
                    .isTrue();
            assertThat(metrics())
                    .containsPattern("leasehold_merge_queue_long_holds\\{provider=\"acme/one/\\*\"} [1-9]");
            assertThat(log.list)
                    .filteredOn(
                            event -> event.getFormattedMessage().startsWith("Provider 'acme/one/long': 'sha' has held"))
                    .hasSize(1);
        } finally {
            logger.detachAppender(log);
            logger.setAdditive(true);
            logger.setLevel(null);
        }
    }

    @Test
    void providersAreListed() throws Exception {
        caller.acquire("acme/shop/release/listed", "sha", 1);

        JsonNode providers = caller.get("/").body().path("providers");

        assertThat(providers.findValuesAsText("provider")).contains("acme/shop/main", "acme/shop/release/listed");
        assertThat(caller.get("/acme/shop/release/listed")
                        .body()
                        .path("served_by")
                        .asText())
                .isEqualTo(service.address().toString());
    }

    @Test
    @DisplayName(
            "The description has exactly the fields that a provider, its holder, waiters, holds, rounds and outcomes have")
    void descriptionHasTheFieldsThatAreShown() throws Exception {
        String provider = "/acme/shop/release/described";
        for (int run = 1; run <= 3; run++) {
            caller.acquire(provider.substring(1), "d" + run, run);
        }
        caller.release(provider.substring(1), "d3", "success");
        for (int run = 4; run <= 6; run++) {
            caller.acquire(provider.substring(1), "d" + run, run);
        }
        JsonNode shown = caller.get(provider).body();

        assertDescribed("Provider", shown);
        assertDescribed("Holder", shown.path("holder"));
        assertDescribed("Waiter", shown.path("waiting").path(0));
        assertDescribed("EndedHold", shown.path("history").path(0));
        assertDescribed("EndedRound", shown.path("ended_rounds").path(0));
        assertDescribed("Outcome", shown.path("outcomes").path(0));
        assertDescribed("ProvidersView", caller.get("/").body());
        assertDescribed("Error", caller.get("/nothing").body());
    }

    private void assertDescribed(String schema, JsonNode shown) throws Exception {
        JsonNode described = caller.get("/openapi.json").body().at("/components/schemas/" + schema + "/properties");
        assertThat(shown.properties().stream().map(Map.Entry::getKey))
                .as(schema)
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(
                        described.properties().stream().map(Map.Entry::getKey).toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "422 | not-json   | no json",
                "422 | not-json   | {",
                "422 | not-json   | []",
                "422 | not-json   | 3",
                "422 | not-json   | ''",
                "422 | not-json   | {} {}",
                "422 | not-json   | {\"head_sha\": \"a\", \"head_sha\": \"b\"}",
                "400 | validation | {}",
                "400 | validation | {\"head_sha\": 5, \"head_ref\": \"r\", \"priority\": 1}",
                "400 | validation | {\"head_sha\": \"\", \"head_ref\": \"r\", \"priority\": 1}",
                "400 | validation | {\"head_sha\": \"a.b\", \"head_ref\": \"r\", \"priority\": 1}",
                "400 | validation | {\"head_sha\": \"$set\", \"head_ref\": \"r\", \"priority\": 1}",
                "400 | validation | {\"head_sha\": {\"$gt\": \"\"}, \"head_ref\": \"r\", \"priority\": 1}",
                "400 | validation | {\"head_sha\": \"a\", \"head_ref\": \"\", \"priority\": 1}",
                "400 | validation | {\"head_sha\": \"a\", \"head_ref\": \"a\\nb\", \"priority\": 1}",
                "400 | validation | {\"head_sha\": \"a\", \"head_ref\": \"\\ud800\", \"priority\": 1}",
                "400 | validation | {\"head_sha\": \"a\", \"head_ref\": \"a\\u202eb\", \"priority\": 1}",
                "400 | validation | {\"head_sha\": \"a\", \"head_ref\": \"a\\u2028b\", \"priority\": 1}",
                "400 | validation | {\"head_sha\": \"a~b\", \"head_ref\": \"r\", \"priority\": 1}",
                "400 | validation | {\"head_sha\": \"a\", \"run_id\": \"a.b\", \"head_ref\": \"r\", \"priority\": 1}",
                "400 | validation | {\"head_sha\": \"a\", \"run_id\": 1.5, \"head_ref\": \"r\", \"priority\": 1}",
                "400 | validation | {\"head_sha\": \"a\", \"run_attempt\": 0, \"head_ref\": \"r\", \"priority\": 1}",
                "400 | validation | {\"head_sha\": \"a\", \"run_attempt\": 1000001, \"head_ref\": \"r\", \"priority\": 1}",
                "400 | validation | {\"head_sha\": \"a\", \"job\": 7, \"head_ref\": \"r\", \"priority\": 1}",
                "400 | validation | {\"head_sha\": \"a\", \"pull_request\": \"#1\", \"head_ref\": \"r\", \"priority\": 1}",
                "400 | validation | {\"head_sha\": \"a\", \"head_ref\": \"r\"}",
                "400 | validation | {\"head_sha\": \"a\", \"head_ref\": \"r\", \"priority\": 0}",
                "400 | validation | {\"head_sha\": \"a\", \"head_ref\": \"r\", \"priority\": -1}",
                "400 | validation | {\"head_sha\": \"a\", \"head_ref\": \"r\", \"priority\": 1.5}",
                "400 | validation | {\"head_sha\": \"a\", \"head_ref\": \"r\", \"priority\": \"1\"}",
                "400 | validation | {\"head_sha\": \"a\", \"head_ref\": \"r\", \"priority\": 99999999999999999999}",
            })
    void hostileBodiesAreRefused(int status, String error, String body) throws Exception {
        Reply reply = caller.send(
                "POST",
                "/acme/one/bodies/acquire",
                body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8),
                "Content-Type",
                "application/json");

        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.error()).isEqualTo(error);
        assertThat(reply.body().path("rule").asText()).isNotEmpty();
        assertThat(caller.get("/acme/one/bodies").body().path("last_token").asLong())
                .isZero();
    }

    @Test
    @DisplayName("What is stored of a name is counted in bytes, not in characters")
    void longNamesOfBranchesAreRefused() throws Exception {
        Reply reply = caller.post(
                "/acme/one/bodies/acquire", Map.of("head_sha", "a", "head_ref", "\u00e4".repeat(128), "priority", 1));

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.body().path("rule").asText()).contains("1 to 255 bytes in UTF-8");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"head_sha\": \"a\", \"status\": \"done\"}",
                "{\"head_sha\": \"a\"}",
                "{\"status\": \"success\"}"
            })
    void hostileReleasesAreRefused(String body) throws Exception {
        Reply reply = caller.send("POST", "/acme/one/bodies/release", body.getBytes(StandardCharsets.UTF_8));

        assertThat(reply.status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"done\"", "\"\"", "5", "true", "[\"pending\"]", "{}"})
    @DisplayName("The status of a request that acquires is refused with its own rule")
    void statusOfAnAcquireIsPending(String status) throws Exception {
        String body = "{\"head_sha\": \"a\", \"head_ref\": \"r\", \"priority\": 1, \"status\": %s}";

        Reply reply = caller.send(
                "POST", "/acme/one/bodies/acquire", body.formatted(status).getBytes(StandardCharsets.UTF_8));

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.body().path("message").asText())
                .isEqualTo("status is refused: it must be pending, or left out");
        for (String left : new String[] {"null", "\"pending\""}) {
            assertThat(caller.send(
                                    "POST",
                                    "/acme/one/statuses/acquire",
                                    body.formatted(left).getBytes(StandardCharsets.UTF_8))
                            .status())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n",
                "GET / HTTP/1.1\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n"
            })
    @DisplayName("What is no request that the service can read is the fault of its caller, whatever the status")
    void unreadableRequestsAreNoFaultOfTheService(String head) throws Exception {
        try (Socket socket = new Socket("127.0.0.1", caller.address().getPort())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();

            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("\"error\":\"bad-request\"");
        }
    }

    @Test
    void bodyMustBeUtf8() throws Exception {
        byte[] body = "{\"head_sha\": \"a\", \"head_ref\": \"\u00e4\", \"priority\": 1}"
                .getBytes(StandardCharsets.ISO_8859_1);

        assertThat(caller.send("POST", "/acme/one/bodies/acquire", body).status())
                .isEqualTo(422);
    }

    @Test
    void deepBodyIsRefused() throws Exception {
        byte[] body = "[".repeat(1_000).getBytes(StandardCharsets.UTF_8);

        assertThat(caller.send("POST", "/acme/one/bodies/acquire", body).status())
                .isEqualTo(422);
    }

    @Test
    void largeBodyIsRefused() throws Exception {
        byte[] body = new byte[1_025];

        Reply reply = caller.send("POST", "/acme/one/bodies/acquire", body);

        assertThat(reply.status()).isEqualTo(413);
        assertThat(reply.error()).isEqualTo("body-too-large");
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /acme/other/main/acquire, 404, unknown-provider",
        "GET, /acme/shop/develop, 404, unknown-provider",
        "DELETE, /acme/shop/develop, 404, unknown-provider",
        "GET, /acme/shop, 404, unknown-path",
        "GET, /favicon.ico, 404, unknown-path",
        "POST, /acme/shop/main, 405, wrong-method",
        "POST, /acme/shop/main/steal, 405, wrong-method",
        "PUT, /acme/shop/main/acquire, 405, wrong-method",
        "GET, /acme/sh%20op/main, 400, validation",
        "GET, /health/app/main, 400, validation",
        "POST, /health/app/main/acquire, 400, validation",
        "DELETE, /health/live/main, 400, validation",
        "POST, /metrics/app/main/acquire, 400, validation",
        "POST, /openapi.json/app/main/acquire, 400, validation",
        "GET, /acme/.../main, 400, validation",
        "GET, /acme/shop/main/acquire, 400, validation",
        "DELETE, /acme/shop/main/release, 400, validation",
        "GET, /acme/shop/ma%00in, 400, ''",
        "GET, /acme/shop/..%2f..%2fmain, 400, ''",
        "GET, /acme/shop/%2e%2e/main, 400, ''",
        "GET, /acme/shop/main%, 400, ''",
    })
    void hostilePathsAreRefused(String method, String path, int status, String error) throws Exception {
        RawReply reply = raw(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n"
                + "Content-Type: application/json\r\nConnection: close\r\n\r\n{}");

        assertThat(reply.text()).startsWith("HTTP/1.1 " + status);
        assertThat(reply.text()).doesNotContain("<html").contains("Content-Type: application/json", "\"rule\"");
        assertThat(reply.text()).contains(error);
    }

    private record RawReply(String text) {}

    /** What a client library would not send. */
    private RawReply raw(String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", service.address().getPort())) {
            socket.setSoTimeout(30_000);
            OutputStream out = socket.getOutputStream();
            out.write(request.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            InputStream in = socket.getInputStream();
            return new RawReply(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void requestsOfProviderAreLimited() throws Exception {
        for (int run = 0; run < 30; run++) {
            assertThat(caller.acquire("acme/one/limited", "run-" + run, 1).status())
                    .isEqualTo(200);
        }

        assertThat(caller.acquire("acme/one/limited", "run-30", 1).error()).isEqualTo("request-limit");
    }

    @Test
    void credentialsAreAskedFor() throws Exception {
        String yaml = "authentication: [{username: ci, password: secret, role: operator}]\n" + YAML;
        try (RunningService guarded = RunningService.start(database, yaml)) {
            Caller stranger = guarded.caller();
            assertThat(stranger.get("/").status()).isEqualTo(401);
            assertThat(stranger.get("/").response().headers().firstValue("WWW-Authenticate"))
                    .isPresent();
            assertThat(stranger.get("/metrics").status()).isEqualTo(401);
            assertThat(stranger.acquire("acme/one/guarded", "sha", 1).error()).isEqualTo("unauthorized");
            assertThat(stranger.get("/health/live").status()).isEqualTo(200);
            assertThat(withAuthorization(guarded, basic("ci:wrong"))).isEqualTo(401);
            assertThat(withAuthorization(guarded, "Basic %%%")).isEqualTo(401);
            assertThat(withAuthorization(guarded, "Bearer secret")).isEqualTo(401);
            assertThat(withAuthorization(guarded, basic("ci:secret"))).isEqualTo(200);
        }
    }

    private static int withAuthorization(RunningService service, String value) throws Exception {
        return service.caller()
                .send("GET", "/", new byte[0], "Authorization", value)
                .status();
    }

    private static String basic(String credentials) {
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @DisplayName(
            "Only the two health paths are open: a provider that is called like them is refused, whatever is shown")
    void onlyTheHealthPathsAreOpen() throws Exception {
        String yaml = "authentication: [{username: ci, password: secret}]\n" + YAML;
        try (RunningService guarded = RunningService.start(database, yaml)) {
            Caller stranger = guarded.caller();
            assertThat(stranger.get("/health/live").status()).isEqualTo(200);
            assertThat(stranger.get("/health/ready").status()).isIn(200, 503);
            for (String path : List.of(
                    "/health/app/main",
                    "/health/",
                    "/health/live/",
                    "/health/live/main",
                    "/health/ready/main",
                    "/health/%6cive/x",
                    "/Health/live")) {
                assertThat(stranger.get(path).status()).as(path).isEqualTo(401);
            }
            assertThat(stranger.acquire("health/app/main", "sha", 1).status()).isEqualTo(401);
            assertThat(stranger.delete("/health/app/main").status()).isEqualTo(401);
        }
    }

    @Test
    @DisplayName("A role may do what it is for: read looks, run acquires and ends its own, operator ends all")
    void rolesAreKept() throws Exception {
        String yaml = """
                authentication:
                  - {username: look, password: a, role: read}
                  - {username: ci, password: b, role: run}
                  - {username: other, password: c}
                  - {username: ops, password: d, role: operator}
                """ + YAML;
        String provider = "/acme/strict/roles";
        byte[] body = bytes("{'head_sha': 'sha', 'head_ref': 'r', 'priority': 1}");
        byte[] release = bytes("{'head_sha': 'sha', 'status': 'success', 'token': 1}");
        byte[] withdraw = bytes("{'head_sha': 'sha'}");
        try (RunningService guarded = RunningService.start(database, yaml)) {
            Caller to = guarded.caller();
            assertThat(to.send("GET", "/metrics", new byte[0], as("look:a")).status())
                    .isEqualTo(200);
            assertThat(to.send("POST", provider + "/acquire", body, as("look:a"))
                            .error())
                    .isEqualTo("forbidden");
            assertThat(to.send("POST", provider + "/acquire", body, as("ci:b")).token())
                    .isEqualTo(1);
            assertThat(to.send("DELETE", provider, new byte[0], as("ci:b")).error())
                    .isEqualTo("forbidden");
            Reply stolen = to.send("POST", provider + "/release", release, as("other:c"));
            assertThat(stolen.status()).isEqualTo(403);
            assertThat(stolen.error()).isEqualTo("not-yours");
            assertThat(to.send("POST", provider + "/acquire", body, as("other:c"))
                            .error())
                    .isEqualTo("not-yours");
            assertThat(to.send("POST", provider + "/withdraw", withdraw, as("other:c"))
                            .error())
                    .isEqualTo("not-yours");
            assertThat(to.send("POST", provider + "/withdraw", withdraw, as("ops:d"))
                            .requestStatus())
                    .isEqualTo("withdrawn");
            assertThat(to.send("DELETE", provider, new byte[0], as("ops:d")).status())
                    .isEqualTo(200);
        }
    }

    private static String[] as(String credentials) {
        return new String[] {"Authorization", basic(credentials)};
    }

    /** JSON with single quotes, so that it can be read here. */
    private static byte[] bytes(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /acme/one/sites/acquire, Origin, https://evil.example, 403, foreign-site",
        "POST, /acme/one/sites/acquire, Origin, null, 403, foreign-site",
        "POST, /acme/one/sites/acquire, Sec-Fetch-Site, cross-site, 403, foreign-site",
        "POST, /acme/one/sites/acquire, Sec-Fetch-Site, same-site, 403, foreign-site",
        "DELETE, /acme/one/sites, Origin, https://evil.example, 403, foreign-site",
        "GET, /acme/one/sites, Sec-Fetch-Site, cross-site, 403, foreign-site",
        "GET, /, Origin, https://evil.example, 403, foreign-site",
        "POST, /acme/one/sites/acquire, Content-Type, text/plain, 415, content-type",
        "POST, /acme/one/sites/acquire, Content-Type, application/x-www-form-urlencoded, 415, content-type",
        "POST, /acme/one/sites/release, Content-Type, multipart/form-data, 415, content-type",
        "POST, /acme/one/sites/withdraw, Content-Type, application/jsonx, 415, content-type",
    })
    @DisplayName("What a page of another site can make a browser send is refused before anything is decided")
    void pagesOfOtherSitesAreRefused(String method, String path, String header, String value, int status, String error)
            throws Exception {
        byte[] body = method.equals("POST") ? bytes("{}") : new byte[0];

        Reply reply = caller.send(method, path, body, header, value);

        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.error()).isEqualTo(error);
    }

    @Test
    void ownPagesAndLinksFromElsewhereAreServed() throws Exception {
        Reply same = caller.send(
                "POST",
                "/acme/one/own/acquire",
                bytes("{'head_sha': 'a', 'head_ref': 'r', 'priority': 1}"),
                "Origin",
                service.address().toString(),
                "Sec-Fetch-Site",
                "same-origin",
                "Content-Type",
                "application/json; charset=utf-8");
        Reply link = caller.send("GET", "/", new byte[0], "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate");

        assertThat(same.status()).isEqualTo(200);
        assertThat(link.status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, 200",
        "LOCALHOST:8080, 200",
        "10.1.2.3:80, 200",
        "[::1]:80, 200",
        "queue.internal, 200",
        "QUEUE.internal:443, 200",
        "evil.example, 421",
        "localhost.evil.example, 421",
        "1.2.3.4.evil.example:80, 421",
    })
    @DisplayName("Without credentials a site that gives its own name this address is not answered")
    void foreignHostsAreNotAnswered(String host, int status) throws Exception {
        String request = "GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";

        assertThat(raw(request).text()).startsWith("HTTP/1.1 " + status);
        assertThat(raw(request.replace("/ HTTP", "/health/live HTTP")).text()).startsWith("HTTP/1.1 200");
    }

    @Test
    void wrongMethodSaysWhichAreRight() throws Exception {
        assertThat(caller.send("PUT", "/acme/shop/main", new byte[0])
                        .response()
                        .headers()
                        .firstValue("Allow"))
                .hasValueSatisfying(allowed -> assertThat(allowed).contains("GET", "DELETE"));
    }

    @Test
    void answersAreNeitherKeptNorFramedNorGuessed() throws Exception {
        for (String path : List.of("/", "/acme/shop/main", "/metrics", "/health/live", "/nothing")) {
            Map<String, List<String>> headers =
                    caller.get(path).response().headers().map();
            assertThat(headers).as(path).containsEntry("x-content-type-options", List.of("nosniff"));
            assertThat(headers).as(path).containsEntry("cache-control", List.of("no-store"));
        }
        assertThat(caller.send("GET", "/", new byte[0], "Accept", "text/html")
                        .response()
                        .headers()
                        .firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy).contains("frame-ancestors 'none'"));
    }

    @Test
    void releaseWithoutTokenIsRefusedByDefault() throws Exception {
        caller.acquire("acme/strict/token", "sha", 1);

        Reply refused = caller.release("acme/strict/token", "sha", "success");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.error()).isEqualTo("token-required");
        assertThat(caller.release("acme/strict/token", "sha", "success", 1).requestStatus())
                .isEqualTo("completed");
    }

    @Test
    void cancelledRunWithdraws() throws Exception {
        String provider = "acme/shop/release/withdraws";
        caller.acquire(provider, "three", 3);
        caller.acquire(provider, "one", 1);

        Reply withdrawn = caller.post("/" + provider + "/withdraw", Map.of("head_sha", "three"));

        assertThat(withdrawn.status()).isEqualTo(200);
        assertThat(withdrawn.requestStatus()).isEqualTo("withdrawn");
        assertThat(caller.acquire(provider, "three", 3).requestStatus()).isEqualTo("withdrawn");
        JsonNode shown = caller.get("/" + provider).body();
        assertThat(shown.path("outcomes").get(0).path("outcome").asText()).isEqualTo("withdrawn");
        assertThat(shown.path("waiting")).hasSize(1);
    }

    @Test
    @DisplayName("Jobs of one commit are told apart, and the winner gets the numbers of the pull requests below it")
    void runsAndPullRequestsAreNamed() throws Exception {
        String branch = "/acme/shop/release/runs";
        String job = "{'head_sha': 'f00', 'run_id': 12345678901, 'run_attempt': 2, 'job': '%s', 'priority': 5,"
                + " 'head_ref': 'gh-readonly-queue/main/pr-31-0123456789abcdef'}";
        send(branch, "{'head_sha': 'f01', 'pull_request': 30, 'head_ref': 'queue/a', 'priority': 1}");
        send(branch, job.formatted("windows"));

        send(branch, job.formatted("linux"));
        Reply won = send(branch, job.formatted("windows"));

        JsonNode request = won.body().path("request");
        assertThat(won.requestStatus()).isEqualTo("acquired");
        assertThat(request.path("run_id").asText()).isEqualTo("12345678901");
        assertThat(request.path("run_attempt").asInt()).isEqualTo(2);
        assertThat(request.path("job").asText()).isEqualTo("windows");
        assertThat(request.path("pull_request").asLong()).isEqualTo(31);
        assertThat(won.body().path("stacked_pull_requests").get(0).asLong()).isEqualTo(30);
        assertThat(send(branch, job.formatted("linux")).requestStatus()).isEqualTo("pending");
        JsonNode holder = caller.get(branch).body().path("holder");
        assertThat(holder.path("run_id").asText()).isEqualTo("12345678901");
        assertThat(holder.path("pull_request").asLong()).isEqualTo(31);
        assertThat(holder.path("long_hold").asBoolean(true)).isFalse();
    }

    private Reply send(String branch, String json) throws Exception {
        return caller.send("POST", branch + "/acquire", bytes(json));
    }

    @Test
    @DisplayName("A caller that accepts text/plain gets one line for each key, whatever names of branches contain")
    void plainTextIsOneLineForEachKey() throws Exception {
        String branch = "/acme/shop/release/plain";
        String acquire = "{'head_sha': 'a%1$d', 'head_ref': '}]`$(x)\\u00e9 token: 9', 'priority': %1$d,"
                + " 'pull_request': 1%1$d}";
        plain(branch + "/acquire", acquire.formatted(1));
        plain(branch + "/acquire", acquire.formatted(2));
        String pending = plain(branch + "/acquire", acquire.formatted(1));
        String won = plain(branch + "/acquire", acquire.formatted(3));
        String refused = plain(branch + "/release", "{'head_sha': 'a1', 'status': 'success', 'token': 5}");
        String released = plain(branch + "/release", "{'head_sha': 'a3', 'status': 'success', 'token': 1}");
        String completed = plain(branch + "/acquire", acquire.formatted(1));

        assertThat(pending).startsWith("status: pending\n").contains("\nplace: 2\n", "\nwaits_for: priority\n");
        assertThat(won)
                .startsWith("status: acquired\n")
                .contains("\ntoken: 1\n", "\nstacked_pull_requests: 12 11\n", "\nstacked_json: [{");
        assertThat(won.lines().map(line -> line.split(": ", 2)[0])).doesNotHaveDuplicates();
        assertThat(won.lines().filter(line -> line.startsWith("stacked_json")).findFirst())
                .hasValueSatisfying(line -> assertThat(line).isASCII());
        assertThat(refused).startsWith("status: refused\n").contains("\nerror: status-change\n", "\nrepeat: no\n");
        assertThat(released).startsWith("status: completed\n");
        assertThat(completed).contains("\nwinner_head_sha: a3\n", "\nwinner_pull_request: 13\n", "\nwinner_token: 1\n");
    }

    @Test
    void plainTextOfRefusalIsOneLineForEachKeyToo() throws Exception {
        Reply refused = caller.send("GET", "/no%E2%80%A8token:%201", new byte[0], "Accept", "text/plain");

        assertThat(refused.status()).isEqualTo(404);
        assertThat(refused.response().body().lines().map(line -> line.split(": ", 2)[0]))
                .containsExactly("status", "error", "message", "rule", "repeat");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/nothing | text/plain                             | text/plain",
                "/nothing | text/plain, */*;q=0.1                  | text/plain",
                "/nothing | text/html, TEXT/Plain;q=0.5            | text/plain",
                "/nothing | application/json, text/plain, */*      | application/json",
                "/nothing | text/plain;q=0.5, application/json     | application/json",
                "/nothing | text/plain;q=0, */*                    | application/json",
                "/nothing | */*                                    | application/json",
                "/nothing | text/plainer, \"                       | application/json",
                "/        | text/html,application/xml;q=0.9,*/*;q=0.8 | text/html",
                "/        | application/json, text/html;q=0.1      | application/json",
            })
    @DisplayName("A caller gets the form that it prefers, and JSON if it prefers none")
    void formIsTheOneThatIsPreferred(String path, String accept, String type) throws Exception {
        assertThat(caller.send("GET", path, new byte[0], "Accept", accept)
                        .response()
                        .headers()
                        .firstValue("Content-Type"))
                .hasValueSatisfying(found -> assertThat(found).startsWith(type));
    }

    private String plain(String path, String json) throws Exception {
        Reply reply = caller.send("POST", path, bytes(json), "Accept", "text/plain");
        assertThat(reply.response().headers().firstValue("Content-Type")).contains("text/plain;charset=utf-8");
        return reply.response().body();
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16BE", "UTF-32"})
    void otherEncodingsOfJsonAreRefused(String charset) throws Exception {
        byte[] body = "{\"head_sha\": \"a\", \"head_ref\": \"r\", \"priority\": 1}".getBytes(Charset.forName(charset));

        assertThat(caller.send("POST", "/acme/one/bodies/acquire", body).status())
                .isEqualTo(422);
    }

    @Test
    void healthIsTold() throws Exception {
        assertThat(caller.get("/health/live").body().path("status").asText()).isEqualTo("up");
        assertThat(caller.get("/health/ready").status()).isEqualTo(200);
    }

    private String metrics() throws Exception {
        return caller.get("/metrics").response().body();
    }

    private static Reply get(Future<Reply> reply) {
        try {
            return reply.get();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
