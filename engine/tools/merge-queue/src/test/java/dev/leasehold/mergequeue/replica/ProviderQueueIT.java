package dev.leasehold.mergequeue.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.mergequeue.queue.AfterFailure;
import dev.leasehold.mergequeue.queue.AskedStatus;
import dev.leasehold.mergequeue.queue.EndedHold;
import dev.leasehold.mergequeue.queue.EndedWait;
import dev.leasehold.mergequeue.queue.Hold;
import dev.leasehold.mergequeue.queue.Newcomers;
import dev.leasehold.mergequeue.queue.Payload;
import dev.leasehold.mergequeue.queue.PendingRequest;
import dev.leasehold.mergequeue.queue.QueueAnswer;
import dev.leasehold.mergequeue.queue.QueueEvent;
import dev.leasehold.mergequeue.queue.QueueRules;
import dev.leasehold.mergequeue.queue.QueueSettings;
import dev.leasehold.mergequeue.queue.QueueState;
import dev.leasehold.mergequeue.queue.RequestId;
import dev.leasehold.mergequeue.queue.Requester;
import dev.leasehold.mergequeue.store.ProviderStore;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A provider's queue on real leases and a real document. The test moves the time, and runs the writes. */
@WithReplicaSet
class ProviderQueueIT {

    private static final String PROVIDER = "acme/shop/main";
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final DecisionListener SILENT = new ListenerAdapter();

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000); // so that it overflows on the way
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private TestDatabase database;
    private MongoClient client;
    private ProviderStore store;
    private LeaseEngine engine;

    @BeforeEach
    void start(TestDatabase database) {
        this.database = database;
        client = database.newClient();
        store = new ProviderStore(client, database.name());
        engine = engine();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    @DisplayName("An error in one batch is answered, and the next batch is served")
    void errorDoesNotStopTheQueue() throws Exception {
        AtomicInteger batches = new AtomicInteger();
        ProviderQueue queue =
                queue(engine.acquire(LeaseRequest.of(PROVIDER).waitAtMost(LIMIT)), settings(1), new ListenerAdapter() {
                    @Override
                    public void serves(String provider, QueueState state) {
                        if (batches.incrementAndGet() == 1) {
                            throw new StackOverflowError("as if a meter had recursed");
                        }
                    }
                });

        assertThatThrownBy(() -> status(queue, acquire("first", 1)))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(NoOwnerException.class);

        assertThat(status(queue, acquire("first", 1))).isEqualTo("Acquired");
    }

    @Test
    @DisplayName("A batch that ends after its replica has left the provider is counted, and not shown as served")
    void lateBatchIsNotShown() throws Exception {
        List<String> told = new ArrayList<>();
        ProviderQueue queue =
                queue(engine.acquire(LeaseRequest.of(PROVIDER).waitAtMost(LIMIT)), settings(1), new ListenerAdapter() {
                    @Override
                    public void committed(String provider, List<EndedHold> ended, List<EndedWait> waits, int events) {
                        told.add("committed");
                    }

                    @Override
                    public void serves(String provider, QueueState state) {
                        told.add("serves");
                    }

                    @Override
                    public void left(String provider) {
                        told.add("left");
                    }
                });
        status(queue, acquire("first", 1));

        queue.leave();
        status(queue, acquire("first", 1));

        assertThat(told).containsExactly("committed", "serves", "left", "committed");
    }

    @Test
    @DisplayName(
            "PM-20: what a replica answers after another one has taken the provider over is refused by its own write")
    void replicaFromThePastAnswersNothing() throws Exception {
        ProviderQueue old = queue(engine.acquire(LeaseRequest.of(PROVIDER).waitAtMost(LIMIT)), settings(1));
        assertThat(status(old, acquire("first", 1))).isEqualTo("Acquired");
        try (LeaseEngine other = engine()) {
            other.admin().forceExpire(PROVIDER, "as if its engine had been frozen");
            ProviderQueue present =
                    queue(other.acquire(LeaseRequest.of(PROVIDER).waitAtMost(LIMIT)), settings(1));
            assertThat(status(present, new QueueEvent.Clear())).isEqualTo("Cleared");
            assertThat(status(present, acquire("second", 1))).isEqualTo("Acquired");
            QueueState before = store.read(PROVIDER).state();

            assertThatThrownBy(() -> status(old, acquire("first", 1)))
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(NoOwnerException.class);

            assertThat(store.read(PROVIDER).state()).isEqualTo(before);
        }
    }

    @Test
    @DisplayName("PM-13: a window goes on with another replica, and is not shortened by the time between")
    void windowGoesOn() throws Exception {
        ProviderQueue first = queue(engine.acquire(LeaseRequest.of(PROVIDER).waitAtMost(LIMIT)), settings(2));
        status(first, acquire("one", 1));
        pass(Duration.ofMinutes(50));
        status(first, new QueueEvent.Tick());
        pass(Duration.ofHours(1)); // no replica serves

        ProviderQueue second = takeOver(settings(2));
        assertThat(status(second, new QueueEvent.Tick())).isEqualTo("Ticked");
        pass(Duration.ofMinutes(10).minusNanos(1));
        assertThat(status(second, acquire("one", 1))).isEqualTo("Pending");
        pass(Duration.ofNanos(1));
        assertThat(status(second, acquire("one", 1))).isEqualTo("Acquired");
    }

    @Test
    @DisplayName("PM-13: the hold of a holder goes on with another replica, never from zero")
    void maximumHoldGoesOn() throws Exception {
        ProviderQueue first = queue(engine.acquire(LeaseRequest.of(PROVIDER).waitAtMost(LIMIT)), settings(1));
        status(first, acquire("holder", 1));
        pass(Duration.ofMinutes(50));
        status(first, acquire("waiter", 1));

        ProviderQueue second = takeOver(settings(1));
        status(second, new QueueEvent.Tick());
        pass(Duration.ofMinutes(40));
        assertThat(status(second, acquire("waiter", 1))).isEqualTo("Pending");
        pass(Duration.ofNanos(1));
        assertThat(status(second, acquire("waiter", 1))).isEqualTo("Acquired");
        assertThat(store.read(PROVIDER).state().lastToken()).isEqualTo(1_000_001);
    }

    @Test
    @DisplayName("PM-13: delays, rounds and what follows a failure are the same with another replica")
    void countersGoOn() throws Exception {
        QueueSettings settings = new QueueSettings(
                Duration.ofHours(1).toNanos(),
                Duration.ofHours(2).toNanos(),
                2,
                2,
                QueueSettings.NO_MAXIMUM,
                QueueSettings.NO_MAXIMUM,
                AfterFailure.PASS_ON,
                Newcomers.NEXT_ROUND,
                false,
                Duration.ofHours(24).toNanos(),
                100);
        ProviderQueue first = queue(engine.acquire(LeaseRequest.of(PROVIDER).waitAtMost(LIMIT)), settings);
        status(first, acquire("one", 1));
        assertThat(status(first, acquire("two", 2))).isEqualTo("Pending");

        ProviderQueue second = takeOver(settings);
        assertThat(status(second, acquire("two", 2))).isEqualTo("Pending");
        assertThat(status(second, acquire("two", 2))).isEqualTo("Acquired");
        status(
                second,
                new QueueEvent.Release(RequestId.of("two"), AskedStatus.FAILURE, OptionalLong.empty(), Requester.ANY));
        QueueState written = store.read(PROVIDER).state();

        ProviderQueue third = takeOver(settings);
        assertThat(status(third, acquire("newcomer", 9))).isEqualTo("Pending");
        assertThat(status(third, acquire("one", 1))).isEqualTo("Pending");
        assertThat(status(third, acquire("one", 1))).isEqualTo("Pending");
        assertThat(status(third, acquire("one", 1))).isEqualTo("Acquired");
        assertThat(written.passingOn()).isTrue();
    }

    @Test
    void pollsThatComeTogetherShareOneWrite() throws Exception {
        ProviderQueue queue = queue(engine.acquire(LeaseRequest.of(PROVIDER).waitAtMost(LIMIT)), settings(1_000));
        List<CompletableFuture<QueueAnswer>> answers = new ArrayList<>();
        for (int run = 0; run < 200; run++) {
            answers.add(queue.submit(acquire("run-" + run, 1)).toCompletableFuture());
        }

        runTasks();

        assertThat(answers).allSatisfy(answer -> assertThat(answer.join()).isInstanceOf(QueueAnswer.Pending.class));
        assertThat(store.read(PROVIDER).version()).isEqualTo(1);
        assertThat(store.read(PROVIDER).state().waiting()).hasSize(200);
    }

    @Test
    void requestCountsAsSeenWhenItCameNotWhenItWasWritten() throws Exception {
        ProviderQueue queue = queue(engine.acquire(LeaseRequest.of(PROVIDER).waitAtMost(LIMIT)), settings(9));
        status(queue, acquire("one", 1));
        queue.submit(acquire("two", 2));
        pass(Duration.ofHours(2)); // the write before it takes that long
        queue.submit(acquire("one", 1));
        pass(Duration.ofNanos(1));
        queue.submit(new QueueEvent.Tick());
        runTasks();

        assertThat(store.read(PROVIDER).state().hold()).map(Hold::headSha).isEmpty();
        assertThat(store.read(PROVIDER).state().waiting()).containsOnlyKeys("one");
        assertThat(store.read(PROVIDER).state().waiting().get("one").sequence()).isEqualTo(1);
    }

    @Test
    void failedWriteAnswersNoneAndDoesNotCountAsTime() throws Exception {
        ProviderQueue queue = queue(engine.acquire(LeaseRequest.of(PROVIDER).waitAtMost(LIMIT)), settings(9));
        status(queue, acquire("one", 1));
        QueueState before = store.read(PROVIDER).state();
        pass(Duration.ofHours(3));
        ActiveFailPoint failing = database.activate(
                FailPoint.failCommands("update").withErrorCode(2).forAppName(database.name()));
        assertThatThrownBy(() -> status(queue, acquire("two", 2))).hasCauseInstanceOf(NoOwnerException.class);
        failing.close();
        assertThat(store.read(PROVIDER).state()).isEqualTo(before);

        assertThat(status(queue, acquire("two", 2))).isEqualTo("Pending");

        assertThat(store.read(PROVIDER).state().waiting()).containsOnlyKeys("one", "two");
        assertThat(store.read(PROVIDER).state().clockNanos()).isEqualTo(before.clockNanos());
    }

    @Test
    void writeThatTookEffectAfterItSeemedToFailIsFound() throws Exception {
        ProviderQueue queue = queue(engine.acquire(LeaseRequest.of(PROVIDER).waitAtMost(LIMIT)), settings(1));
        status(queue, new QueueEvent.Tick());
        Lease own = engine.acquire(
                LeaseRequest.of("other").waitAtMost(LIMIT)); // any lease gates what the test writes by hand
        ProviderQueue same =
                new ProviderQueue(PROVIDER, own, new QueueRules(settings(1)), store, nanos::get, tasks::add, SILENT);
        assertThat(status(same, acquire("one", 1))).isEqualTo("Acquired");

        QueueAnswer again = answer(queue, acquire("one", 1));

        assertThat(((QueueAnswer.Acquired) again).hold().token()).isEqualTo(1);
    }

    @Test
    void stateComesBackFromTheDatabaseAsItWas() throws Exception {
        ProviderQueue queue = queue(engine.acquire(LeaseRequest.of(PROVIDER).waitAtMost(LIMIT)), settings(2));
        for (int run = 0; run < 12; run++) {
            status(queue, acquire("run-" + run, 1 + run % 3));
        }
        status(
                queue,
                new QueueEvent.Release(
                        store.read(PROVIDER)
                                .state()
                                .hold()
                                .orElseThrow()
                                .request()
                                .id(),
                        AskedStatus.SUCCESS,
                        OptionalLong.empty(),
                        Requester.ANY));
        status(queue, acquire("late", 1));
        status(queue, acquire("later", 2));
        QueueState read = store.read(PROVIDER).state();

        assertThat(read.ended())
                .hasSize(12
                        - (int) read.waiting().keySet().stream()
                                .filter(sha -> sha.startsWith("run"))
                                .count());
        assertThat(read.waiting().values()).extracting(PendingRequest::sequence).isSorted();
        assertThat(read.history()).hasSize(1);
        assertThat(stored(store)).containsExactly(PROVIDER);
    }

    private static List<String> stored(ProviderStore store) {
        return List.copyOf(store.revisions().keySet());
    }

    @Test
    void documentsOfIdleProvidersAreRemoved() throws Exception {
        for (String provider : List.of("acme/shop/held", "acme/shop/idle")) {
            ProviderQueue queue = new ProviderQueue(
                    provider,
                    engine.acquire(LeaseRequest.of(provider).waitAtMost(LIMIT)),
                    new QueueRules(settings(1)),
                    store,
                    nanos::get,
                    tasks::add,
                    SILENT);
            status(queue, acquire("one", 1));
            if (provider.endsWith("idle")) {
                status(queue, new QueueEvent.Withdraw(RequestId.of("one"), OptionalLong.empty(), Requester.ANY));
            }
            status(queue, new QueueEvent.Tick());
        }

        assertThat(store.removeIdle(Duration.ofHours(1))).isZero();
        assertThat(store.removeIdle(Duration.ofSeconds(-60))).isEqualTo(1);

        assertThat(stored(store)).containsExactly("acme/shop/held");
    }

    private static class ListenerAdapter implements DecisionListener {

        @Override
        public void committed(String provider, List<EndedHold> ended, List<EndedWait> waits, int events) {}

        @Override
        public void serves(String provider, QueueState state) {}

        @Override
        public void left(String provider) {}
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private ProviderQueue takeOver(QueueSettings settings) throws InterruptedException {
        engine.close();
        engine = engine();
        return queue(engine.acquire(LeaseRequest.of(PROVIDER).waitAtMost(LIMIT)), settings);
    }

    private LeaseEngine engine() {
        return LeaseEngine.builder(client)
                .database(database.name())
                .namespace("merge-queue")
                .build();
    }

    private ProviderQueue queue(Lease lease, QueueSettings settings) {
        return queue(lease, settings, SILENT);
    }

    private ProviderQueue queue(Lease lease, QueueSettings settings, DecisionListener listener) {
        return new ProviderQueue(PROVIDER, lease, new QueueRules(settings), store, nanos::get, tasks::add, listener);
    }

    /** The window and the maximum hold are an hour and an hour and a half, the TTL is two hours. */
    private static QueueSettings settings(int expected) {
        return new QueueSettings(
                Duration.ofHours(1).toNanos(),
                Duration.ofHours(2).toNanos(),
                expected,
                0,
                Duration.ofMinutes(90).toNanos(),
                QueueSettings.NO_MAXIMUM,
                AfterFailure.COLLECT,
                Newcomers.NEXT_ROUND,
                false,
                Duration.ofHours(24).toNanos(),
                1_000);
    }

    private static QueueEvent acquire(String sha, long priority) {
        return new QueueEvent.Acquire(
                RequestId.of(sha), Payload.of("ref", OptionalLong.of(7)), priority, Requester.ANY);
    }

    private String status(ProviderQueue queue, QueueEvent event) {
        return answer(queue, event).getClass().getSimpleName();
    }

    private QueueAnswer answer(ProviderQueue queue, QueueEvent event) {
        CompletableFuture<QueueAnswer> answer = queue.submit(event).toCompletableFuture();
        runTasks();
        return answer.join();
    }

    private void runTasks() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }
}
