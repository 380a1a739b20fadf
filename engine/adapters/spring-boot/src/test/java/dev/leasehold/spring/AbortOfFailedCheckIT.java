package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.Node;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.transaction.support.TransactionTemplate;

/** Gated transactions of the manager, before whose check the primary stands still, on a server that never ends one by itself. */
@WithOwnReplicaSet(nodes = 1, parameters = "transactionLifetimeLimitSeconds=3600")
class AbortOfFailedCheckIT {

    private static final int LEASES = 4;
    private static final String REPORTS = "reports";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("the test is over", e);
        }
    }

    @Test
    @DisplayName(
            "After the check at the commit and the abort were lost in a primary that stood still, no lease stays blocked")
    void noLeaseStaysBlocked(ReplicaSet set, TestDatabase database) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        MongoClient client = database.newClient(settings -> settings.timeout(3, TimeUnit.SECONDS));
        var factory = new SimpleMongoClientDatabaseFactory(client, database.name());
        var manager = new LeaseTransactionManager(factory);
        var template = new MongoTemplate(factory);
        template.insert(new Document("of", "none"), REPORTS);
        try (LeaseEngine engine = LeaseEngine.builder(client)
                .database(database.name())
                .namespace("shop")
                .build()) {
            List<Lease> leases = new ArrayList<>();
            for (int number = 0; number < LEASES; number++) {
                leases.add(engine.tryAcquire("gated-" + number).orElseThrow());
            }
            Node primary = set.primary();

            CountDownLatch inside = new CountDownLatch(LEASES);
            CountDownLatch frozen = new CountDownLatch(1);
            List<Future<?>> transactions = new ArrayList<>();
            for (Lease lease : leases) {
                transactions.add(threads.submit(() -> gated(manager, template, lease, () -> {
                    inside.countDown();
                    await(frozen);
                })));
            }
            await(inside);
            primary.pause();
            try {
                frozen.countDown();
                // Once for the check, and once for the abort: six seconds.
                for (Future<?> transaction : transactions) {
                    assertThatThrownBy(() -> transaction.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                            .isInstanceOf(ExecutionException.class);
                }
            } finally {
                primary.resume();
            }

            for (Lease lease : leases) {
                Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> {
                    gated(manager, template, lease, () -> {});
                    return true;
                });
            }
            assertThat(leases).allMatch(Lease::isHeld);
        } finally {
            threads.shutdownNow();
        }
    }

    private static void gated(LeaseTransactionManager manager, MongoTemplate template, Lease lease, Runnable body) {
        new TransactionTemplate(manager).executeWithoutResult(status -> {
            manager.gate(lease);
            template.insert(new Document("of", lease.name()), REPORTS);
            body.run();
        });
    }
}
