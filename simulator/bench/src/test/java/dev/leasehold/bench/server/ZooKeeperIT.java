package dev.leasehold.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.bench.adapters.Access;
import dev.leasehold.bench.adapters.Held;
import dev.leasehold.bench.adapters.Library;
import dev.leasehold.bench.adapters.Locks;
import dev.leasehold.bench.adapters.ServerAddresses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZooKeeperIT {

    private static final Duration LENGTH = Duration.ofSeconds(30);

    private static Held acquire(Locks locks) {
        try {
            return locks.acquireForAnyThread("x");
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }

    @Test
    void aWaiterInAnotherClientGetsTheLockWhenItIsReleased(@TempDir Path folder) throws Exception {
        try (PeerServer servers = PeerServer.start(ZooKeeper::start, List.of(), folder)) {
            Access access = Access.to(
                    new ServerAddresses("mongodb://127.0.0.1:1", "none", null, servers.address(), null, null));
            try (Locks one = Library.CURATOR.open(access, "billing", LENGTH);
                    Locks other = Library.CURATOR.open(access, "billing", LENGTH)) {
                Held held = acquire(one);
                CompletableFuture<Held> waiting = CompletableFuture.supplyAsync(() -> acquire(other));
                assertThat(waiting).isNotDone();

                held.release();

                waiting.get(1, TimeUnit.MINUTES).release();
                acquire(one).release();
            }
        }
    }
}
