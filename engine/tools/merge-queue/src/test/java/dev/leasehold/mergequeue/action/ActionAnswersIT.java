package dev.leasehold.mergequeue.action;

import static dev.leasehold.mergequeue.action.Action.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.leasehold.mergequeue.action.Action.Step;
import dev.leasehold.mergequeue.http.RunningService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The GitHub Action with answers that a service, or what stands in front of it, gives on bad days. */
class ActionAnswersIT {

    private static final String ACQUIRED = "status: acquired\ntoken: 7\nstacked_json: []\nstacked_pull_requests: \n";

    @TempDir
    private Path folder;

    private final Queue<Answer> answers = new ArrayDeque<>();
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private HttpServer server;
    private Action action;

    /** What is answered to the next request; the last one to all further ones. */
    private record Answer(int status, String body, Map<String, String> headers) {}

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        action = new Action(folder);
    }

    @AfterEach
    void close() {
        action.close();
        server.stop(0);
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        asked.add(exchange.getRequestURI().getRawPath());
        exchange.getRequestBody().readAllBytes();
        Answer answer = answers.size() > 1 ? answers.remove() : answers.element();
        answer.headers().forEach(exchange.getResponseHeaders()::add);
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private synchronized void willAnswer(int status, String body, Map<String, String> headers) {
        answers.add(new Answer(status, body, headers));
    }

    @ParameterizedTest
    @CsvSource({
        "503, 'status: refused\nrepeat: yes\n'",
        "503, '{\"error\": \"busy\", \"repeat\": \"yes\"}'",
        "409, 'status: refused\nerror: request-limit\nrepeat: yes\n'",
        "429, ''",
        "408, ''",
        "502, '<html>Bad Gateway</html>'",
        "504, ''",
    })
    @DisplayName("a refusal that may change is asked again, after the time that Retry-After says")
    void refusalThatMayChangeIsAskedAgain(int status, String body) throws Exception {
        willAnswer(status, body, Map.of("Retry-After", "1"));
        willAnswer(200, ACQUIRED, Map.of());
        Map<String, String> environment = environment("acquire");
        environment.put("LEASE_ERROR_SECONDS", "3600");

        Step step = action.run(environment);

        assertThat(step.outcome()).as(step.log()).isZero();
        assertThat(step.log()).contains("No answer (" + status, "asking again in 1 s");
        assertThat(step.outputs()).containsEntry("token", "7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "Wed, 21 Oct 2015 07:28:00 GMT", "-5", "99999999999"})
    @DisplayName("a Retry-After that is no number of seconds does no harm")
    void oddRetryAfterIsPassedOver(String value) throws Exception {
        willAnswer(503, "", Map.of("Retry-After", value));
        willAnswer(200, ACQUIRED, Map.of());

        Step step = action.run(environment("acquire"));

        assertThat(step.outcome()).as(step.log()).isZero();
        assertThat(step.log()).contains("asking again in 0.3 s");
    }

    @ParameterizedTest
    @CsvSource({
        "503, 'status: refused\nerror: damaged\nmessage: m\nrule: r\nrepeat: no\n'",
        "500, 'status: refused\nerror: broken\nrepeat: no\n'",
        "401, ''",
        "403, '<html>Forbidden</html>'",
        "404, ''",
        "301, ''",
        "405, ''",
        "418, ''",
        "200, '<html>Please log in</html>'",
        "200, 'status: surprised\n'",
    })
    @DisplayName("an answer that repeating does not change fails the step at once")
    void finalAnswerFailsTheStep(int status, String body) throws Exception {
        willAnswer(status, body, Map.of());

        Step step = action.run(environment("acquire"));

        assertThat(step.outcome()).isEqualTo(1);
        assertThat(asked).hasSize(1);
        assertThat(step.log()).contains("::error::");
    }

    @Test
    @DisplayName("an answer never becomes a command of the runner")
    void answerIsNoCommand() throws Exception {
        willAnswer(404, "not here\n::add-mask::x\r\n::set-output name=token::9%\n", Map.of());

        Step step = action.run(environment("acquire"));

        assertThat(step.outcome()).isEqualTo(1);
        assertThat(step.log().lines().filter(line -> line.startsWith("::")))
                .singleElement()
                .asString()
                .startsWith("::error::")
                .contains("%0A::add-mask::x");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 6, 60})
    @DisplayName("an address that cannot be right, and a certificate that is not trusted, end the step at once")
    void wrongAddressEndsTheStep(int curl) throws Exception {
        Step step = action.run(withCurlThatEnds(environment("acquire"), curl));

        assertThat(step.outcome()).isEqualTo(1);
        assertThat(step.log()).contains("curl ended with " + curl, "check the input url");
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 28, 35, 52, 56})
    @DisplayName("a service that is away is asked again")
    void serviceThatIsAwayIsAskedAgain(int curl) throws Exception {
        Step step = action.run(withCurlThatEnds(environment("acquire"), curl));

        await().atMost(LIMIT)
                .until(() -> Pattern.compile("curl " + curl + "\\), asking again")
                                .matcher(step.log())
                                .results()
                                .count()
                        >= 2);
        assertThat(step.process().isAlive()).isTrue();
    }

    private Map<String, String> withCurlThatEnds(Map<String, String> environment, int exitCode) throws IOException {
        Path programs = Files.createDirectory(folder.resolve("programs"));
        Path curl = Files.writeString(programs.resolve("curl"), "#!/bin/sh\nexit " + exitCode + "\n");
        assertThat(curl.toFile().setExecutable(true)).isTrue();
        environment.put("PATH", programs + ":" + System.getenv("PATH"));
        return environment;
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1"})
    @DisplayName("a service that has never answered is asked again, and then given up, since its address may be wrong")
    void serviceThatNeverAnswersIsGivenUp(String silenceSeconds) throws Exception {
        Map<String, String> environment =
                action.environment("acquire", "http://127.0.0.1:" + RunningService.freePort(), "queue/pr-1");
        environment.put("LEASE_SILENCE_SECONDS", silenceSeconds);

        Step step = action.run(environment);

        assertThat(step.outcome()).isEqualTo(1);
        assertThat(step.log()).contains("asking again", "has not answered one of");
    }

    @Test
    @DisplayName("a step that is cancelled while no answer comes ends all the same")
    void cancelledStepDoesNotWaitForAnAnswer() throws Exception {
        willAnswer(200, "status: pending\nplace: 2\n", Map.of());
        Map<String, String> environment = environment("acquire");
        environment.put("LEASE_PENDING_SECONDS", "3600");
        Step step = action.run(environment);
        await().atMost(LIMIT).until(() -> step.log().contains("Pending"));
        server.removeContext("/");
        server.createContext("/", exchange -> asked.add("no answer to " + exchange.getRequestURI()));

        step.process().destroy();

        assertThat(step.outcome()).isEqualTo(143);
        assertThat(step.log()).contains("The service was not told");
        assertThat(asked).last().asString().endsWith("/withdraw");
    }

    @Test
    @DisplayName("a release is repeated until the service answers")
    void releaseIsRepeated() throws Exception {
        willAnswer(503, "", Map.of());
        willAnswer(502, "", Map.of());
        willAnswer(200, "status: completed\n", Map.of());
        Map<String, String> environment = environment("release");
        environment.put("LEASE_TOKEN", "7");

        Step step = action.run(environment);

        assertThat(step.outcome()).as(step.log()).isZero();
        assertThat(step.outputs()).containsEntry("status", "completed");
        assertThat(asked).hasSize(3);
    }

    @Test
    @DisplayName("a release that is not answered fails the step in the end")
    void releaseIsGivenUp() throws Exception {
        willAnswer(503, "", Map.of());
        Map<String, String> environment = environment("release");
        environment.put("LEASE_RELEASE_ATTEMPTS", "3");

        Step step = action.run(environment);

        assertThat(step.outcome()).isEqualTo(1);
        assertThat(step.log()).contains("the service does not answer");
        assertThat(asked).hasSize(3);
    }

    @Test
    @DisplayName("what the action hands to the script is what the script reads, and nothing of it is in the command")
    void actionAndScriptAgreeOnTheEnvironment() throws Exception {
        Map<?, ?> environment = (Map<?, ?>) Action.step().get("env");
        String script = Files.readString(Action.SOURCE.resolve("lease.sh"));

        assertThat(Pattern.compile("LEASE_[A-Z_]+").matcher(script).results().map(name -> name.group()))
                .filteredOn(name -> !List.of(
                                "LEASE_PENDING_SECONDS",
                                "LEASE_ERROR_SECONDS",
                                "LEASE_RELEASE_ATTEMPTS",
                                "LEASE_SILENCE_SECONDS")
                        .contains(name))
                .hasSameElementsAs(
                        environment.keySet().stream().map(String.class::cast).toList());
        assertThat(Action.step().get("run").toString()).doesNotContain("${{").startsWith("exec ");
    }

    @Test
    @DisplayName("each input is used, and each output is one that the script writes")
    void inputsAndOutputsAreComplete() throws Exception {
        String environment = Action.step().get("env").toString();
        Map<?, ?> file = Action.file();
        String script = Files.readString(Action.SOURCE.resolve("lease.sh"));

        assertThat(Pattern.compile("inputs\\.([a-z-]+)")
                        .matcher(environment)
                        .results()
                        .map(name -> name.group(1))
                        .collect(Collectors.toSet()))
                .isEqualTo(((Map<?, ?>) file.get("inputs")).keySet());
        assertThat(((Map<?, ?>) file.get("outputs")).keySet())
                .isEqualTo(Pattern.compile("output ([a-z_]+) ")
                        .matcher(script)
                        .results()
                        .map(name -> name.group(1))
                        .collect(Collectors.toSet()));
    }

    private Map<String, String> environment(String mode) throws Exception {
        return action.environment(
                mode, "http://127.0.0.1:" + server.getAddress().getPort(), "queue/pr-1");
    }
}
