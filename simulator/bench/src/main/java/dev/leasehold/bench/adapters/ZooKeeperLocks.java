package dev.leasehold.bench.adapters;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** Curator's mutex in ZooKeeper, which belongs to a thread and is granted in the order of the requests. */
final class ZooKeeperLocks implements Locks {

    private static final int CONNECT_MILLIS = 15_000;
    private static final int FIRST_PAUSE_MILLIS = 100;
    private static final int RETRIES = 5;
    private final CuratorFramework client;
    private final String namespace;

    ZooKeeperLocks(Access access, String namespace, Duration length) {
        this.client = CuratorFrameworkFactory.newClient(
                ServerAddresses.needed(access.place().zooKeeper(), "ZooKeeper"),
                Math.toIntExact(length.toMillis()),
                CONNECT_MILLIS,
                new ExponentialBackoffRetry(FIRST_PAUSE_MILLIS, RETRIES));
        this.namespace = namespace;
        client.start();
    }

    @Override
    public Held acquire(String name) throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(client, "/" + namespace + "/" + name);
        if (!mutex.acquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("'" + name + "' was not free for " + PATIENCE_SECONDS + " s");
        }
        return mutex::release;
    }

    @Override
    public Held acquireForAnyThread(String name) throws Exception {
        return OwnThread.hold(name, () -> acquire(name));
    }

    @Override
    public void close() {
        client.close();
    }
}
