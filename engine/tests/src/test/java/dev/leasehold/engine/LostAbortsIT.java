package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.leasehold.replicaset.Node;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Gated transactions in the middle of which the primary stands still, on a server that never ends one by itself. */
@WithOwnReplicaSet(nodes = 1, parameters = "transactionLifetimeLimitSeconds=3600")
class LostAbortsIT {

    private static final int LEASES = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Half of them by the engine, half by the caller. */
    private static void transaction(Lease lease, int number, MongoClient client, Runnable body) {
        try (ClientSession session = client.startSession()) {
            if (number % 2 == 0) {
                lease.inTransaction(session, same -> {
                    body.run();
                    return write(client, same, lease);
                });
                return;
            }
            try {
                session.withTransaction(() -> {
                    lease.assertion().check(session);
                    body.run();
                    return write(client, session, lease);
                });
            } catch (RuntimeException e) {
                lease.endAbandoned(session);
                throw e;
            }
        }
    }

    private static boolean write(MongoClient client, ClientSession session, Lease lease) {
        return reports(client)
                .insertOne(session, new Document("of", lease.name()))
                .wasAcknowledged();
    }

    private static MongoCollection<Document> reports(MongoClient client) {
        return client.getDatabase("lost-aborts").getCollection("reports");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("the test is over", e);
        }
    }

    @Test
    @DisplayName(
            "After the primary stood still for longer than the client waits, no lease of a gated transaction stays blocked")
    void noLeaseStaysBlocked(ReplicaSet set, TestDatabase database) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        MongoClient client = database.newClient(settings -> settings.timeout(3, TimeUnit.SECONDS));
        reports(client).insertOne(new Document("of", "none"));
        try (LeaseEngine engine = Engines.start(LeaseEngine.builder(client)
                .database(database.name())
                .namespace(Engines.NAMESPACE)
                .instance("a"))) {
            WatchedLease unrelated = new WatchedLease(engine.acquire(
                    LeaseRequest.of("unrelated").term(Duration.ofSeconds(30)).waitAtMost(PATIENCE)));
            List<Lease> leases = new ArrayList<>();
            for (int number = 0; number < LEASES; number++) {
                leases.add(engine.acquire(LeaseRequest.of("gated-" + number).waitAtMost(PATIENCE)));
            }
            Node primary = set.primary();

            CountDownLatch inside = new CountDownLatch(LEASES);
            CountDownLatch frozen = new CountDownLatch(1);
            List<Future<?>> transactions = new ArrayList<>();
            for (int number = 0; number < LEASES; number++) {
                int own = number;
                transactions.add(threads.submit(() -> transaction(leases.get(own), own, client, () -> {
                    inside.countDown();
                    await(frozen);
                })));
            }
            await(inside);
            primary.pause();
            try {
                frozen.countDown();
                // Once for the statement, and once for the abort: six seconds.
                for (Future<?> transaction : transactions) {
                    assertThatThrownBy(() -> transaction.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                            .isNotNull();
                }
            } finally {
                primary.resume();
            }

            for (int number = 0; number < LEASES; number++) {
                int own = number;
                Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> {
                    transaction(leases.get(own), own, client, () -> {});
                    return true;
                });
            }
            assertThat(leases).allMatch(Lease::isHeld);
            assertThat(unrelated.losses()).isEmpty();
            assertThat(unrelated.lease().isHeld()).isTrue();
            for (Lease lease : leases) {
                lease.close();
                assertThat(engine.acquire(LeaseRequest.of(lease.name()).waitAtMost(PATIENCE))
                                .isHeld())
                        .isTrue();
            }
            unrelated.close();
        } finally {
            threads.shutdownNow();
            client.getDatabase("lost-aborts").drop();
        }
    }

    @Test
    @DisplayName(
            "What a failed transaction may have left is ended apart from callbacks, which an outage must not delay")
    void abortsAreApartFromCallbacks(TestDatabase database) throws InterruptedException {
        List<Runnable> callbacks = new CopyOnWriteArrayList<>();
        Set<String> senders = ConcurrentHashMap.newKeySet();
        MongoClient client = database.newClient(settings -> settings.addCommandListener(new CommandListener() {
            @Override
            public void commandStarted(CommandStartedEvent event) {
                senders.add(Thread.currentThread().getName());
            }
        }));
        try (LeaseEngine engine = Engines.start(LeaseEngine.builder(client)
                        .database(database.name())
                        .namespace(Engines.NAMESPACE)
                        .instance("a")
                        .callbackExecutor(task -> {
                            callbacks.add(task);
                            new Thread(task).start();
                        }));
                ClientSession session = client.startSession()) {
            Lease lease = engine.acquire(LeaseRequest.of("gated"));
            callbacks.clear();

            assertThatThrownBy(() -> lease.inTransaction(session, same -> {
                        throw new UncheckedIOException(new IOException("no paper"));
                    }))
                    .isInstanceOf(UncheckedIOException.class);

            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> senders.stream().anyMatch(sender -> sender.startsWith("leasehold-billing-abort")));
            assertThat(callbacks).isEmpty();
        }
    }
}
