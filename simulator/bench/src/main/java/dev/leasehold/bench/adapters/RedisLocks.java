package dev.leasehold.bench.adapters;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Locks of Redisson, kept by its watchdog. */
final class RedisLocks implements Locks {

    private final RedissonClient client;
    private final String namespace;
    private final boolean isFair;
    private final AtomicLong owners = new AtomicLong();

    RedisLocks(Access access, String namespace, Duration length, boolean isFair) {
        Config config = new Config();
        config.setLockWatchdogTimeout(length.toMillis());
        config.useSingleServer()
                .setAddress(ServerAddresses.needed(access.place().redis(), "Redis"));
        this.client = Redisson.create(config);
        this.namespace = namespace;
        this.isFair = isFair;
    }

    @Override
    public Held acquire(String name) throws InterruptedException, ExecutionException, TimeoutException {
        String key = namespace + ":" + name;
        RLock lock = isFair ? client.getFairLock(key) : client.getLock(key);
        // A lock belongs to a thread by its number; here each acquisition is an owner of its own, as with the others.
        long owner = owners.incrementAndGet();
        await(lock.lockAsync(owner));
        return () -> await(lock.unlockAsync(owner));
    }

    private static void await(CompletionStage<Void> stage)
            throws InterruptedException, ExecutionException, TimeoutException {
        stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
