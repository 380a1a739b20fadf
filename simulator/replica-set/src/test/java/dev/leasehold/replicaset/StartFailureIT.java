package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StartFailureIT {

    @TempDir
    private Path folder;

    @Test
    void theTailOfTheLogIsShown() throws IOException {
        Path server = serverThat("for i in $(seq 1 50); do echo line $i; done; exit 14");

        assertThatThrownBy(() -> LocalDeployment.start(server, ReplicaSetSettings.ofNodes(1)))
                .isInstanceOf(ReplicaSetUnavailableException.class)
                .hasMessageContaining("ended with code 14")
                .hasMessageContaining("line 31\n")
                .hasMessageEndingWith("line 50")
                .hasMessageNotContaining("line 30\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"echo address in use; exit 48", "echo Address already in use: address in use; exit 134"})
    void portsThatAreTakenAreTriedAgainButNotForEver(String script) throws IOException {
        Path server = serverThat(script);

        assertThatThrownBy(() -> LocalDeployment.start(server, ReplicaSetSettings.ofNodes(3)))
                .isInstanceOf(ReplicaSetUnavailableException.class)
                .hasMessageContaining("no port stays free")
                .hasMessageContaining("address in use");
    }

    @Test
    void aStartThatIsInterruptedLeavesNoProcessBehind() throws IOException {
        Path server = serverThat("exec sleep 600");
        RunFolder.ofThisJvm();
        long before = ProcessHandle.current().children().count();

        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> LocalDeployment.start(server, ReplicaSetSettings.ofNodes(3)))
                .isInstanceOf(ReplicaSetUnavailableException.class)
                .hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(ProcessHandle.current().children()).hasSize((int) before);
    }

    @Test
    void aServerEndsThoughTheCommonPoolIsBusy() {
        CountDownLatch over = new CountDownLatch(1);
        for (int i = 0; i < ForkJoinPool.getCommonPoolParallelism(); i++) {
            ForkJoinPool.commonPool().execute(() -> awaitOn(over));
        }
        try {
            ReplicaSet.start(ReplicaSetSettings.ofNodes(1)).close();
        } finally {
            over.countDown();
        }
    }

    private static void awaitOn(CountDownLatch over) {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aCommandThatIsInterruptedSaysSo() {
        ReplicaSet set = ReplicaSet.shared();
        Node node = set.node(0);

        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> node.activate(FailPoint.failCommands("ping").closingConnection()))
                .isInstanceOf(ReplicaSetUnavailableException.class)
                .hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    private Path serverThat(String script) throws IOException {
        Path server = Files.writeString(folder.resolve("mongod"), "#!/bin/sh\n" + script + "\n");
        return Files.setPosixFilePermissions(server, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
