package dev.leasehold.engine.internal.mongo;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.abort;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.leasehold.engine.UnsupportedDeploymentException;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is no member of a replica set. */
@WithReplicaSet
class StandaloneIT {

    /** Another process may take a port that was free. */
    private static final int TRIES_MAX = 5;

    @Test
    void aStandaloneServerIsRefused(ReplicaSet set, @TempDir Path folder) throws IOException, InterruptedException {
        String mongod = mongodOf(set);
        int port = freePort();
        Process standalone = start(mongod, port, folder);
        for (int tries = 1; !isReady(standalone, folder) && tries < TRIES_MAX; tries++) {
            port = freePort();
            standalone = start(mongod, port, folder);
        }
        try (MongoClient client = MongoClients.create("mongodb://127.0.0.1:" + port)) {
            MongoLeaseStore store = new MongoLeaseStore(
                    client,
                    "shop",
                    "leases",
                    Partition.whole("billing"),
                    Duration.ofSeconds(5).toNanos(),
                    "test",
                    1_000);

            assertThatExceptionOfType(UnsupportedDeploymentException.class)
                    .isThrownBy(store::open)
                    .withMessageContaining("standalone");
        } finally {
            standalone.destroyForcibly().waitFor();
        }
    }

    /** The program of the shared set's node, if it is a process that this JVM started. */
    private static String mongodOf(ReplicaSet set) {
        Optional<String> program = ProcessHandle.current()
                .children()
                .flatMap(child -> child.info().command().stream())
                .filter(command -> command.endsWith("mongod"))
                .findFirst();
        return program.orElseGet(() -> abort("needs a mongod of this machine; the set is " + set.nodes()));
    }

    private static Process start(String mongod, int port, Path folder) throws IOException {
        return new ProcessBuilder(
                        mongod,
                        "--bind_ip",
                        "127.0.0.1",
                        "--port",
                        "" + port,
                        "--dbpath",
                        folder.toString(),
                        "--nounixsocket")
                .redirectErrorStream(true)
                .redirectOutput(log(folder).toFile())
                .start();
    }

    /** Waits until it takes connections, or has ended. */
    private static boolean isReady(Process process, Path folder) {
        Awaitility.await()
                .until(() -> !process.isAlive() || Files.readString(log(folder)).contains("Waiting for connections"));
        return process.isAlive();
    }

    private static Path log(Path folder) {
        return folder.resolve("standalone.log");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
