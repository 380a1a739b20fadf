package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndOfJvmIT {

    @TempDir
    private Path folder;

    private Path server;

    @BeforeEach
    void serverThatRunsHere() {
        Server found = Search.inThisJvm(ReplicaSetSettings.ofNodes(1));
        assumeThat(found).isInstanceOf(Server.Binary.class);
        server = ((Server.Binary) found).mongod();
    }

    @Test
    void nothingIsLeftWhenTheMainMethodReturns() throws Exception {
        try (OtherJvm jvm = OtherJvm.start(folder, server, "run")) {
            assertThat(runFolders()).hasSize(1);

            assertThat(jvm.end()).isZero();

            assertThat(Mongods.isRunning(jvm.mongod())).isFalse();
            assertThat(runFolders()).isEmpty();
        }
    }

    @Test
    void nothingIsLeftWhenTheClassLoaderOfTheProgramIsClosedFirst() throws Exception {
        try (OtherJvm jvm = OtherJvm.start(folder, server, SetHolder.OWN_LOADER)) {
            assertThat(jvm.end()).isZero();

            assertThat(Mongods.isRunning(jvm.mongod())).isFalse();
            assertThat(runFolders()).isEmpty();
            // The driver, whose client is still open, can no longer log that its server has gone.
            assertThat(jvm.errors()).noneMatch(line -> line.contains("dev.leasehold."));
        }
    }

    @Test
    void nothingIsLeftAndNothingThrownAfterASignal() throws Exception {
        try (OtherJvm jvm = OtherJvm.start(folder, server, "run")) {
            jvm.terminate();

            assertThat(Mongods.isRunning(jvm.mongod())).isFalse();
            assertThat(runFolders()).isEmpty();
            assertThat(jvm.errors()).allMatch(line -> line.startsWith("leasehold: "));
        }
    }

    @Test
    void nothingIsLeftAfterAnExitWithAPausedNode() throws Exception {
        try (OtherJvm jvm = OtherJvm.start(folder, server, "pause")) {
            assertThat(jvm.exit()).isEqualTo(3);

            assertThat(Mongods.isRunning(jvm.mongod())).isFalse();
            assertThat(runFolders()).isEmpty();
        }
    }

    @Test
    void whatAKilledJvmLeftIsCleanedUpByTheNextAndNothingElse() throws Exception {
        try (OtherJvm bystander = OtherJvm.start(folder, server, "run");
                OtherJvm killed = OtherJvm.start(folder, wrapped(server), "pause")) {
            killed.kill();
            assertThat(Mongods.isRunning(killed.mongod())).isTrue();
            assertThat(runFolders()).hasSize(2);

            try (OtherJvm next = OtherJvm.start(folder, server, "run")) {
                assertThat(Mongods.isRunning(killed.mongod())).isFalse();
                assertThat(Mongods.isRunning(bystander.mongod())).isTrue();
                assertThat(Mongods.isRunning(next.mongod())).isTrue();
                assertThat(runFolders()).hasSize(2);
            }
        }
    }

    @Test
    void whereTheServerComesFromIsSaidInOneLine() throws Exception {
        try (OtherJvm jvm = OtherJvm.start(folder, server, "run")) {
            assertThat(jvm.errors().stream().filter(line -> line.startsWith("leasehold:")))
                    .singleElement()
                    .asString()
                    .contains("LEASEHOLD_MONGOD", server.toString());
        }
    }

    /** Many a mongod on a PATH is a script that becomes the real one. */
    private Path wrapped(Path mongod) throws IOException {
        Path script = Files.writeString(folder.resolve("mongod"), "#!/bin/sh\nexec '%s' \"$@\"\n".formatted(mongod));
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private List<Path> runFolders() throws IOException {
        try (Stream<Path> files = Files.walk(folder, 2)) {
            return files.filter(file -> file.getFileName().toString().startsWith("run-"))
                    .toList();
        }
    }
}
