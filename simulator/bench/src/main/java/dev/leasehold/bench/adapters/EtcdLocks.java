package dev.leasehold.bench.adapters;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.support.CloseableClient;
import io.etcd.jetcd.support.Observers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Locks of etcd, all kept by one lease of etcd, as its own concurrency package does it for a session. */
final class EtcdLocks implements Locks {

    private final Client client;
    private final String namespace;
    private final long lease;
    private final CloseableClient renewal;

    EtcdLocks(Access access, String namespace, Duration length)
            throws InterruptedException, ExecutionException, TimeoutException {
        this.client = Client.builder()
                .endpoints(ServerAddresses.needed(access.place().etcd(), "etcd").split(","))
                .build();
        this.namespace = namespace;
        this.lease = answer(client.getLeaseClient().grant(length.toSeconds())).getID();
        this.renewal = client.getLeaseClient().keepAlive(lease, Observers.observer(response -> {}));
    }

    @Override
    public Held acquire(String name) throws InterruptedException, ExecutionException, TimeoutException {
        ByteSequence lock = ByteSequence.from(namespace + "/" + name, StandardCharsets.UTF_8);
        ByteSequence key = answer(client.getLockClient().lock(lock, lease)).getKey();
        return () -> answer(client.getLockClient().unlock(key));
    }

    private static <T> T answer(CompletableFuture<T> future)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        renewal.close();
        client.close();
    }
}
