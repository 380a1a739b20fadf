package dev.leasehold.bench.contest;

import com.mongodb.client.MongoClient;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
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

/** A library that keeps many locks held, until it is closed. */
public interface Holders extends AutoCloseable {

    /** Acquires so many locks. */
    void hold(int locks) throws Exception;

    @Override
    void close();

    /** {@return leases kept by one session} */
    static Holders ofSessions(Access access, Duration length) {
        return new Sessions(access, length);
    }

    /** {@return locks that ShedLock extends} */
    static Holders ofShedLock(Access access, Duration length) {
        return new KeptAlive(access, length);
    }

    /** {@return fenced locks that their manager confirms} */
    static Holders ofFencedLock(Access access, Duration length) {
        return new Confirmed(access, length);
    }

    /** Leases of an engine. */
    final class Sessions implements Holders {

        private static final Duration PATIENCE = Duration.ofMinutes(1);
        private static final int AT_ONCE = 1_000;

        private final MongoClient client;
        private final LeaseEngine engine;

        Sessions(Access access, Duration length) {
            this.client = access.newClient();
            this.engine = LeaseholdLocks.engine(client, access, "holders-session", length);
        }

        @Override
        public void hold(int locks) {
            for (int first = 0; first < locks; first += AT_ONCE) {
                List<Future<Lease>> asked = new ArrayList<>();
                for (int number = first; number < Math.min(locks, first + AT_ONCE); number++) {
                    asked.add(engine.acquireAsync(LeaseRequest.of("held-" + number), PATIENCE).toCompletableFuture());
                }
                Futures.awaitAll(asked);
            }
        }

        @Override
        public void close() {
            engine.close();
            client.close();
        }
    }

    /** Locks that are extended by ShedLock's wrapper for that. */
    final class KeptAlive implements Holders {

        private static final int THREADS = 32;

        private final MongoClient client;
        private final KeepAliveLockProvider provider;
        private final ScheduledExecutorService extending = Executors.newScheduledThreadPool(THREADS);
        private final Duration length;

        KeptAlive(Access access, Duration length) {
            this.client = access.newClient();
            this.provider = new KeepAliveLockProvider(
                    new MongoLockProvider(client.getDatabase(access.database()).getCollection("holders-shedlock")), extending);
            this.length = length;
        }

        @Override
        public void hold(int locks) {
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            List<Future<?>> asked = new ArrayList<>();
            for (int number = 0; number < locks; number++) {
                String name = "held-" + number;
                asked.add(threads.submit(() -> provider.lock(
                                new LockConfiguration(Instant.now(), name, length, Duration.ZERO))
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

    /** Fenced locks. */
    final class Confirmed implements Holders {

        private final FencedLocks locks;

        Confirmed(Access access, Duration length) {
            this.locks = FencedLocks.forHolders(access, "holders", length);
        }

        @Override
        public void hold(int count) throws Exception {
            for (int number = 0; number < count; number++) {
                locks.acquire("held-" + number);
            }
        }

        @Override
        public void close() {
            locks.close();
        }
    }
}
