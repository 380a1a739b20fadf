package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftoversTest {

    private static final String PROGRAM = "/opt/mongod";
    private static final String OWN_PREFIX = "run-77-";

    @TempDir
    private Path base;

    private Path run;
    private Path data;
    private FakeProcess process;

    @BeforeEach
    void aDeadJvmLeftOneProcess() throws IOException {
        run = Files.createDirectory(base.resolve("run-12-345-x"));
        data = Files.createDirectories(run.resolve("set-1/node-0"));
        Files.createFile(run.resolve("lock"));
        process = new FakeProcess(4711, PROGRAM, "--dbpath", data.toString());
    }

    @Nested
    @DisplayName("What is ended")
    class Ended {

        @Test
        void theServerOnItsDataIsEndedAndTheFolderDeleted() throws IOException {
            sweepWith(process);

            assertThat(process.isEnded()).isTrue();
            assertThat(run).doesNotExist();
        }

        @Test
        void aFolderWithoutALockIsDeleted() throws IOException {
            Files.delete(run.resolve("lock"));

            sweepWith(process);

            assertThat(process.isEnded()).isTrue();
            assertThat(run).doesNotExist();
        }
    }

    @Nested
    @DisplayName("What is left alone")
    class LeftAlone {

        @Test
        void anotherProgramThatReadsItsData() throws IOException {
            assertIsLeftAlone(new FakeProcess(4711, "/usr/bin/tail", "-f", data.toString()));
        }

        @Test
        void aServerOnOtherData() throws IOException {
            assertIsLeftAlone(new FakeProcess(4711, PROGRAM, "--dbpath", "/var/lib/mongodb"));
        }

        /** Such as one with letters that the locale of this JVM has not. */
        @Test
        void aServerOnDataWhoseNameIsNoPathHere() throws IOException {
            assertIsLeftAlone(new FakeProcess(4711, PROGRAM, "--dbpath", "/data/\0/db"));
        }

        @Test
        void aServerOfAnotherRun() throws IOException {
            assertIsLeftAlone(new FakeProcess(
                    4711,
                    PROGRAM,
                    "--dbpath",
                    base.resolve("run-12-345-xy/set-1/node-0").toString()));
        }

        @Test
        void aProgramThatEndsInTheNameOfTheArgument() throws IOException {
            assertIsLeftAlone(new FakeProcess(4711, "/usr/bin/echo", "--dbpath"));
        }

        @Test
        void theRunOfThisJvm() throws IOException {
            Path own = Files.createDirectory(base.resolve(OWN_PREFIX + "888-y"));

            sweepWith(process);

            assertThat(own).exists();
        }

        @Test
        void whatHasAnotherName() throws IOException {
            Path other = Files.createDirectory(base.resolve("photos"));

            sweepWith(process);

            assertThat(other).exists();
        }

        @Test
        void whatALinkPointsTo(@TempDir Path elsewhere) throws IOException {
            Path precious = Files.createFile(elsewhere.resolve("precious"));
            Files.createSymbolicLink(data.resolve("link"), elsewhere);

            sweepWith(process);

            assertThat(run).doesNotExist();
            assertThat(precious).exists();
        }

        private void assertIsLeftAlone(FakeProcess stranger) throws IOException {
            sweepWith(stranger);

            assertThat(stranger.isEnded()).isFalse();
            assertThat(run).doesNotExist();
        }
    }

    private void sweepWith(FakeProcess running) throws IOException {
        new LeftoverSweep(() -> Stream.of(running)).sweep(base, OWN_PREFIX);
    }
}
