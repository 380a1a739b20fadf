package dev.leasehold.bench.adapters;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.mongo.MongoLockProvider;

/** Locks of ShedLock. It cannot wait, so a caller that wants to has to ask again. */
final class ShedLocks implements Locks {

    private final MongoClient client;
    private final MongoLockProvider provider;
    private final Duration length;

    ShedLocks(Access access, String namespace, Duration length) {
        this.client = access.newClient();
        this.provider =
                new MongoLockProvider(client.getDatabase(access.database()).getCollection("shedlock-" + namespace));
        this.length = length;
    }

    @Override
    public Held acquire(String name) throws InterruptedException {
        SimpleLock lock =
                Polling.until(() -> provider.lock(new LockConfiguration(Instant.now(), name, length, Duration.ZERO)));
        return lock::unlock;
    }

    @Override
    public void close() {
        client.close();
    }
}
