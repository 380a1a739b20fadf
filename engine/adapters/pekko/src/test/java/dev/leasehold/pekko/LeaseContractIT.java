package dev.leasehold.pekko;

import static dev.leasehold.pekko.Systems.answer;
import static dev.leasehold.pekko.Systems.failure;
import static dev.leasehold.pekko.Systems.lease;
import static dev.leasehold.pekko.Systems.terminate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Filters;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandSucceededEvent;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.ClientNetwork;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.coordination.lease.LeaseException;
import org.apache.pekko.coordination.lease.LeaseTimeoutException;
import org.apache.pekko.coordination.lease.scaladsl.LeaseProvider;
import org.apache.pekko.dispatch.Dispatchers;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.FutureConverters;

/** What Pekko asks of a lease, on the real provider and a real replica set; above all where other implementations go wrong. */
@WithReplicaSet
class LeaseContractIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String NAME = "jobs";
    /** For what has to fail. */
    private static final String IMPATIENT = "leasehold.pekko.lease-operation-timeout = 2 s";

    private static final String LATE = "late";
    private static final String A = "shop@a:7355";
    private static final String B = "shop@b:7355";

    private final Systems systems = new Systems();
    private final List<LeaseEngine> operators = new ArrayList<>();
    private TestDatabase database;

    @BeforeEach
    void take(TestDatabase database) {
        this.database = database;
    }

    @AfterEach
    void end() {
        systems.close();
        operators.forEach(LeaseEngine::close);
    }

    @Test
    void oneOwnerHasItAtATime() {
        LeaseholdLease a = lease(systems.start(database), NAME, A);
        LeaseholdLease b = lease(systems.start(database), NAME, B);

        assertThat(a.checkLease()).as("before an acquire").isFalse();
        assertThat(answer(a.acquire())).isTrue();
        assertThat(a.checkLease()).isTrue();
        assertThat(answer(b.acquire())).isFalse();
        assertThat(b.checkLease()).isFalse();

        assertThat(answer(a.release())).isTrue();
        assertThat(a.checkLease()).isFalse();
        assertThat(answer(b.acquire())).isTrue();
        assertThat(b.token()).isGreaterThan(a.token());
    }

    @Test
    void theLeaseOfTheJavaApiIsThatOfTheScalaApi() {
        ActorSystem system = systems.start(database);
        org.apache.pekko.coordination.lease.scaladsl.Lease scala =
                LeaseProvider.get(system).getLease(NAME, LeaseholdLease.DEFAULTS, A);
        LeaseholdLease java = lease(system, NAME, A);

        assertThat(answer(FutureConverters.asJava(scala.acquire()))).isEqualTo(true);
        assertThat(scala.checkLease()).isTrue();
        assertThat(java.checkLease()).isTrue();
        assertThat(answer(java.release())).isTrue();
        assertThat(scala.checkLease()).isFalse();
    }

    @Test
    void theSameOwnerAcquiresAgainUnderTheSameTenure() {
        LeaseholdLease a = lease(systems.start(database), NAME, A);
        answer(a.acquire());
        long token = a.token();

        assertThat(answer(a.acquire())).isTrue();
        assertThat(a.token()).isEqualTo(token);
        assertThat(answer(a.release())).as("however often it was acquired").isTrue();
        assertThat(stateOf(NAME)).isInstanceOf(LeaseState.Vacant.class);
    }

    @Test
    @DisplayName("trap: a second acquire while one is running times out")
    void acquiresThatOverlapShareTheirAnswer() {
        try (ClientNetwork network = ClientNetwork.open()) {
            ActorSystem system = systems.start(network.uri(database.uri()), database);
            LeaseholdLease a = lease(system, NAME, A);
            answer(lease(system, "connected", A).acquire());
            long floor = tokenFloor();

            network.cut(ClientNetwork.Cut.SILENT);
            CompletionStage<Boolean> first = a.acquire();
            CompletionStage<Boolean> second = a.acquire();
            CompletionStage<Boolean> third = a.acquire(cause -> {});
            network.mend();

            assertThat(answer(first)).isTrue();
            assertThat(answer(second)).isTrue();
            assertThat(answer(third)).isTrue();
            assertThat(a.token()).isEqualTo(floor + 1);
            terminate(system);
        }
    }

    @Test
    void aLossIsToldOnceToEachThatAskedWithItsCause() throws InterruptedException {
        LeaseholdLease a = lease(systems.start(database), NAME, A);
        Queue<Optional<Throwable>> first = new ConcurrentLinkedQueue<>();
        Queue<Optional<Throwable>> second = new ConcurrentLinkedQueue<>();
        Consumer<Optional<Throwable>> tellFirst = first::add;
        answer(a.acquire(tellFirst));
        answer(a.acquire(tellFirst));
        answer(a.acquire(second::add));

        operator().admin().forceExpire(NAME, "it hangs");

        await().atMost(LIMIT).until(() -> !a.checkLease() && !first.isEmpty() && !second.isEmpty());
        assertThat(first).singleElement().satisfies(LeaseContractIT::isTheCause);
        assertThat(second).singleElement().satisfies(LeaseContractIT::isTheCause);

        assertThat(answer(a.acquire(tellFirst))).as("the next tenure").isTrue();
        operator().admin().forceExpire(NAME, "it hangs again");
        await().atMost(LIMIT).until(() -> first.size() == 2);
        assertThat(answer(a.release())).isTrue();
        assertThat(second).hasSize(1);
    }

    private static void isTheCause(Optional<Throwable> cause) {
        assertThat(cause)
                .get()
                .isInstanceOf(LeaseException.class)
                .extracting(Throwable::getMessage)
                .asString()
                .containsPattern("lease 'jobs' of owner 'shop@a:7355' was lost under token [0-9]+");
    }

    @Test
    void neitherAReleaseNorARefusedAcquireIsALoss() throws InterruptedException {
        LeaseholdLease a = lease(systems.start(database), NAME, A);
        LeaseholdLease b = lease(systems.start(database), NAME, B);
        Queue<Optional<Throwable>> told = new ConcurrentLinkedQueue<>();
        answer(a.acquire(told::add));
        assertThat(answer(b.acquire(told::add))).isFalse();
        answer(a.release());
        answer(b.acquire());

        operator().admin().forceExpire(NAME, "it hangs");

        await().atMost(LIMIT).until(() -> !b.checkLease());
        answer(b.release());
        assertThat(told).isEmpty();
    }

    @Test
    void whatIsAskedWhileItIsAcquiredIsDoneInOrder() {
        try (ClientNetwork network = ClientNetwork.open()) {
            ActorSystem system = systems.start(network.uri(database.uri()), database);
            LeaseholdLease a = lease(system, NAME, A);
            answer(lease(system, "connected", A).acquire());
            long floor = tokenFloor();

            network.cut(ClientNetwork.Cut.SILENT);
            CompletionStage<Boolean> acquired = a.acquire();
            CompletionStage<Boolean> released = a.release();
            CompletionStage<Boolean> again = a.acquire();
            network.mend();

            assertThat(answer(acquired)).isTrue();
            assertThat(answer(released)).isTrue();
            assertThat(answer(again)).isTrue();
            assertThat(a.checkLease()).isTrue();
            assertThat(a.token()).isEqualTo(floor + 2);
            terminate(system);
        }
    }

    @Test
    void aReleaseTellsWhetherTheOwnerHasItYet() {
        LeaseholdLease a = lease(systems.start(database), NAME, A);
        LeaseholdLease afterRestart = lease(systems.start(database), NAME, A);
        assertThat(answer(a.release())).as("never acquired").isTrue();
        answer(a.acquire());

        assertThat(answer(afterRestart.release()))
                .as("held by an earlier incarnation")
                .isFalse();
        assertThat(answer(a.release())).isTrue();
        assertThat(answer(a.release())).as("released before").isTrue();
        assertThat(answer(afterRestart.release())).isTrue();
    }

    @Test
    void withoutADatabaseNothingCanBeTold() {
        try (ClientNetwork network = ClientNetwork.open()) {
            network.cut(ClientNetwork.Cut.BROKEN);
            LeaseholdLease a = lease(systems.start(network.uri(database.uri()), database, IMPATIENT), NAME, A);

            assertThat(failure(a.acquire()))
                    .isInstanceOf(LeaseTimeoutException.class)
                    .hasMessageContaining(NAME);
            assertThat(a.checkLease()).isFalse();
            assertThat(failure(a.release())).isInstanceOf(LeaseException.class);

            network.mend();
            untilAcquired(a);
            assertThat(a.checkLease()).isTrue();
        }
    }

    @Test
    void aReleaseThatIsNotKnownGoesOn() {
        try (ClientNetwork network = ClientNetwork.open()) {
            LeaseholdLease a = lease(systems.start(network.uri(database.uri()), database, IMPATIENT), NAME, A);
            LeaseholdLease b = lease(systems.start(database), NAME, B);
            untilAcquired(a);

            network.cut(ClientNetwork.Cut.SILENT);
            assertThat(failure(a.release())).isInstanceOf(LeaseTimeoutException.class);
            assertThat(a.checkLease()).isFalse();
            network.mend();

            await().atMost(LIMIT).until(() -> answer(b.acquire()));
        }
    }

    @Test
    @DisplayName("trap: one failed heartbeat gives a lease up that has most of its time left")
    void afterAFailedHeartbeatTheNextIsInTime() {
        LeaseholdLease a = lease(systems.start(database, "leasehold.pekko.heartbeat-interval = 200 ms"), NAME, A);
        Queue<Optional<Throwable>> told = new ConcurrentLinkedQueue<>();
        answer(a.acquire(told::add));
        long before = heartbeat();

        try (ActiveFailPoint failing = database.activate(
                FailPoint.failCommands("update").closingConnection().times(3).forAppName(database.name()))) {
            failing.awaitEntered(3, LIMIT);
        }
        await().atMost(LIMIT).until(() -> heartbeat() > before);

        assertThat(a.checkLease()).isTrue();
        assertThat(told).isEmpty();
        assertThat(a.token()).isEqualTo(tokenFloor() + 1);
    }

    @Test
    @DisplayName("trap: an own write whose answer was lost is taken for another holder's")
    void aLostAnswerIsFoundOut() {
        try (ClientNetwork network = ClientNetwork.open()) {
            ActorSystem system = systems.start(network.uri(database.uri()), database);
            LeaseholdLease a = lease(system, NAME, A);
            answer(lease(system, "connected", A).acquire());

            stateOf(NAME);
            CompletionStage<Boolean> first;
            try (ActiveFailPoint slow = database.activate(FailPoint.failCommands("commitTransaction")
                    .blocking(Duration.ofSeconds(1))
                    .times(1)
                    .forAppName(database.name()))) {
                first = a.acquire();
                slow.awaitEntered(1, LIMIT);
                network.cut(ClientNetwork.Cut.WITHOUT_ANSWERS);
            }
            await().atMost(LIMIT).until(() -> stateOf(NAME) instanceof LeaseState.Held);
            network.cut(ClientNetwork.Cut.BROKEN);
            network.mend();

            Boolean answered = answer(first.exceptionally(unknown -> true));
            assertThat(answered)
                    .as("whatever it was told, it was not that another holder has it")
                    .isTrue();
            untilAcquired(a);
            assertThat(a.checkLease()).isTrue();
            assertThat(stateOf(NAME))
                    .isInstanceOfSatisfying(
                            LeaseState.Held.class,
                            held -> assertThat(held.tenure()).isEqualTo(a.tenure()));
            terminate(system);
        }
    }

    @Test
    @DisplayName("trap: acquired is told before a conflict was settled")
    void ofTwoThatAskAtOnceOneHasIt() {
        LeaseholdLease a = lease(systems.start(database), NAME, A);
        LeaseholdLease b = lease(systems.start(database), NAME, B);
        for (int round = 1; round <= 10; round++) {
            CompletableFuture<Boolean> ofA = a.acquire().toCompletableFuture();
            CompletableFuture<Boolean> ofB = b.acquire().toCompletableFuture();
            boolean heldByA = answer(ofA);
            boolean heldByB = answer(ofB);

            assertThat(heldByA).as("round %d", round).isNotEqualTo(heldByB);
            assertThat(a.checkLease() && b.checkLease()).isFalse();
            assertThat(answer((heldByA ? a : b).release())).isTrue();
        }
    }

    @Test
    @DisplayName("trap: after a restart with the same owner the lease is granted but checkLease stays false")
    void aRestartedOwnerHasItAtOnceUnderANewTenure() {
        MongoClient client = database.newClient();
        LeaseholdLease old = lease(systems.startWith(client, database), NAME, A);
        Queue<Optional<Throwable>> told = new ConcurrentLinkedQueue<>();
        answer(old.acquire(told::add));
        LeaseAssertion oldAssertion = old.assertion();
        LeaseholdLease restarted = lease(systems.startWith(client, database), NAME, A);

        assertThat(answer(restarted.acquire())).isTrue();

        assertThat(restarted.checkLease()).isTrue();
        assertThat(restarted.token()).isEqualTo(tokenFloor() + 2);
        write(client, restarted.assertion());
        assertThatThrownBy(() -> write(client, oldAssertion)).isInstanceOf(LeaseNotHeldException.class);
        await().atMost(LIMIT).until(() -> !old.checkLease() && told.size() == 1);
    }

    private void write(MongoClient client, LeaseAssertion assertion) {
        try (ClientSession session = client.startSession()) {
            session.withTransaction(() -> {
                assertion.check(session);
                return client.getDatabase(database.name())
                        .getCollection("work")
                        .insertOne(
                                session,
                                new Document("token", assertion.tenure().token()));
            });
        }
    }

    @Test
    @DisplayName("trap: names are cut, so that two leases become one")
    void namesOfAnyFormStayApartAndReadable() {
        ActorSystem ofA = systems.start(database);
        ActorSystem ofB = systems.start(database);
        String longName = "shop-shard-order/with/slashes-" + "x".repeat(600);
        String longOwner = "shop@" + "host.".repeat(150) + ":7355";
        assertThat(answer(lease(ofA, longName + "1", longOwner).acquire())).isTrue();
        assertThat(answer(lease(ofA, longName + "2", longOwner).acquire())).isTrue();
        assertThat(answer(lease(ofB, longName + "1", longOwner + "5").acquire()))
                .isFalse();
        assertThat(answer(lease(ofB, longName + "3", longOwner + "5").acquire()))
                .isTrue();
        assertThat(answer(lease(ofB, "line\nbreak", B).acquire())).isTrue();

        assertThat(stateOf(LeaseTexts.name("line\nbreak"))).isInstanceOfSatisfying(LeaseState.Held.class, held -> {
            assertThat(held.tenure().holder()).isEqualTo(B);
            assertThat(held.comment()).isEqualTo("lease 'line_break' of owner 'shop@b:7355'");
        });
        assertThat(stateOf(LeaseTexts.name(longName + "1")))
                .isInstanceOfSatisfying(
                        LeaseState.Held.class,
                        held -> assertThat(held.comment()).startsWith("lease 'shop-shard-order/with/slashes-xxx"));
    }

    @Test
    @DisplayName(
            "what the split brain resolver relies on: an end without a release frees nothing before the heartbeat timeout")
    void terminatingReleasesNothing() {
        ActorSystem system =
                systems.start(database, "leasehold.pekko { heartbeat-timeout = 8 s, lease-operation-timeout = 7 s }");
        LeaseholdLease a = lease(system, NAME, A);
        LeaseholdLease released = lease(system, "released", A);
        LeaseholdLease b = lease(systems.start(database), NAME, B);
        untilAcquired(a);
        untilAcquired(released);
        answer(released.release());

        terminate(system);

        assertThat(a.checkLease()).isFalse();
        assertThat(stateOf("released")).isInstanceOf(LeaseState.Vacant.class);
        assertThat(stateOf(NAME)).isInstanceOf(LeaseState.Held.class);
        await().atMost(LIMIT).until(() -> answer(b.acquire()));
        assertThat(b.token()).isEqualTo(tokenFloor() + 2);
        assertThat(failure(a.acquire())).isInstanceOf(LeaseException.class).hasMessageContaining("terminating");
    }

    @Test
    @DisplayName(
            "a node that never asked before gets a dead node's lease at its first acquire, once it has seen its time pass")
    void theFirstAcquireCountsFromTheFirstSight() {
        ActorSystem dead =
                systems.start(database, "leasehold.pekko { heartbeat-timeout = 8 s, lease-operation-timeout = 7 s }");
        LeaseholdLease a = lease(dead, NAME, A);
        untilAcquired(a);
        AtomicInteger looks = new AtomicInteger();
        MongoClient watching = database.newClient(builder -> builder.addCommandListener(new CommandListener() {
            @Override
            public void commandSucceeded(CommandSucceededEvent event) {
                if (event.getCommandName().equals("aggregate")) {
                    looks.incrementAndGet();
                }
            }
        }));
        LeaseholdLease b = lease(systems.startWith(watching, database), NAME, B);
        await().atMost(LIMIT).until(() -> looks.get() > 0);

        terminate(dead);
        int before = looks.get();
        await().atMost(LIMIT).until(() -> looks.get() > before + 1);
        // Another one whose first sight is later. It asks for nothing and takes nothing.
        await().atMost(LIMIT)
                .until(() -> stateOf(NAME) instanceof LeaseState.Held held && held.status() == LeaseStatus.EXPIRED);

        assertThat(answer(b.acquire())).isTrue();
        assertThat(b.token()).isEqualTo(a.token() + 1);
    }

    @Test
    void whatTheLastActorReleasesWhenItStopsIsFree() {
        ActorSystem system = systems.start(database);
        LeaseholdLease a = lease(system, NAME, A);
        answer(a.acquire());
        system.actorOf(Props.create(ReleasingActor.class, () -> new ReleasingActor(a)));

        terminate(system);

        assertThat(stateOf(NAME)).isInstanceOf(LeaseState.Vacant.class);
    }

    /** As a shard does, however late it is stopped. */
    private static final class ReleasingActor extends AbstractActor {

        private final LeaseholdLease lease;

        private ReleasingActor(LeaseholdLease lease) {
            this.lease = lease;
        }

        @Override
        public Receive createReceive() {
            return emptyBehavior();
        }

        @Override
        public void postStop() {
            lease.release();
        }
    }

    @Test
    void terminatingWithoutCoordinatedShutdownEndsTheEngineToo() {
        try (ClientNetwork network = ClientNetwork.open()) {
            ActorSystem system = systems.start(
                    network.uri(database.uri()),
                    database,
                    "pekko.coordinated-shutdown.run-by-actor-system-terminate = off");
            LeaseholdLease a = lease(system, NAME, A);
            answer(a.acquire());
            assertThat(network.connections()).isPositive();

            terminate(system);

            await().atMost(LIMIT).until(() -> !a.checkLease() && network.connections() == 0);
        }
    }

    @Test
    void aLeaseThatDoesNotExpireIsEndedByItsOwnerOrAnOperatorAlone() throws InterruptedException {
        ActorSystem system = systems.start(database, "leasehold.pekko.expires = off");
        LeaseholdLease a = lease(system, NAME, A);
        answer(a.acquire());
        terminate(system);
        LeaseholdLease b = lease(systems.start(database, "leasehold.pekko.expires = off"), NAME, B);
        assertThat(answer(b.acquire())).isFalse();
        assertThat(stateOf(NAME))
                .isInstanceOfSatisfying(
                        LeaseState.Held.class,
                        held -> assertThat(held.latestExpiry())
                                .isAfter(Instant.now().plus(Duration.ofDays(36_000))));

        LeaseholdLease restarted = lease(systems.start(database, "leasehold.pekko.expires = off"), NAME, A);
        assertThat(answer(restarted.acquire())).as("its owner").isTrue();
        assertThat(answer(b.acquire())).isFalse();

        operator().admin().forceExpire(NAME, "the machine was scrapped");
        assertThat(answer(b.acquire())).isTrue();
        assertThat(answer(b.release())).isTrue();
        assertThat(stateOf(NAME)).isInstanceOf(LeaseState.Vacant.class);
    }

    @Test
    void theClientOfTheApplicationIsNotClosed() {
        MongoClient client = database.newClient();
        ActorSystem system = systems.startWith(client, database);
        answer(lease(system, NAME, A).acquire());

        terminate(system);

        assertThat(client.getDatabase(database.name()).getCollection("leases").countDocuments())
                .isPositive();
    }

    @Test
    void leasesOfEqualSettingsShareAnEngine() {
        ActorSystem system = systems.start(
                database, "same = ${leasehold.pekko}", "other = ${leasehold.pekko}", "other.heartbeat-timeout = 50 s");
        answer(lease(system, "one", A).acquire());
        answer(lease(system, "two", A).acquire());
        answer(LeaseholdLease.of(system, "three", "same", A).acquire());
        assertThat(writers()).hasSize(1);

        answer(LeaseholdLease.of(system, "four", "other", A).acquire());
        assertThat(writers()).hasSize(2);
    }

    @Test
    void aLeaseThatIsAskedForFirstAfterTheEndStartsNoEngine() {
        ActorSystem system =
                systems.start(database, LATE + " = ${leasehold.pekko}", LATE + ".heartbeat-timeout = 50 s");
        answer(lease(system, NAME, A).acquire());
        operator();
        int before = writers().size();
        terminate(system);

        LeaseholdLease late = LeaseholdLease.of(system, "late", LATE, A);

        assertThat(failure(late.acquire())).hasRootCauseInstanceOf(LeaseEngineClosedException.class);
        assertThat(writers()).hasSizeLessThanOrEqualTo(before);
    }

    @Test
    void workThatFillsTheDispatcherForBlockingWorkDelaysNoLease() throws InterruptedException {
        ActorSystem system = systems.start(
                database, "pekko.actor.default-blocking-io-dispatcher.thread-pool-executor.fixed-pool-size = 1");
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        system.dispatchers().lookup(Dispatchers.DefaultBlockingDispatcherId()).execute(() -> {
            busy.countDown();
            awaitUninterruptibly(done);
        });
        busy.await();
        try {
            LeaseholdLease a = lease(system, NAME, A);

            assertThat(answer(a.acquire())).isTrue();
            assertThat(answer(a.release())).isTrue();
            assertThat(answer(a.release())).as("of none, which takes a read").isTrue();
        } finally {
            done.countDown();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** However busy the machine is. */
    private static void untilAcquired(LeaseholdLease lease) {
        await().atMost(LIMIT).ignoreExceptions().until(() -> answer(lease.acquire()));
    }

    // ---- what the database shows ----

    private LeaseEngine operator() {
        LeaseEngine engine = LeaseEngine.builder(database.newClient())
                .database(database.name())
                .namespace("pekko")
                .build();
        operators.add(engine);
        return engine;
    }

    private LeaseState stateOf(String name) {
        try {
            LeaseEngine engine = operators.isEmpty() ? operator() : operators.get(0);
            return engine.admin().inspect(name);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Document writers() {
        return clock().get("writers", Document.class);
    }

    private Document clock() {
        return database.database()
                .getCollection("leases")
                .find(Filters.eq("_id", "pekko"))
                .first();
    }

    /** The first tenure of a lease has the token after it. */
    private long tokenFloor() {
        return clock().getLong("tokenFloor");
    }

    /** The latest acknowledged time of all writers. */
    private long heartbeat() {
        return writers().values().stream()
                .mapToLong(writer -> ((Document) writer).getLong("time"))
                .max()
                .orElseThrow();
    }
}
