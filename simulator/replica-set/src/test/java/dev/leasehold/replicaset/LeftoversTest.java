package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftoversTest {

    private static final Instant STARTED = Instant.parse("2031-02-03T04:05:06.789Z");
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
        process = new FakeProcess(4711, STARTED, PROGRAM, "--dbpath", data.toString());
        ProcessRecord.of(process, data).write(run.resolve("process-4711"));
    }

    @Nested
    @DisplayName("What is ended")
    class Ended {

        @Test
        void theProcessOfTheRecordIsEndedAndTheFolderDeleted() throws IOException {
            sweepWith(process);

            assertThat(process.isEnded()).isTrue();
            assertThat(run).doesNotExist();
        }

        @Test
        void aStartThatIsAmissByASecondIsTheSameProcess() throws IOException {
            FakeProcess sameAfterClockStep =
                    new FakeProcess(4711, STARTED.plusSeconds(1), PROGRAM, "--dbpath", data.toString());

            sweepWith(sameAfterClockStep);

            assertThat(sameAfterClockStep.isEnded()).isTrue();
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
        void aProcessThatGotThePidLater() throws IOException {
            assertIsLeftAlone(new FakeProcess(4711, STARTED.plusSeconds(60), PROGRAM, "--dbpath", data.toString()));
        }

        @Test
        void anotherProgramUnderThePid() throws IOException {
            assertIsLeftAlone(new FakeProcess(4711, STARTED, "/usr/bin/tail", "-f", data.toString()));
        }

        @Test
        void theSameProgramOnOtherData() throws IOException {
            assertIsLeftAlone(new FakeProcess(4711, STARTED, PROGRAM, "--dbpath", "/var/lib/mongodb"));
        }

        @Test
        void whateverADamagedRecordNames() throws IOException {
            Files.writeString(run.resolve("process-4711"), "pid=4711\nstarted=yesterday\n");

            assertIsLeftAlone(process);
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
        new LeftoverSweep(pid -> Optional.<ProcessHandle>of(running).filter(known -> known.pid() == pid))
                .sweep(base, OWN_PREFIX);
    }
}
