package dev.leasehold.mergequeue.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.leasehold.mergequeue.http.RunningService;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script of the GitHub Action, as a runner calls it, with a real repository and a real service. */
@WithReplicaSet
class ActionIT {

    private static final Path ACTION = Path.of("action").toAbsolutePath();
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String YAML = """
            authentication: [{username: ci, password: 'se"cr\\et'}]
            providers:
              - {owner: acme, repo: shop, base-ref: release/1.2, expected-requests: 2}
            """;
    private static final String PATH = "/acme/shop/release/1.2";
    private static final String[] CREDENTIALS = {"Authorization", "Basic Y2k6c2UiY3JcZXQ="};

    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();
    private RunningService service;
    private Path repository;

    @BeforeEach
    void start(TestDatabase database) throws Exception {
        service = RunningService.start(database, YAML);
        repository = Files.createDirectory(folder.resolve("repository"));
        git("init", "--quiet", "--initial-branch=release/1.2");
        commit("base");
        git("checkout", "--quiet", "-b", "queue/pr-1");
        commit("one");
        git("checkout", "--quiet", "-b", "queue/pr-2");
        commit("two");
        git("checkout", "--quiet", "--detach");
    }

    @AfterEach
    void close() {
        started.forEach(Process::destroyForcibly);
        service.close();
    }

    @Test
    void priorityIsTheNumberOfCommitsAhead() throws Exception {
        Step one = acquire("queue/pr-1");
        await().atMost(LIMIT).until(() -> waiting() == 1);

        Step two = acquire("queue/pr-2");

        assertThat(two.outcome()).isZero();
        assertThat(two.log()).contains("with priority 2", "Acquired with token 1");
        assertThat(two.outputs()).containsEntry("status", "acquired").containsEntry("token", "1");
        assertThat(two.outputs().get("stacked")).contains("\"head_ref\":\"queue/pr-1\"", "\"priority\":1");

        Step released = release("queue/pr-2", "success", two.outputs());

        assertThat(released.outcome()).isZero();
        assertThat(released.outputs()).containsEntry("status", "completed");
        assertThat(one.outcome()).isZero();
        assertThat(one.outputs()).containsEntry("status", "completed").doesNotContainKey("token");
        Step nothing = release("queue/pr-1", "success", one.outputs());
        assertThat(nothing.outcome()).isZero();
        assertThat(nothing.log()).contains("Nothing to release");
    }

    @Test
    void cancelledJobReleasesWithFailure() throws Exception {
        Step one = acquire("queue/pr-1");
        await().atMost(LIMIT).until(() -> waiting() == 1);
        Step two = acquire("queue/pr-2");
        assertThat(two.outcome()).isZero();

        Step released = release("queue/pr-2", "cancelled", two.outputs());

        assertThat(released.outputs()).containsEntry("status", "failure");
        one.process().destroy();
        assertThat(show("history").get(0).path("outcome").asText()).isEqualTo("failure");
    }

    @Test
    void jobThatWasCancelledBeforeItKnewReleasesWhatItWasGranted() throws Exception {
        service.caller().send("POST", PATH + "/acquire", body("other", 1), CREDENTIALS);
        service.caller().send("POST", PATH + "/acquire", body(sha("queue/pr-1"), 5), CREDENTIALS);

        Step released = release("queue/pr-1", "cancelled", Map.of());
        Step again = release("queue/pr-2", "cancelled", Map.of());

        assertThat(released.outputs()).containsEntry("status", "withdrawn");
        assertThat(again.outcome()).isZero();
        assertThat(again.outputs()).containsEntry("status", "withdrawn");
        assertThat(show("holder").isNull()).isTrue();
    }

    @Test
    void serviceThatIsAwayIsWaitedFor() throws Exception {
        int port = RunningService.freePort();
        Map<String, String> environment = environment("acquire", "queue/pr-1");
        environment.put("LEASE_URL", "http://127.0.0.1:" + port);
        Step step = run(environment);

        await().atMost(LIMIT).until(() -> step.log().contains("No answer (000), asking again"));

        assertThat(step.process().isAlive()).isTrue();
    }

    @Test
    void refusalFailsTheStep() throws Exception {
        Map<String, String> wrongBranch = environment("acquire", "queue/pr-1");
        wrongBranch.put("LEASE_BASE_REF", "develop");
        Map<String, String> wrongPassword = environment("acquire", "queue/pr-1");
        wrongPassword.put("LEASE_PASSWORD", "wrong");
        Map<String, String> noCommits = environment("acquire", "release/1.2");
        Map<String, String> oldToken = environment("release", "queue/pr-1");
        oldToken.put("LEASE_TOKEN", "7");

        assertFails(wrongBranch, "branch develop is not in the checkout");
        assertFails(wrongPassword, "refused (401)");
        assertFails(noCommits, "no commits ahead");
        assertFails(oldToken, "refused (409)");
    }

    private void assertFails(Map<String, String> environment, String message) throws Exception {
        Step step = run(environment);
        assertThat(step.outcome()).isEqualTo(1);
        assertThat(step.log()).contains("::error::").contains(message);
    }

    /** What the action hands to the script is what the script reads. */
    @Test
    void actionAndScriptAgreeOnTheEnvironment() throws Exception {
        String action = Files.readString(ACTION.resolve("action.yml"));
        String script = Files.readString(ACTION.resolve("lease.sh"));

        assertThat(names(action, "(LEASE_[A-Z_]+):"))
                .isEqualTo(names(
                        script.replaceAll("LEASE_(PENDING_SECONDS|ERROR_SECONDS|RELEASE_ATTEMPTS)", ""),
                        "(LEASE_[A-Z_]+)"));
    }

    private static List<String> names(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        return matcher.results()
                .map(result -> result.group(1))
                .distinct()
                .sorted()
                .toList();
    }

    private Step acquire(String branch) throws Exception {
        return run(environment("acquire", branch));
    }

    private Step release(String branch, String status, Map<String, String> outputs) throws Exception {
        Map<String, String> environment = environment("release", branch);
        environment.put("LEASE_STATUS", status);
        environment.put("LEASE_HELD", outputs.getOrDefault("status", ""));
        environment.put("LEASE_TOKEN", outputs.getOrDefault("token", ""));
        return run(environment);
    }

    private Map<String, String> environment(String mode, String branch) throws Exception {
        Map<String, String> environment = new HashMap<>();
        environment.put("LEASE_MODE", mode);
        environment.put("LEASE_URL", service.address() + "/");
        environment.put("LEASE_USERNAME", "ci");
        environment.put("LEASE_PASSWORD", "se\"cr\\et");
        environment.put("LEASE_REPOSITORY", "acme/shop");
        environment.put("LEASE_BASE_REF", "refs/heads/release/1.2");
        environment.put("LEASE_HEAD_SHA", sha(branch));
        environment.put("LEASE_HEAD_REF", "refs/heads/" + branch);
        environment.put("LEASE_STATUS", "success");
        environment.put("LEASE_TOKEN", "");
        environment.put("LEASE_HELD", "");
        environment.put("LEASE_PENDING_SECONDS", "0.3");
        environment.put("LEASE_ERROR_SECONDS", "0.3");
        return environment;
    }

    private Step run(Map<String, String> environment) throws IOException {
        Path output = Files.createTempFile(folder, "output", "");
        Path log = Files.createTempFile(folder, "log", "");
        ProcessBuilder builder = new ProcessBuilder(
                        "bash", ACTION.resolve("lease.sh").toString())
                .directory(repository.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        builder.environment().put("GITHUB_OUTPUT", output.toString());
        Process process = builder.start();
        started.add(process);
        return new Step(process, output, log);
    }

    private record Step(Process process, Path output, Path logFile) {

        int outcome() throws Exception {
            assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            return process.exitValue();
        }

        String log() throws IOException {
            return Files.readString(logFile);
        }

        Map<String, String> outputs() throws Exception {
            outcome();
            Map<String, String> outputs = new HashMap<>();
            for (String line : Files.readAllLines(output)) {
                String[] parts = line.split("=", 2);
                outputs.put(parts[0], parts[1]);
            }
            return outputs;
        }
    }

    private int waiting() throws Exception {
        return show("waiting").size();
    }

    private JsonNode show(String field) throws Exception {
        return service.caller()
                .send("GET", PATH, new byte[0], CREDENTIALS)
                .body()
                .path(field);
    }

    private static byte[] body(String sha, long priority) {
        return String.format(
                        Locale.ROOT, "{\"head_sha\": \"%s\", \"head_ref\": \"ref\", \"priority\": %d}", sha, priority)
                .getBytes(StandardCharsets.UTF_8);
    }

    private String sha(String branch) throws Exception {
        return git("rev-parse", branch).strip();
    }

    private void commit(String message) throws Exception {
        git(
                "-c",
                "user.name=ci",
                "-c",
                "user.email=ci@example.com",
                "commit",
                "--quiet",
                "--allow-empty",
                "-m",
                message);
    }

    private String git(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(repository.toFile()).redirectErrorStream(true);
        // Whatever the user of the machine has configured.
        builder.environment().putAll(Map.of("GIT_CONFIG_GLOBAL", "/dev/null", "GIT_CONFIG_NOSYSTEM", "1"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
