package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.granted;
import static dev.leasehold.engine.TestEngine.refused;
import static dev.leasehold.engine.world.TestClock.Z;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Action;
import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.replicaset.FailPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Operations that come while the engine is busy share the next transaction, and not each other's misfortune. */
class SharedTransactionsIT extends WithAnEngine {

    private static final int WRITE_CONFLICT = 112;

    /** Claims all names so that all calls are waiting before the engine can take any of them. */
    private List<Future<LeaseResult>> claimTogether(Stream<String> names, Action beforeTheyGo) throws Exception {
        List<Future<LeaseResult>> claims = new ArrayList<>();
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch called = new CountDownLatch(1);
        a.hooks().once(Point.BEFORE_COMMIT, () -> {
            busy.countDown();
            await(called);
            a.runtime().untilCallersWait(claims.size() + 1);
            a.hooks().forgetCommands();
            beforeTheyGo.run();
        });
        Future<?> earlier = callers.submit(() -> a.claims("earlier", "h", ofSeconds(60)));
        await(busy);
        names.forEach(name ->
                claims.add(callers.submit(() -> a.engine().tenures().claim(name, "h", ofSeconds(60)))));
        called.countDown();
        get(earlier);
        return claims;
    }

    private static Stream<String> names(int count) {
        return IntStream.range(0, count).mapToObj(number -> "name" + number);
    }

    private static void assertAllGranted(List<Future<LeaseResult>> claims) throws Exception {
        for (Future<LeaseResult> claim : claims) {
            assertThat(granted(get(claim)).token()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("TX-4: 512 claims at once take one transaction, and each has its own answer")
    void manyClaimsShareOneTransaction() throws Exception {
        registered();
        a.claims("name100", "another", ofSeconds(60));
        long ticks = engines.ticks();

        List<Future<LeaseResult>> claims = claimTogether(names(512), () -> {});

        refused(get(claims.remove(100)), Reason.HELD);
        assertAllGranted(claims);
        // The earlier claim's transaction, and the one of all the others.
        assertThat(engines.ticks()).isEqualTo(ticks + 2);
        assertThat(a.hooks().transactions()).hasSize(1);
    }

    @Test
    @DisplayName("TX-4: one conflict does not tear apart what shares a transaction")
    void oneConflictDoesNotTearABatchApart() throws Exception {
        registered();
        long ticks = engines.ticks();

        assertAllGranted(claimTogether(
                names(100),
                () -> engines.fail(FailPoint.failCommands("update")
                        .withErrorCode(WRITE_CONFLICT)
                        .withErrorLabels("TransientTransactionError")
                        .times(1))));

        assertThat(engines.ticks()).isEqualTo(ticks + 2);
    }

    @Test
    @DisplayName("A lease that a caller's open transaction holds delays only itself: the others are answered meanwhile")
    void theOthersAreAnsweredWhileOneLeaseIsHeldByAnOpenTransaction() throws Exception {
        registered();
        Tenure former = a.claims("name42", "h", ofSeconds(60));
        a.releases(former);
        long ticks = engines.ticks();
        Future<LeaseResult> blocked;
        try (ForeignTransaction open = ForeignTransaction.on(engines, former.leaseId())) {
            List<Future<LeaseResult>> claims = claimTogether(names(100), () -> {});
            blocked = claims.remove(42);
            assertAllGranted(claims);

            assertThat(blocked).isNotDone();
            assertThat(engines.ticks())
                    .as("the earlier claim, and halves of halves")
                    .isLessThanOrEqualTo(ticks + 1 + 7);
            open.commits();
        }
        assertThat(granted(get(blocked)).token()).isEqualTo(2);
    }

    @Test
    @DisplayName("A lease with a corrupt document does not stop those that share its transaction")
    void aCorruptLeaseDoesNotStopTheOthers() throws Exception {
        registered();
        a.claims("bad", "h", ofSeconds(60));
        engines.expectCorruptDocuments();
        engines.documents().updateOne(Filters.eq("_id", Engines.NAMESPACE + "#bad"), Updates.unset("token"));

        List<Future<LeaseResult>> claims = claimTogether(Stream.of("good", "bad"), () -> {});

        assertThatThrownBy(() -> get(claims.remove(1))).hasCauseInstanceOf(CorruptDocumentException.class);
        assertAllGranted(claims);
    }

    @Test
    void whatTheDatabaseRefusesForOneIsGrantedToTheOthers() throws Exception {
        registered();
        engines.database()
                .database()
                .runCommand(new Document("collMod", Engines.COLLECTION)
                        .append("validator", new Document("name", new Document("$ne", "bad"))));

        List<Future<LeaseResult>> claims = claimTogether(Stream.of("good", "bad", "better"), () -> {});

        assertThatThrownBy(() -> get(claims.remove(1))).hasCauseInstanceOf(LeaseStoreException.class);
        assertAllGranted(claims);
    }

    @Test
    @DisplayName("TX-7: a claim that had to wait for 5 s still holds for its whole term")
    void aClaimThatWaitedHoldsForItsTerm() throws InterruptedException {
        registered();
        Tenure tenure;
        try (ForeignTransaction open = ForeignTransaction.on(engines, Engines.NAMESPACE)) {
            a.hooks().once(Point.BEFORE_UPDATE, () -> a.clock().advance(ofSeconds(2)));
            a.hooks().always(Point.BEFORE_UPDATE, () -> {
                if (a.hooks().transactions().size() == 3) {
                    open.commits();
                }
            });
            a.hooks().once(Point.BEFORE_COMMIT, () -> a.clock().advance(ofSeconds(3)));

            tenure = a.claims("name", "h", ofSeconds(60));
        }

        // Decided for the last time 2 s after the call began, answered 5 s after it.
        long decidedNanos = Engines.written(stored());
        assertThat(decidedNanos).isBetween(Z + 2 * SECOND, Z + 2 * SECOND + 2);
        assertThat(Engines.expiry(stored())).isEqualTo(decidedNanos + 60 * SECOND);
        assertThat(a.engine().tenures().remaining(tenure)).isEqualTo(ofSeconds(57));
        a.clock().advance(ofSeconds(55));
        assertThat(a.engine().tenures().isHeld(tenure)).isTrue();
        a.clock().advance(ofSeconds(2));
        assertThat(a.engine().tenures().isHeld(tenure)).isFalse();
    }
}
