package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FindingOrderTest {

    private static final ReplicaSetSettings ONE_NODE = ReplicaSetSettings.ofNodes(1);
    private static final String KEPT = ".cache/leasehold/mongod-6.0.5/mongod";

    private final List<Path> broken = new ArrayList<>();
    private Machine machine;
    private boolean imageExists = true;

    @BeforeEach
    void emptyMachine(@TempDir Path home) {
        machine = new Machine(home);
    }

    @Test
    void eachWayIsTakenWhenThoseBeforeItAreGone() throws IOException {
        machine.environment.put("LEASEHOLD_MONGODB_URI", "mongodb://db.example:27017/?replicaSet=rs");
        Path configured = machine.mongodAt("own/mongod");
        machine.environment.put("LEASEHOLD_MONGOD", configured.toString());
        Path onPath = machine.mongodAt("bin/mongod");
        Path kept = machine.mongodAt(KEPT);
        try (FakeDockerEngine engine = new FakeDockerEngine(machine.home)) {
            machine.environment.put("DOCKER_HOST", engine.host());

            assertThat(found()).isEqualTo(new Server.Existing("mongodb://db.example:27017/?replicaSet=rs"));
            machine.environment.remove("LEASEHOLD_MONGODB_URI");
            assertThat(found()).isEqualTo(new Server.Binary(configured));
            machine.environment.remove("LEASEHOLD_MONGOD");
            assertThat(found()).isEqualTo(new Server.Binary(onPath));
            Files.delete(onPath);
            assertThat(found()).isEqualTo(new Server.Binary(kept));
            Files.delete(kept);
            assertThat(found()).isEqualTo(new Server.Docker());
        }
    }

    @Test
    void aBlankVariableIsNotSet() throws IOException {
        machine.environment.put("LEASEHOLD_MONGODB_URI", " ");
        machine.environment.put("LEASEHOLD_MONGOD", "");
        Path onPath = machine.mongodAt("bin/mongod");

        assertThat(found()).isEqualTo(new Server.Binary(onPath));
    }

    @Test
    void aConfiguredMongodThatIsMissingIsAnError() throws IOException {
        machine.environment.put("LEASEHOLD_MONGOD", "/nowhere/mongod");
        machine.mongodAt("bin/mongod");

        assertThatThrownBy(this::found)
                .isInstanceOf(ReplicaSetUnavailableException.class)
                .hasMessageContaining("LEASEHOLD_MONGOD")
                .hasMessageContaining("/nowhere/mongod");
    }

    @Test
    void aConfiguredMongodThatDoesNotRunIsAnError() throws IOException {
        Path configured = machine.mongodAt("own/mongod");
        broken.add(configured);
        machine.environment.put("LEASEHOLD_MONGOD", configured.toString());
        machine.mongodAt("bin/mongod");

        assertThatThrownBy(this::found)
                .isInstanceOf(ReplicaSetUnavailableException.class)
                .hasMessageContaining(configured.toString())
                .hasMessageContaining("libmissing.so");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgres://user:secret@db",
                "mongodb://user:12%qzsecret@db",
                "mongodb://user:12?secret@db",
                "mongodb://user:12/secret@db"
            })
    void aMalformedUriIsAnErrorThatDoesNotShowIt(String uri) {
        machine.environment.put("LEASEHOLD_MONGODB_URI", uri);

        assertThatThrownBy(this::found)
                .isInstanceOf(ReplicaSetUnavailableException.class)
                .hasMessageContaining("LEASEHOLD_MONGODB_URI")
                .hasMessageNotContainingAny("secret", "qz", "12");
    }

    @Test
    void whatIsSaidOfAnExistingSetDoesNotShowItsPassword() {
        machine.environment.put("LEASEHOLD_MONGODB_URI", "mongodb://user:secret@db.example:27017/?replicaSet=rs");

        assertThat(search().find(ONE_NODE).said()).contains("db.example:27017").doesNotContain("secret");
    }

    @Test
    void aMongodOnThePathThatDoesNotRunIsPassedOver() throws IOException {
        broken.add(machine.mongodAt("bin/mongod"));
        Path kept = machine.mongodAt(KEPT);

        assertThat(found()).isEqualTo(new Server.Binary(kept));
    }

    @Test
    void theCacheFolderFollowsTheConfiguration() throws IOException {
        machine.environment.put(
                "XDG_CACHE_HOME", machine.home.resolve("elsewhere").toString());
        Path kept = machine.mongodAt("elsewhere/leasehold/mongod-6.0.5/mongod");

        assertThat(found()).isEqualTo(new Server.Binary(kept));
    }

    @Test
    void theCacheFolderOfMacOsIsUsedThere() throws IOException {
        machine.of("Mac OS X");
        Path kept = machine.mongodAt("Library/Caches/leasehold/mongod-6.0.5/mongod");

        assertThat(found()).isEqualTo(new Server.Binary(kept));
    }

    @Test
    void dockerIsPassedOverWhenItCannotGetTheImage() throws IOException {
        imageExists = false;
        try (FakeDockerEngine engine = new FakeDockerEngine(machine.home)) {
            machine.environment.put("DOCKER_HOST", engine.host());

            assertThatThrownBy(this::found).hasMessageContaining("Docker: the engine answers, but cannot get mongo:");
        }
    }

    @Test
    void dockerIsPassedOverForMoreThanOneNode() throws IOException {
        try (FakeDockerEngine engine = new FakeDockerEngine(machine.home)) {
            machine.environment.put("DOCKER_HOST", engine.host());

            assertThatThrownBy(() -> search().find(ReplicaSetSettings.ofNodes(3)))
                    .hasMessageContaining("Docker: gives one node, not 3");
        }
    }

    @ParameterizedTest
    @MethodSource("wishesForProcesses")
    void dockerIsPassedOverForWhatTakesAProcess(ReplicaSetSettings settings, String wishes) throws IOException {
        try (FakeDockerEngine engine = new FakeDockerEngine(machine.home)) {
            machine.environment.put("DOCKER_HOST", engine.host());

            assertThatThrownBy(() -> search().find(settings))
                    .isInstanceOf(ReplicaSetUnavailableException.class)
                    .hasMessageContaining("Docker: gives a node as it is, without " + wishes);
        }
    }

    @ParameterizedTest
    @MethodSource("wishesForProcesses")
    void anExistingSetIsRefusedForWhatTakesAProcess(ReplicaSetSettings settings, String wishes) throws IOException {
        machine.environment.put("LEASEHOLD_MONGODB_URI", "mongodb://user:secret@db.example:27017/?replicaSet=rs");
        machine.mongodAt(KEPT);

        assertThatThrownBy(() -> search().find(settings))
                .isInstanceOf(ReplicaSetUnavailableException.class)
                .hasMessageContaining("LEASEHOLD_MONGODB_URI")
                .hasMessageContaining("db.example:27017")
                .hasMessageContaining(wishes + " cannot be had with it")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @MethodSource("wishesForProcesses")
    void aMongodWillDoForThem(ReplicaSetSettings settings) throws IOException {
        Path kept = machine.mongodAt(KEPT);

        assertThat(search().find(settings).server()).isEqualTo(new Server.Binary(kept));
    }

    private static Stream<Arguments> wishesForProcesses() {
        ReplicaSetSettings withParameter = ONE_NODE.withParameter("transactionLifetimeLimitSeconds", "5");
        return Stream.of(
                arguments(ONE_NODE.withAuthentication(), "authentication"),
                arguments(withParameter, "server parameters {transactionLifetimeLimitSeconds=5}"),
                arguments(
                        withParameter.withAuthentication(),
                        "authentication and server parameters {transactionLifetimeLimitSeconds=5}"));
    }

    @Test
    void whenNothingWorksTheMessageListsAllWaysAndTheirReasons() throws IOException {
        machine.of("Plan 9");
        broken.add(machine.mongodAt("bin/mongod"));

        assertThatThrownBy(this::found)
                .isInstanceOf(ReplicaSetUnavailableException.class)
                .message()
                .satisfies(message -> assertThat(message.lines().skip(1))
                        .satisfiesExactly(
                                line -> assertThat(line).contains("LEASEHOLD_MONGODB_URI: not set"),
                                line -> assertThat(line).contains("LEASEHOLD_MONGOD: not set"),
                                line -> assertThat(line).contains("on the PATH").contains("libmissing.so"),
                                line -> assertThat(line).contains("cache").contains("there is no"),
                                line -> assertThat(line).contains("Docker: nothing answers at"),
                                line -> assertThat(line).contains("wheel").contains("Plan 9 on amd64")));
    }

    @Test
    void aCacheThatCannotBeMadeIsNamedWithWhatIsWrong() throws IOException {
        Files.createSymbolicLink(machine.home.resolve(".cache"), machine.home.resolve("gone"));

        assertThatThrownBy(this::found)
                .isInstanceOf(ReplicaSetUnavailableException.class)
                .hasMessageContaining("FileAlreadyExistsException: " + machine.home.resolve(".cache"));
    }

    @Test
    void aConfiguredMongodThatCannotBeTriedIsNamedWithWhatIsWrong() throws IOException {
        Path configured = machine.mongodAt("own/mongod");
        machine.environment.put("LEASEHOLD_MONGOD", configured.toString());

        assertThatThrownBy(() -> Search.in(
                                machine.hostEnvironment(),
                                mongod -> {
                                    throw new NoSuchFileException("/tmp/blank/leasehold-1.out");
                                },
                                this::fetchImage,
                                folder -> folder)
                        .find(ONE_NODE))
                .isInstanceOf(ReplicaSetUnavailableException.class)
                .hasMessageContaining("NoSuchFileException: /tmp/blank/leasehold-1.out");
    }

    /** As a name with letters that the locale of this JVM has not. */
    @Test
    void aFolderOnThePathOrForTheCacheThatIsNoPathHereIsPassedOver() throws IOException {
        machine.environment.merge("PATH", "/home/\0/bin:", (path, odd) -> odd + path);
        machine.environment.put("XDG_CACHE_HOME", "/home/\0/cache");
        Path onPath = machine.mongodAt("bin/mongod");
        Path kept = machine.mongodAt(KEPT);

        assertThat(found()).isEqualTo(new Server.Binary(onPath));
        Files.delete(onPath);
        assertThat(found()).isEqualTo(new Server.Binary(kept));
    }

    @Test
    void aConfiguredMongodThatIsNoPathHereIsAnError() {
        machine.environment.put("LEASEHOLD_MONGOD", "/home/\0/mongod");

        assertThatThrownBy(this::found)
                .isInstanceOf(ReplicaSetUnavailableException.class)
                .hasMessageContaining("LEASEHOLD_MONGOD")
                .hasMessageContaining("is no path in the locale of this JVM");
    }

    /** The JVM's home of a user that the machine does not know, as in a container, is a question mark. */
    @ParameterizedTest
    @ValueSource(strings = {"?", ""})
    void withoutAHomeNothingIsFetchedIntoTheWorkingFolder(String home) {
        machine = new Machine(Path.of(home));
        machine.environment.put("DOCKER_HOST", "tcp://127.0.0.1:1");

        assertThatThrownBy(this::found)
                .isInstanceOf(ReplicaSetUnavailableException.class)
                .hasMessageContaining("there is no home folder to keep it in: set XDG_CACHE_HOME");
        assertThat(machine.home.resolve(".cache")).doesNotExist();
    }

    private Server found() {
        return search().find(ONE_NODE).server();
    }

    private Search search() {
        return Search.in(machine.hostEnvironment(), this::version, this::fetchImage, folder -> {
            throw new IOException("no network");
        });
    }

    private String version(Path mongod) throws IOException {
        if (broken.contains(mongod)) {
            throw new IOException("libmissing.so: cannot open shared object file");
        }
        return "6.0.5";
    }

    private void fetchImage() throws IOException {
        if (!imageExists) {
            throw new IOException("no such image");
        }
    }
}
