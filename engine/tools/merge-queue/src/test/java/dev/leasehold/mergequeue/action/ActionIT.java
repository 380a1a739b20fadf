package dev.leasehold.mergequeue.action;

import static dev.leasehold.mergequeue.action.Action.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.mergequeue.action.Action.Step;
import dev.leasehold.mergequeue.http.RunningService;
import dev.leasehold.mergequeue.replica.ProviderKey;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The GitHub Action with a real repository and a real service. */
@WithReplicaSet
class ActionIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String YAML = """
            authentication:
              - {username: ci, password: 'se"cr\\et'}
              - {username: reader, password: looks, role: read}
              - {username: ops, password: clears, role: operator}
            providers:
              - {owner: acme, repo: shop, base-ref: release/1.2, expected-requests: 2}
              - {owner: acme, repo: three, base-ref: "**", expected-requests: 3}
              - {owner: acme, repo: one, base-ref: "**", expected-requests: 1}
            """;
    private static final String PATH = "/acme/shop/release/1.2";

    @TempDir
    private Path folder;

    private RunningService service;
    private Action action;

    @BeforeEach
    void start(TestDatabase database) throws Exception {
        service = RunningService.start(database, YAML);
        action = new Action(folder);
    }

    @AfterEach
    void close() {
        action.close();
        service.close();
    }

    @Test
    void priorityIsTheNumberOfCommitsAhead() throws Exception {
        Step one = acquire("queue/pr-1");
        await().atMost(LIMIT).until(() -> waiting() == 1);

        Step two = acquire("queue/pr-2");

        assertThat(two.outcome()).isZero();
        assertThat(two.log()).contains("with priority 2", "Acquired with token 1");
        assertThat(two.outputs())
                .containsEntry("status", "acquired")
                .containsEntry("token", "1")
                .containsEntry("stacked_pull_requests", "[]");
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

    /** As git allows them, and as strangers choose them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "main",
                "feature/}x",
                "feature/]b{",
                "rel#1",
                "hash%41",
                "hash%2541",
                "100%",
                "{a,b}",
                "ümläut/straße",
                "emoji-🚀",
                "quote\"and'",
                "$(touch injected)`id`",
                "plus+and&equals=",
                "semi;colon|pipe<>",
                "\"},{\"priority\",99",
                "-rf",
                "@"
            })
    @DisplayName("a branch of any name is acquired and released under that name")
    void namesArriveAsTheyAre(String name) throws Exception {
        String branch = name.replace("touch injected", "touch${IFS}injected");
        Map<String, String> environment = environment("acquire", "queue/pr-1");
        environment.put("LEASE_REPOSITORY", "acme/one");
        environment.put("LEASE_PRIORITY", "4");
        environment.put("LEASE_BASE_REF", "refs/heads/" + branch);
        environment.put("LEASE_HEAD_REF", "refs/heads/" + branch);

        Step acquired = action.run(environment);

        assertThat(acquired.outcome()).as(acquired.log()).isZero();
        String path = new ProviderKey("acme", "one", branch).path();
        assertThat(show(path, "provider").asText()).isEqualTo("acme/one/" + branch);
        assertThat(show(path, "holder").path("head_ref").asText()).isEqualTo(branch);
        assertThat(show(path, "holder").path("priority").asLong()).isEqualTo(4);

        environment.put("LEASE_MODE", "release");
        environment.put("LEASE_HELD", "acquired");
        environment.put("LEASE_TOKEN", acquired.outputs().get("token"));
        Step released = action.run(environment);

        assertThat(released.outcome()).as(released.log()).isZero();
        assertThat(show(path, "history").get(0).path("outcome").asText()).isEqualTo("success");
        assertThat(action.repository().resolve("injected")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"with space", "star*", "a/../b", "tab\there"})
    @DisplayName("what is no name of a branch is refused at once, with the rule")
    void whatIsNoBranchIsRefused(String name) throws Exception {
        Map<String, String> environment = environment("acquire", "queue/pr-1");
        environment.put("LEASE_REPOSITORY", "acme/one");
        environment.put("LEASE_PRIORITY", "4");
        environment.put("LEASE_BASE_REF", name);

        assertFails(environment, " with 400");
    }

    @Test
    @DisplayName("the winner gets the requests below it as JSON, and their numbers, whatever their branches are called")
    void stackedRequestsAreOutputs() throws Exception {
        String path = "/acme/three/main";
        for (int number : List.of(7, 12)) {
            service.caller()
                    .send(
                            "POST",
                            path + "/acquire",
                            JSON.writeValueAsBytes(Map.of(
                                    "head_sha",
                                    "sha" + number,
                                    "head_ref",
                                    "x]}\"{[ " + number,
                                    "priority",
                                    number,
                                    "pull_request",
                                    number)),
                            credentials());
        }
        Map<String, String> environment = environment("acquire", "queue/pr-2");
        environment.put("LEASE_REPOSITORY", "acme/three");
        environment.put("LEASE_BASE_REF", "main");
        environment.put("LEASE_PRIORITY", "20");

        Step step = action.run(environment);

        assertThat(step.outcome()).as(step.log()).isZero();
        assertThat(step.outputs()).containsEntry("stacked_pull_requests", "[12,7]");
        JsonNode stacked = JSON.readTree(step.outputs().get("stacked"));
        assertThat(stacked.findValuesAsText("head_ref")).containsExactly("x]}\"{[ 12", "x]}\"{[ 7");
    }

    @Test
    @DisplayName("run, attempt, job and pull request are sent, so that two jobs of one commit do not share a hold")
    void jobsOfOneCommitAreToldApart() throws Exception {
        Map<String, String> first = environment("acquire", "queue/pr-1");
        first.putAll(Map.of(
                "LEASE_RUN_ID", "4711", "LEASE_RUN_ATTEMPT", "2", "LEASE_JOB", "e2e-0", "LEASE_PULL_REQUEST", "31143"));
        Step holder = action.run(first);
        await().atMost(LIMIT).until(() -> waiting() == 1);
        Map<String, String> second = environment("acquire", "queue/pr-1");
        second.putAll(first);
        second.put("LEASE_JOB", "e2e-1");
        Step waiter = action.run(second);

        assertThat(holder.outcome()).isZero();
        JsonNode held = show(PATH, "holder");
        assertThat(held.path("run_id").asText()).isEqualTo("4711");
        assertThat(held.path("run_attempt").asInt()).isEqualTo(2);
        assertThat(held.path("job").asText()).isEqualTo("e2e-0");
        assertThat(held.path("pull_request").asInt()).isEqualTo(31143);
        assertThat(show(PATH, "waiting").get(0).path("job").asText()).isEqualTo("e2e-1");
        assertThat(waiter.process().isAlive()).isTrue();

        first.putAll(Map.of(
                "LEASE_MODE",
                "release",
                "LEASE_HELD",
                "acquired",
                "LEASE_TOKEN",
                holder.outputs().get("token")));
        assertThat(action.run(first).outcome()).isZero();
        assertThat(waiter.outputs()).containsEntry("status", "completed");
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143", "HUP, 129"})
    @DisplayName("a step that is cancelled while it waits withdraws its run before it ends")
    void cancelledWaiterWithdraws(String signal, int exitCode) throws Exception {
        Step step = acquire("queue/pr-1");
        await().atMost(LIMIT).until(() -> waiting() == 1);

        new ProcessBuilder("kill", "-" + signal, Long.toString(step.process().pid()))
                .start()
                .waitFor();

        assertThat(step.outcome()).isEqualTo(exitCode);
        assertThat(step.log()).contains("Cancelled", "Withdrawn");
        assertThat(waiting()).isZero();
        assertThat(show(PATH, "outcomes").get(0).path("outcome").asText()).isEqualTo("withdrawn");
        assertThat(release("queue/pr-1", "cancelled", Map.of()).outcome()).isZero();
    }

    @Test
    @DisplayName("a step that waits for longer than its timeout withdraws its run, and fails")
    void timeoutWithdraws() throws Exception {
        Map<String, String> environment = environment("acquire", "queue/pr-1");
        environment.put("LEASE_TIMEOUT", "1s");

        assertFails(environment, "not acquired within 1s");

        assertThat(waiting()).isZero();
        assertThat(show(PATH, "outcomes").get(0).path("outcome").asText()).isEqualTo("withdrawn");
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
        assertThat(show(PATH, "history").get(0).path("outcome").asText()).isEqualTo("failure");
    }

    @Test
    void jobThatWasCancelledBeforeItKnewReleasesWhatItWasGranted() throws Exception {
        service.caller().send("POST", PATH + "/acquire", body("other", 1), credentials());
        service.caller().send("POST", PATH + "/acquire", body(action.sha("queue/pr-1"), 5), credentials());

        Step released = release("queue/pr-1", "cancelled", Map.of());
        Step again = release("queue/pr-2", "cancelled", Map.of());

        assertThat(released.outputs()).containsEntry("status", "withdrawn");
        assertThat(again.outcome()).isZero();
        assertThat(again.outputs()).containsEntry("status", "withdrawn");
        assertThat(show(PATH, "holder").isNull()).isTrue();
    }

    @Test
    @DisplayName("a run whose queue an operator cleared ends at once, and has nothing to release")
    void clearedQueueEndsTheStep() throws Exception {
        Step step = acquire("queue/pr-1");
        await().atMost(LIMIT).until(() -> waiting() == 1);

        service.caller().send("DELETE", PATH, new byte[0], basic("ops:clears"));

        assertThat(step.outcome()).isEqualTo(1);
        assertThat(step.log()).contains("::error::", "queue-cleared");
        Step released = release("queue/pr-1", "failure", Map.of());
        assertThat(released.outcome()).isZero();
        assertThat(released.log()).contains("an operator cleared the queue");
    }

    @Test
    @DisplayName("what repeating cannot change fails the step at once")
    void refusalFailsTheStep() throws Exception {
        Map<String, String> wrongBranch = environment("acquire", "queue/pr-1");
        wrongBranch.put("LEASE_BASE_REF", "develop");
        Map<String, String> unknownProvider = environment("acquire", "queue/pr-1");
        unknownProvider.putAll(Map.of("LEASE_BASE_REF", "develop", "LEASE_PRIORITY", "3"));
        Map<String, String> wrongPassword = environment("acquire", "queue/pr-1");
        wrongPassword.put("LEASE_PASSWORD", "wrong");
        Map<String, String> wrongRole = environment("acquire", "queue/pr-1");
        wrongRole.putAll(Map.of("LEASE_USERNAME", "reader", "LEASE_PASSWORD", "looks"));
        Map<String, String> wrongJob = environment("acquire", "queue/pr-1");
        wrongJob.put("LEASE_JOB", "no job");
        Map<String, String> noCommits = environment("acquire", "release/1.2");
        Map<String, String> unknownCommit = environment("acquire", "queue/pr-1");
        unknownCommit.put("LEASE_HEAD_SHA", "0123456789012345678901234567890123456789");
        Map<String, String> noToken = environment("release", "queue/pr-1");
        noToken.put("LEASE_TOKEN", "7");

        assertFails(wrongBranch, "branch develop is not in the checkout");
        assertFails(unknownProvider, "refused with 404, unknown-provider");
        assertFails(wrongPassword, "refused with 401, unauthorized");
        assertFails(wrongRole, "refused with 403, forbidden");
        assertFails(wrongJob, "refused with 400, validation: job");
        assertFails(noCommits, "no commits ahead");
        assertFails(unknownCommit, "is not in the checkout");
        assertFails(noToken, "refused with 409, not-holder");
    }

    @ParameterizedTest
    @CsvSource({
        "LEASE_MODE, both, mode is 'both'",
        "LEASE_URL, '', is the secret or variable set?",
        "LEASE_URL, merge-queue.example.com, must be http:// or https://",
        "LEASE_URL, file:///etc/passwd, must be http:// or https://",
        "LEASE_URL, https://a.example/?x=, and no query",
        "LEASE_PRIORITY, 0, priority is '0'",
        "LEASE_PRIORITY, high, priority is 'high'",
        "LEASE_TIMEOUT, 45, timeout is '45'",
        "LEASE_TIMEOUT, soon, timeout is 'soon'",
        "LEASE_TOKEN, '7,\"x\":1', token is",
        "LEASE_RUN_ATTEMPT, '1}', run-attempt is",
        "LEASE_PULL_REQUEST, '#3', pull-request is",
    })
    @DisplayName("an input that cannot be right fails the step with its value and its rule")
    void inputsAreChecked(String name, String value, String message) throws Exception {
        Map<String, String> environment = environment("acquire", "queue/pr-1");
        environment.put(name, value);

        assertFails(environment, message);
    }

    @Test
    @DisplayName("a priority is never counted in a shallow checkout; one that is given needs no checkout")
    void shallowCheckoutIsRefused() throws Exception {
        action.git(
                "clone",
                "--quiet",
                "--depth=1",
                "--branch=queue/pr-2",
                action.repository().toUri().toString(),
                "../shallow");
        Path shallow = folder.resolve("shallow");
        Step counted = action.run(environment("acquire", "queue/pr-2"), shallow);
        Map<String, String> given = environment("acquire", "queue/pr-2");
        given.putAll(Map.of("LEASE_PRIORITY", "6", "LEASE_REPOSITORY", "acme/one"));
        Step withPriority = action.run(given, Files.createDirectory(folder.resolve("empty")));

        assertThat(counted.outcome()).isEqualTo(1);
        assertThat(counted.log()).contains("fetch-depth: 0");
        assertThat(withPriority.outcome()).as(withPriority.log()).isZero();
    }

    private void assertFails(Map<String, String> environment, String message) throws Exception {
        Step step = action.run(environment);
        assertThat(step.outcome()).as(step.log()).isEqualTo(1);
        assertThat(step.log()).contains("::error::").contains(message);
    }

    private Step acquire(String branch) throws Exception {
        return action.run(environment("acquire", branch));
    }

    private Step release(String branch, String status, Map<String, String> outputs) throws Exception {
        Map<String, String> environment = environment("release", branch);
        environment.put("LEASE_STATUS", status);
        environment.put("LEASE_HELD", outputs.getOrDefault("status", ""));
        environment.put("LEASE_TOKEN", outputs.getOrDefault("token", ""));
        return action.run(environment);
    }

    private Map<String, String> environment(String mode, String branch) throws Exception {
        Map<String, String> environment = action.environment(mode, service.address() + "/", branch);
        environment.put("LEASE_USERNAME", "ci");
        environment.put("LEASE_PASSWORD", "se\"cr\\et");
        return environment;
    }

    private int waiting() throws Exception {
        return show(PATH, "waiting").size();
    }

    private JsonNode show(String path, String field) throws Exception {
        return service.caller()
                .send("GET", path, new byte[0], credentials())
                .body()
                .path(field);
    }

    private static String[] credentials() {
        return basic("ci:se\"cr\\et");
    }

    private static String[] basic(String credentials) {
        return new String[] {
            "Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8))
        };
    }

    private static byte[] body(String sha, long priority) {
        return String.format(
                        Locale.ROOT, "{\"head_sha\": \"%s\", \"head_ref\": \"ref\", \"priority\": %d}", sha, priority)
                .getBytes(StandardCharsets.UTF_8);
    }
}
