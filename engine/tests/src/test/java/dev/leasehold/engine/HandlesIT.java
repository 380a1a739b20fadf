package dev.leasehold.engine;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.engine.world.TestClock;
import dev.leasehold.replicaset.FailPoint;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How a handle comes to be, and the transactions that it gates. */
class HandlesIT extends WithEngines {

    private static final LeaseRequest SESSION = LeaseRequest.of("name").holder("h");
    private static final LeaseRequest TERM = SESSION.term(ofSeconds(60));

    private TestEngine a;
    private TestEngine b;

    @BeforeEach
    void startBoth() {
        a = engines.start("a");
        b = engines.start("b");
    }

    static List<Arguments> kinds() {
        return List.of(Arguments.of("session", SESSION), Arguments.of("term", TERM));
    }

    @Nested
    @DisplayName("Acquiring")
    class Acquiring {

        @ParameterizedTest(name = "{0}")
        @MethodSource("dev.leasehold.engine.HandlesIT#kinds")
        @DisplayName("HA-1: a free lease is acquired in one transaction, and valid from the start of the call")
        void aFreeLeaseIsAcquired(String kind, LeaseRequest request) throws InterruptedException {
            a.hooks().once(Point.AFTER_COMMIT, () -> a.clock().advance(ofSeconds(1)));

            Lease lease = a.acquires(request.comment("nightly run"));

            assertThat(lease.tenure()).isEqualTo(new Tenure(Engines.NAMESPACE, "name", "h", 1));
            assertThat(lease.comment()).isEqualTo("nightly run");
            assertThat(lease.remaining())
                    .isEqualTo(request.term().orElse(ofSeconds(30)).minusSeconds(1));
            assertThat(a.hooks().transactions()).hasSize(1);
            a.commitsUnder(lease.assertion());
        }

        @ParameterizedTest(name = "{0}")
        @MethodSource("dev.leasehold.engine.HandlesIT#kinds")
        @DisplayName("HA-6: what another engine holds under the same name belongs to another holder: refused")
        void theSameHolderThroughAnotherEngineIsRefused(String kind, LeaseRequest request) throws InterruptedException {
            Lease first = a.acquires(request);

            Refusal refusal = b.isRefused(request, Reason.HELD);

            assertThat(((LeaseState.Held) refusal.state()).tenure()).isEqualTo(first.tenure());
            assertThat(first.isHeld()).isTrue();
            assertThat(Engines.writer(stored())).startsWith("a#");
        }

        @Test
        @DisplayName("HA-30: leases of the same name in two namespaces have nothing to do with each other")
        void namespacesAreApart() throws InterruptedException {
            TestEngine elsewhere = engines.start("shipping", "a", TestClock.atZ());
            Lease here = a.acquires(SESSION);
            Lease there = elsewhere.acquires(SESSION);
            CompletableFuture<Acquisition> waiting = b.waitsFor("name");

            there.close();
            b.settles();

            assertThat(waiting).isNotDone();
            assertThat(here.isHeld()).isTrue();
            assertThat(engines.shortForm("name")).isEqualTo("h/1");
        }

        @Test
        @DisplayName("HA-33: the twin that does not block answers the same, off the threads that do the work")
        void theTwinAnswersTheSame() throws Exception {
            CountDownLatch attached = new CountDownLatch(1);
            a.hooks().once(Point.BEFORE_UPDATE, attached::await);
            CompletableFuture<String> thread = a.engine()
                    .tryAcquireAsync(SESSION)
                    .thenApply(acquisition -> Thread.currentThread().getName())
                    .toCompletableFuture();
            attached.countDown();

            assertThat(thread.get(1, TimeUnit.MINUTES)).startsWith("leasehold-billing-callback");

            CompletableFuture<Acquisition> refused =
                    b.engine().tryAcquireAsync(SESSION).toCompletableFuture();
            TestEngine.notAcquired(refused.get(1, TimeUnit.MINUTES), Reason.HELD);
            CompletableFuture<Lease> failed =
                    b.engine().acquireAsync(SESSION.waitAtMost(Duration.ZERO)).toCompletableFuture();
            assertThatThrownBy(() -> failed.get(1, TimeUnit.MINUTES)).hasCauseInstanceOf(LeaseRefusedException.class);
        }
    }

    @Nested
    @DisplayName("Gated transactions")
    class GatedTransactions {

        @Test
        @DisplayName("A gated transaction that is run again asserts the tenure again, the first one")
        void aGatedTransactionAssertsAgain() throws InterruptedException {
            Lease lease = a.acquires(SESSION);
            AtomicInteger runs = new AtomicInteger();
            engines.reports().insertOne(BsonDocument.parse("{_id: 1}"));

            try (ClientSession session = a.client().startSession()) {
                int result = lease.inTransaction(session, same -> {
                    if (runs.incrementAndGet() == 1) {
                        engines.reports().updateOne(Filters.eq(1), Updates.inc("others", 1));
                    }
                    a.reports().updateOne(same, Filters.eq(1), Updates.inc("mine", 1));
                    return runs.get();
                });
                assertThat(result).isEqualTo(2);
            }

            assertThat(a.hooks().transactions())
                    .as("the engine's own, and both of the caller's begin with the lease")
                    .hasSize(3)
                    .last()
                    .satisfies(update -> assertThat(update.toString()).contains("billing#name"));
            assertThat(engines.leaseDocument("name").getInt64("gates").getValue())
                    .isEqualTo(1);
            assertThat(engines.reports().find().first().getInt32("mine").getValue())
                    .isEqualTo(1);
        }

        @Test
        @DisplayName("A transaction that the body begins in the place of the gated one is not committed")
        void anotherTransactionOfTheBodyIsNotCommitted() throws InterruptedException {
            Lease lease = a.acquires(SESSION);
            engines.reports().insertOne(BsonDocument.parse("{_id: 1}"));

            try (ClientSession session = a.client().startSession()) {
                assertThatThrownBy(() -> lease.inTransaction(session, same -> {
                            same.abortTransaction();
                            same.startTransaction();
                            return a.reports().updateOne(same, Filters.eq(1), Updates.inc("mine", 1));
                        }))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("does not assert the lease");
            }

            assertThat(engines.reports().find().first()).doesNotContainKey("mine");
        }

        @Test
        @DisplayName("A transaction whose abort was lost is ended all the same, though its session was closed at once")
        void aLostAbortBlocksNothing() throws InterruptedException {
            Lease lease = a.acquires(SESSION);
            ClientSession session = a.client().startSession();
            engines.fail(FailPoint.failCommands("abortTransaction")
                    .closingConnection()
                    .times(2));
            assertThatThrownBy(() -> lease.inTransaction(session, same -> {
                        throw new IllegalStateException("the body failed");
                    }))
                    .hasMessage("the body failed");
            session.close();

            // By itself the server ends it after a minute at the earliest.
            await().atMost(40, TimeUnit.SECONDS)
                    .until(() -> engines.documents()
                                    .withTimeout(30, TimeUnit.SECONDS)
                                    .updateOne(Filters.eq("billing#name"), Updates.inc("gates", 1L))
                                    .getMatchedCount()
                            == 1);
        }

        @Test
        @DisplayName(
                "What a gated transaction commits lasts, though the client asks for less and reads from secondaries")
        void aGatedTransactionCommitsWithMajority() throws InterruptedException {
            TestEngine weak = engines.startWith(
                    "weak",
                    settings -> settings.writeConcern(WriteConcern.W1).readPreference(ReadPreference.secondary()));
            Lease lease = weak.acquires(SESSION.holder("weak"));
            weak.hooks().forgetCommands();
            engines.reports().insertOne(BsonDocument.parse("{_id: 1}"));

            try (ClientSession session = weak.client().startSession()) {
                String found = lease.inTransaction(session, same -> {
                    assertThat(same.getTransactionOptions().getWriteConcern()).isEqualTo(WriteConcern.MAJORITY);
                    return weak.reports().find(same).first().get("_id").toString();
                });
                assertThat(found).isNotEmpty();
            }
        }

        @Test
        @DisplayName("A transaction that is open already is refused, and stays open")
        void anOpenTransactionIsNotTouched() throws InterruptedException {
            Lease lease = a.acquires(SESSION);
            engines.reports().insertOne(BsonDocument.parse("{_id: 1}"));

            try (ClientSession session = a.client().startSession()) {
                session.startTransaction();
                a.reports().updateOne(session, Filters.eq(1), Updates.inc("mine", 1));

                assertThatThrownBy(() -> lease.inTransaction(session, same -> "never run"))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("'name'")
                        .hasMessageContaining("has one open");

                session.commitTransaction();
            }
            assertThat(engines.reports().find().first().getInt32("mine").getValue())
                    .isEqualTo(1);
        }

        @Test
        @DisplayName("A gated transaction that is run again after the lease was handed over commits nothing")
        void aGatedTransactionNeverRunsUnderTheNextTenure() throws InterruptedException {
            Lease lease = a.acquires(SESSION);
            AtomicInteger runs = new AtomicInteger();
            engines.reports().insertOne(BsonDocument.parse("{_id: 1}"));

            // The server has aborted it already.
            a.hooks().once(Point.BEFORE_ABORT, () -> {
                lease.close();
                assertThat(a.acquires(SESSION).token()).isEqualTo(2);
            });

            try (ClientSession session = a.client().startSession()) {
                assertThatThrownBy(() -> lease.inTransaction(session, same -> {
                            if (runs.incrementAndGet() == 1) {
                                engines.reports().updateOne(Filters.eq(1), Updates.inc("others", 1));
                            }
                            return a.reports().updateOne(same, Filters.eq(1), Updates.inc("mine", 1));
                        }))
                        .isInstanceOf(LeaseNotHeldException.class);
            }

            assertThat(runs).hasValue(1);
            assertThat(engines.reports().find().first()).doesNotContainKey("mine");
        }
    }
}
