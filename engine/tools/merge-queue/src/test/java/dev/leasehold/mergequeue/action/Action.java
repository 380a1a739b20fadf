package dev.leasehold.mergequeue.action;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The action as a runner calls it: from a copy of its folder, by the line of its {@code action.yml}, in a checkout of a real repository. */
final class Action implements AutoCloseable {

    static final Path SOURCE = Path.of("action").toAbsolutePath();
    static final Duration LIMIT = Duration.ofSeconds(60);

    /** A build in the background of a shell ignores some signals, and so would the steps that it starts. */
    private static final String WITH_DEFAULT_SIGNALS = """
            if env --default-signal=HUP,INT,TERM true 2>/dev/null; then
              exec env --default-signal=HUP,INT,TERM "$@"
            fi
            exec "$@"
            """;

    private final Path folder;
    private final Path copy;
    private final Path script;
    private final Path repository;
    private final List<Process> started = new ArrayList<>();

    Action(Path folder) throws Exception {
        this.folder = folder;
        this.copy = Files.createDirectory(folder.resolve("action"));
        for (String file : List.of("action.yml", "lease.sh")) {
            Files.copy(SOURCE.resolve(file), copy.resolve(file));
        }
        this.script = Files.writeString(folder.resolve("step.sh"), (String) step().get("run"));
        this.repository = Files.createDirectory(folder.resolve("repository"));
        git("init", "--quiet", "--initial-branch=release/1.2");
        commit("base");
        git("checkout", "--quiet", "-b", "queue/pr-1");
        commit("one");
        git("checkout", "--quiet", "-b", "queue/pr-2");
        commit("two");
        git("checkout", "--quiet", "--detach");
    }

    /** The one step of {@code action.yml}. */
    static Map<?, ?> step() throws IOException {
        return (Map<?, ?>) ((List<?>) ((Map<?, ?>) file().get("runs")).get("steps")).get(0);
    }

    static Map<?, ?> file() throws IOException {
        return (Map<?, ?>)
                new Load(LoadSettings.builder().build()).loadFromString(Files.readString(SOURCE.resolve("action.yml")));
    }

    /** What the runner hands to the script, for a service without credentials. */
    Map<String, String> environment(String mode, String url, String branch) throws Exception {
        Map<String, String> environment = new HashMap<>();
        for (Object name : ((Map<?, ?>) step().get("env")).keySet()) {
            environment.put((String) name, "");
        }
        environment.put("LEASE_MODE", mode);
        environment.put("LEASE_URL", url);
        environment.put("LEASE_REPOSITORY", "acme/shop");
        environment.put("LEASE_BASE_REF", "refs/heads/release/1.2");
        environment.put("LEASE_HEAD_SHA", sha(branch));
        environment.put("LEASE_HEAD_REF", "refs/heads/" + branch);
        environment.put("LEASE_STATUS", "success");
        environment.put("LEASE_PENDING_SECONDS", "0.3");
        environment.put("LEASE_ERROR_SECONDS", "0.3");
        return environment;
    }

    Step run(Map<String, String> environment) throws IOException {
        return run(environment, repository);
    }

    /** With the options of the runner's shell. */
    Step run(Map<String, String> environment, Path in) throws IOException {
        Path output = Files.createTempFile(folder, "output", "");
        Path log = Files.createTempFile(folder, "log", "");
        ProcessBuilder builder = new ProcessBuilder(
                        "sh",
                        "-c",
                        WITH_DEFAULT_SIGNALS,
                        "sh",
                        "bash",
                        "--noprofile",
                        "--norc",
                        "-e",
                        "-o",
                        "pipefail",
                        script.toString())
                .directory(in.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        builder.environment().put("GITHUB_OUTPUT", output.toString());
        builder.environment().put("GITHUB_ACTION_PATH", copy.toString());
        Process process = builder.start();
        started.add(process);
        return new Step(process, output, log);
    }

    /** A step that runs, or has run. */
    record Step(Process process, Path output, Path logFile) {

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

    String sha(String branch) throws Exception {
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

    String git(String... arguments) throws Exception {
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

    Path repository() {
        return repository;
    }

    @Override
    public void close() {
        started.forEach(Process::destroyForcibly);
    }
}
