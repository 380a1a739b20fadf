package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.granted;
import static dev.leasehold.engine.TestEngine.refused;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Operations that share a transaction do not share each other's misfortune. */
@WithReplicaSet
class BatchFateIT {

    private static final int WRITE_CONFLICT = 112;
    private static final int CLAIMS = 100;

    private final ExecutorService callers = Executors.newCachedThreadPool();
    private TestDatabase database;
    private Engines engines;
    private TestEngine a;
    private volatile @Nullable ForeignTransaction open;

    @BeforeEach
    void start(TestDatabase fresh) throws InterruptedException {
        database = fresh;
        engines = new Engines(database);
        a = engines.start("a");
        a.claims("registered", "h", ofSeconds(60));
    }

    @AfterEach
    void check() {
        callers.shutdownNow();
        end(open);
        engines.close();
    }

    private void end(@Nullable ForeignTransaction transaction) {
        if (transaction != null) {
            transaction.close();
        }
        open = null;
    }

    private CompletableFuture<LeaseResult> claim(String name) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return a.engine().tenures().claim(name, "h", ofSeconds(60));
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                callers);
    }

    /** Holds the engine's thread in a claim of its own until all these claims are queued behind it. */
    private List<CompletableFuture<LeaseResult>> claimTogether(List<String> names) throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch queued = new CountDownLatch(1);
        a.hooks().once(Point.BEFORE_UPDATE, () -> {
            held.countDown();
            assertThat(queued.await(30, TimeUnit.SECONDS)).isTrue();
        });
        CompletableFuture<LeaseResult> first = claim("first");
        assertThat(held.await(30, TimeUnit.SECONDS)).isTrue();
        List<CompletableFuture<LeaseResult>> claims = new ArrayList<>();
        names.forEach(name -> claims.add(claim(name)));
        a.runtime().untilCallersWait(1 + names.size());
        queued.countDown();
        granted(first.get(1, TimeUnit.MINUTES));
        return claims;
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>();
        for (int number = 0; number < CLAIMS; number++) {
            names.add("lease " + number);
        }
        return names;
    }

    @Test
    void oneConflictDoesNotTearABatchApart() throws Exception {
        long before = engines.ticks();
        a.hooks()
                .once(
                        Point.AFTER_COMMIT,
                        () -> database.activate(FailPoint.failCommands("update")
                                .withErrorCode(WRITE_CONFLICT)
                                .withErrorLabels("TransientTransactionError")
                                .times(1)
                                .forAppName(database.name())));

        for (CompletableFuture<LeaseResult> claim : claimTogether(names())) {
            granted(claim.get(1, TimeUnit.MINUTES));
        }

        assertThat(engines.ticks() - before)
                .as("the first claim, and all the others")
                .isEqualTo(2);
    }

    @Test
    @DisplayName("A lease that a caller's open transaction holds delays only itself: the others are answered meanwhile")
    void theOthersAreAnsweredWhileOneLeaseIsHeldByAnOpenTransaction() throws Exception {
        Tenure former = a.claims("lease 42", "h", ofSeconds(60));
        a.releases(former);
        long before = engines.ticks();
        open = ForeignTransaction.on(engines, former.leaseId());

        List<CompletableFuture<LeaseResult>> claims = claimTogether(names());
        CompletableFuture<LeaseResult> blocked = claims.remove(42);
        for (CompletableFuture<LeaseResult> claim : claims) {
            granted(claim.get(1, TimeUnit.MINUTES));
        }

        assertThat(blocked).isNotDone();
        assertThat(engines.ticks() - before)
                .as("the first claim, and halves of halves")
                .isLessThanOrEqualTo(1 + 7);
        end(open);
        assertThat(granted(blocked.get(1, TimeUnit.MINUTES)).token()).isEqualTo(2);
    }

    @Test
    @DisplayName("However long the clock is held, those that share a transaction go on sharing it")
    void aBlockedClockDividesNothing() throws Exception {
        long before = engines.ticks();
        a.hooks().once(Point.AFTER_COMMIT, () -> open = ForeignTransaction.on(engines, Engines.NAMESPACE));
        int tries = a.hooks().transactions().size() + 1;
        a.hooks().always(Point.BEFORE_UPDATE, () -> {
            if (a.hooks().transactions().size() == tries + 9) {
                end(open);
            }
        });

        for (CompletableFuture<LeaseResult> claim : claimTogether(names())) {
            granted(claim.get(1, TimeUnit.MINUTES));
        }

        assertThat(a.hooks().transactions().size() - tries)
                .as("conflicts, and the last one")
                .isEqualTo(9);
        assertThat(engines.ticks() - before)
                .as("the first claim, and all the others")
                .isEqualTo(2);
    }

    @Test
    void whatTheDatabaseRefusesForOneIsGrantedToTheOthers() throws Exception {
        database.database()
                .runCommand(new Document("collMod", Engines.COLLECTION)
                        .append("validator", new Document("name", new Document("$ne", "bad"))));

        List<CompletableFuture<LeaseResult>> claims = claimTogether(List.of("good", "bad", "better"));

        granted(claims.get(0).get(1, TimeUnit.MINUTES));
        granted(claims.get(2).get(1, TimeUnit.MINUTES));
        assertThatThrownBy(() -> claims.get(1).get(1, TimeUnit.MINUTES)).hasCauseInstanceOf(LeaseStoreException.class);
    }

    @Test
    void anExtendThatIsRefusedForGoodEndsTheValidity() throws InterruptedException {
        TestEngine b = engines.start("b");
        Tenure tenure = a.claims("name", "h", ofSeconds(60));
        b.releases(tenure);
        b.claims("name", "h2", ofSeconds(60));

        refused(a.engine().tenures().extend(tenure, ofSeconds(90)), Reason.NOT_THAT_TENURE);

        assertThat(a.engine().tenures().isHeld(tenure)).isFalse();
    }
}
