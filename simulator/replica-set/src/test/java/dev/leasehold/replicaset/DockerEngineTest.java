package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DockerEngineTest {

    private Machine machine;

    @BeforeEach
    void emptyMachine(@TempDir Path home) {
        machine = new Machine(home);
    }

    @Test
    void anEngineThatAnswersIsThere() throws IOException {
        try (FakeDockerEngine engine = new FakeDockerEngine(machine.home)) {
            machine.environment.put("DOCKER_HOST", engine.host());

            assertThat(new DockerEngine(machine.hostEnvironment()).absence()).isEmpty();
        }
    }

    @Test
    void anEngineAtAUsualSocketIsFoundWithoutConfiguration() throws IOException {
        machine.environment.remove("DOCKER_HOST");
        machine.environment.put("XDG_RUNTIME_DIR", machine.home.toString());
        try (FakeDockerEngine engine = new FakeDockerEngine(machine.home)) {
            assertThat(engine.host()).isNotNull();
            assertThat(new DockerEngine(machine.hostEnvironment()).absence()).isEmpty();
        }
    }

    @Test
    void aSocketThatNothingServesIsNoEngine() throws IOException {
        Path socket = Files.createFile(machine.home.resolve("dead.sock"));
        machine.environment.put("DOCKER_HOST", "unix://" + socket);

        assertThat(new DockerEngine(machine.hostEnvironment()).absence())
                .hasValueSatisfying(
                        reason -> assertThat(reason).contains("nothing answers").contains("dead.sock"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ssh://user@example", "npipe:////./pipe/docker_engine", "tcp://", "unix:docker.sock", "::"})
    void aHostThatCannotBeAskedIsSaidSo(String host) {
        machine.environment.put("DOCKER_HOST", host);

        assertThat(new DockerEngine(machine.hostEnvironment()).absence())
                .hasValueSatisfying(reason -> assertThat(reason).contains("DOCKER_HOST is not understood"));
    }
}
