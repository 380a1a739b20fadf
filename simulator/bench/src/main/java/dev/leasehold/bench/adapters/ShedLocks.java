package dev.leasehold.bench.adapters;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.mongo.MongoLockProvider;
import net.javacrumbs.shedlock.support.KeepAliveLockProvider;

/** Locks of ShedLock. It cannot wait, so a caller that wants to has to ask again. */
final class ShedLocks implements Locks {

    private static final int THREADS = 32;

    private final MongoClient client;
    /** Without threads where nothing is extended. */
    private final ScheduledExecutorService extending = Executors.newScheduledThreadPool(THREADS);

    private final LockProvider provider;
    private final Duration length;

    private ShedLocks(Access access, String namespace, Duration length, boolean isExtended) {
        this.client = access.newClient();
        MongoLockProvider mongo =
                new MongoLockProvider(client.getDatabase(access.database()).getCollection("shedlock-" + namespace));
        this.provider = isExtended ? new KeepAliveLockProvider(mongo, extending) : mongo;
        this.length = length;
    }

    /** Locks that are held for the length at most. */
    static ShedLocks notExtended(Access access, String namespace, Duration length) {
        return new ShedLocks(access, namespace, length, false);
    }

    /** Locks that are extended by ShedLock's wrapper for that. */
    static ShedLocks extended(Access access, String namespace, Duration length) {
        return new ShedLocks(access, namespace, length, true);
    }

    @Override
    public Held acquire(String name) throws InterruptedException {
        SimpleLock lock =
                Polling.until(() -> provider.lock(new LockConfiguration(Instant.now(), name, length, Duration.ZERO)));
        return lock::unlock;
    }

    @Override
    public void close() {
        extending.shutdownNow();
        try {
            extending.awaitTermination(length.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        client.close();
    }
}
