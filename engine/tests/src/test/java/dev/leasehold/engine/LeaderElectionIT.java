package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.replicaset.ClientNetwork;
import dev.leasehold.replicaset.ClientNetwork.Cut;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Leader elections of several engines on a real database and on real clocks: exactly one leads at a time. */
@WithReplicaSet
class LeaderElectionIT {

    private final TestDatabase database;
    private final List<AutoCloseable> started = new ArrayList<>();
    private LeaseEngine a;
    private LeaseEngine b;

    LeaderElectionIT(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void startBoth() {
        a = engine("a", database.newClient());
        b = engine("b", database.newClient());
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable closeable : started) {
            closeable.close();
        }
        SchemaCheck.of(database);
        await().untilAsserted(() -> assertThat(electionThreads()).isEmpty());
    }

    private static List<String> electionThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.contains("-election-"))
                .toList();
    }

    private LeaseEngine engine(String instance, MongoClient client) {
        LeaseEngine engine = Engines.start(Engines.onTheSystemsClock(client, database, instance, Duration.ofSeconds(5))
                .commandBudget(Duration.ofSeconds(2))
                .closeBudget(Duration.ofSeconds(2))
                .sessionLength(Duration.ofSeconds(15)));
        started.add(engine);
        return engine;
    }

    private static ConditionFactory eventually() {
        return await().pollInterval(Duration.ofMillis(5));
    }

    /** An election, and what its callbacks were told, which also proves that they were never called at the same time. */
    private static final class Candidate {

        private final AtomicInteger running = new AtomicInteger();
        private final List<Lease> leases = new CopyOnWriteArrayList<>();
        private final List<LeaseLoss> losses = new CopyOnWriteArrayList<>();
        private final List<String> wrong = new CopyOnWriteArrayList<>();
        private final LeaderElection election;

        Candidate(LeaseEngine engine) {
            this(engine, LeaseRequest.of("leader"), builder -> {});
        }

        Candidate(LeaseEngine engine, LeaseRequest request, Consumer<LeaderElection.Builder> more) {
            LeaderElection.Builder builder = engine.elect(request);
            more.accept(builder);
            election = builder.onGranted(lease -> alone(() -> {
                        if (leases.size() != losses.size()) {
                            wrong.add("granted twice");
                        }
                        leases.add(lease);
                    }))
                    .onLost(loss -> alone(() -> {
                        if (losses.size() != leases.size() - 1) {
                            wrong.add("lost what was not granted");
                        }
                        losses.add(loss);
                    }))
                    .start();
        }

        private void alone(Runnable body) {
            if (running.incrementAndGet() != 1) {
                wrong.add("two callbacks at once");
            }
            body.run();
            running.decrementAndGet();
        }

        void leads(int times) {
            eventually().until(() -> leases.size() == times && election.isLeader());
            assertThat(wrong).isEmpty();
        }

        void hasLost(int times) {
            eventually().until(() -> losses.size() == times);
            assertThat(wrong).isEmpty();
        }

        Lease lease() {
            return leases.get(leases.size() - 1);
        }

        Reason reason() {
            return losses.get(losses.size() - 1).reason();
        }
    }

    private LeaseInspector inspector() {
        return LeaseEngine.builder(database.client())
                .database(database.name())
                .collection(Engines.COLLECTION)
                .namespace(Engines.NAMESPACE)
                .buildInspector();
    }

    /** Until a ticket of that engine stands in the queue. */
    private void untilItWaits(String instance) {
        eventually().until(() -> {
            try (LeaseInspector inspector = inspector()) {
                return inspector.inspect("leader").waiters().stream()
                        .anyMatch(waiter -> waiter.instance().equals(instance));
            }
        });
    }

    @Test
    @DisplayName("Q-29: a step-down with another candidate: it leads at once, and this one waits in the queue without a"
            + " pause")
    void stepsDownForAnother() {
        Candidate first = new Candidate(a);
        first.leads(1);
        Candidate second = new Candidate(b);
        untilItWaits("b");

        first.lease().close();

        second.leads(1);
        assertThat(first.losses).hasSize(1);
        assertThat(second.lease().token()).isEqualTo(first.lease().token() + 1);
        untilItWaits("a");
        second.lease().close();
        first.leads(2);
        first.election.close();
        second.election.close();
    }

    @Test
    @DisplayName("Q-29: stepDownTo an instance that does not wait: false, and it leads on")
    void stepsDownToNone() throws Exception {
        Candidate first = new Candidate(a);
        first.leads(1);

        assertThat(first.election.stepDownTo("b").toCompletableFuture().get(1, TimeUnit.MINUTES))
                .isFalse();

        assertThat(first.election.isLeader()).isTrue();
        first.election.close();
    }

    @Test
    @DisplayName("Q-29: stepDownTo goes before the order of the queue")
    void stepsDownToAnInstance() throws Exception {
        Candidate first = new Candidate(a);
        first.leads(1);
        Candidate second = new Candidate(b);
        untilItWaits("b");
        LeaseEngine c = engine("c", database.newClient());
        Candidate third = new Candidate(c);
        untilItWaits("c");

        assertThat(first.election.stepDownTo("c").toCompletableFuture().get(1, TimeUnit.MINUTES))
                .isTrue();

        third.leads(1);
        assertThat(second.leases).isEmpty();
        first.election.close();
        second.election.close();
        third.election.close();
    }

    @Test
    @DisplayName("Q-29: of two step-downs for different instances one counts, and only that is told true")
    void stepsDownToOneOfTwo() throws Exception {
        Candidate first = new Candidate(a);
        first.leads(1);
        Candidate second = new Candidate(b);
        untilItWaits("b");
        Candidate third = new Candidate(engine("c", database.newClient()));
        untilItWaits("c");

        CompletableFuture<Boolean> toC = first.election.stepDownTo("c").toCompletableFuture();
        CompletableFuture<Boolean> toB = first.election.stepDownTo("b").toCompletableFuture();
        boolean isC = toC.get(1, TimeUnit.MINUTES);

        assertThat(toB.get(1, TimeUnit.MINUTES)).isNotEqualTo(isC);
        (isC ? third : second).leads(1);
        assertThat((isC ? second : third).leases).isEmpty();
        first.election.close();
        second.election.close();
        third.election.close();
    }

    @Test
    @DisplayName("Q-29: a leader that yields steps down when a candidate with a higher priority waits")
    void yieldsToAHigherPriority() {
        Candidate first = new Candidate(a, LeaseRequest.of("leader"), LeaderElection.Builder::yieldToHigherPriority);
        first.leads(1);

        Candidate preferred = new Candidate(b, LeaseRequest.of("leader").priority(1), builder -> {});

        preferred.leads(1);
        first.hasLost(1);
        preferred.election.close();
        first.election.close();
    }

    @Test
    @DisplayName("Q-29: an engine without the queue knows of no waiter to step down for")
    void withoutTheQueue() {
        LeaseEngine without =
                Engines.start(Engines.onTheSystemsClock(database.newClient(), database, "c", Duration.ofSeconds(5))
                        .waitQueue(false));
        started.add(without);

        assertThatIllegalStateException()
                .isThrownBy(() -> without.elect("leader").yieldToHigherPriority())
                .withMessageContaining("waitQueue(false)");
    }

    @Test
    void oneLeadsAndTheOtherFollowsWhenItCloses() {
        Candidate first = new Candidate(a);
        first.leads(1);
        Candidate second = new Candidate(b);

        first.election.close();

        assertThat(first.reason()).isEqualTo(Reason.CLOSED);
        second.leads(1);
        assertThat(second.lease().token()).isGreaterThan(first.lease().token());
        assertThat(first.lease().isHeld()).isFalse();
        assertThat(first.election.isLeader()).isFalse();
        second.election.close();
    }

    @Test
    void pinKeepsALeaderFromLeadingAgain() throws InterruptedException {
        Candidate only = new Candidate(a);
        only.leads(1);
        b.admin().pin("leader", "operator");
        b.admin().forceExpire("leader", "stuck");
        only.hasLost(1);
        assertThat(only.election.isLeader()).isFalse();
        assertThat(only.leases).hasSize(1);

        b.admin().unpin("leader", "operator");
        only.leads(2);
    }

    @Test
    void leaderThatIsCutOffIsToldAndTheOtherFollows() {
        try (ClientNetwork network = ClientNetwork.open();
                MongoClient client = MongoClients.create(network.uri(database.uri()))) {
            LeaseEngine remote = engine("c", client);
            try {
                Candidate first = new Candidate(remote);
                first.leads(1);
                Candidate second = new Candidate(b);

                network.cut(Cut.SILENT);

                first.hasLost(1);
                assertThat(first.election.isLeader()).isFalse();
                second.leads(1);
                network.mend();
                second.election.close();
                first.leads(2);
                assertThat(first.lease().token()).isGreaterThan(second.lease().token());
            } finally {
                network.mend();
                remote.close();
            }
        }
    }
}
