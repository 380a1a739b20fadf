package dev.leasehold.bench.adapters;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.provider.mongo.MongoLockProvider;
import net.javacrumbs.shedlock.support.KeepAliveLockProvider;

/** Locks that are extended by ShedLock's wrapper for that. */
final class ShedHolders implements Holders {

    private static final int THREADS = 32;

    private final MongoClient client;
    private final KeepAliveLockProvider provider;
    private final ScheduledExecutorService extending = Executors.newScheduledThreadPool(THREADS);
    private final Duration length;

    ShedHolders(Access access, Duration length) {
        this.client = access.newClient();
        this.provider = new KeepAliveLockProvider(
                new MongoLockProvider(client.getDatabase(access.database()).getCollection("holders-shedlock")),
                extending);
        this.length = length;
    }

    @Override
    public void hold(int locks) {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> asked = new ArrayList<>();
        for (int number = 0; number < locks; number++) {
            String name = "held-" + number;
            asked.add(threads.submit(
                    () -> provider.lock(new LockConfiguration(Instant.now(), name, length, Duration.ZERO))
                            .orElseThrow()));
        }
        Futures.awaitAll(asked);
        threads.shutdown();
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
