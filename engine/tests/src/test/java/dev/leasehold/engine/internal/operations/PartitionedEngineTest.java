package dev.leasehold.engine.internal.operations;

import static dev.leasehold.engine.internal.commit.SteppedPartition.bySessionOfOther;
import static dev.leasehold.engine.internal.operations.SteppedEngine.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.metrics.EngineEvent.ClockSurveyed;
import dev.leasehold.engine.internal.metrics.EngineEvent.TransactionTried;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.metrics.RecordedMetrics;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.runtime.SystemRuntime;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.SteppedRuntime;
import dev.leasehold.engine.world.TestClock;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An engine on three stores: how it starts, what one that hangs does to the others, and how it ends. */
class PartitionedEngineTest {

    private static final int COUNT = 3;
    private static final int HANGS = 1;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final SteppedRuntime byHand = new SteppedRuntime(new TestClock(TestClock.Z));
    private final Map<Integer, ScriptedStore> stores = new ConcurrentSkipListMap<>();
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private Consumer<Partition> beforeMade = partition -> {};

    @AfterEach
    void letGoOn() {
        mayGoOn.countDown();
    }

    private LeaseStore store(Partition partition) {
        beforeMade.accept(partition);
        ScriptedStore store = new ScriptedStore(partition);
        stores.put(partition.index(), store);
        return store;
    }

    private LeaseEngine start(EngineRuntime runtime, long budgetNanos, EngineMetrics metrics) {
        return SteppedEngine.start("parted", COUNT, budgetNanos, runtime, metrics, this::store);
    }

    private static String leaseIn(int partition) {
        return IntStream.iterate(0, number -> number + 1)
                .mapToObj(number -> "lease-" + number)
                .filter(name -> Partition.indexOf(name, COUNT) == partition)
                .findFirst()
                .orElseThrow();
    }

    private static void meanwhile(Runnable part) {
        new Thread(part).start();
    }

    private void awaitToGoOn() {
        try {
            mayGoOn.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitNoThread() {
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("leasehold-parted")));
    }

    @Test
    void oneThatIsRefusedByTheFirstPartitionDoesNotReachTheOthers() {
        IllegalStateException refused = new IllegalStateException("another number of partitions");
        beforeMade = partition -> {
            throw refused;
        };

        assertThatThrownBy(() -> start(byHand, SteppedEngine.BUDGET, EngineMetrics.NONE))
                .isSameAs(refused);

        assertThat(stores).isEmpty();
        assertThat(byHand.isQuiet()).isTrue();
    }

    @Test
    void theOthersAreOpenedOnlyWhenTheFirstIsOpen() {
        beforeMade =
                partition -> assertThat(partition.index() == 0 || stores.get(0).opens() == 1)
                        .as("store " + partition.index() + " comes after the first")
                        .isTrue();

        start(byHand, SteppedEngine.BUDGET, EngineMetrics.NONE).close();

        assertThat(stores.values()).extracting(ScriptedStore::opens).containsExactly(1, 1, 1);
    }

    @Test
    void onePartitionThatCannotBeOpenedLeavesNothingOpen() {
        IllegalStateException cannot = new IllegalStateException("cannot be opened");
        beforeMade = partition -> {
            if (partition.index() == 2) {
                throw cannot;
            }
        };

        assertThatThrownBy(() -> start(byHand, SteppedEngine.BUDGET, EngineMetrics.NONE))
                .isSameAs(cannot);
        byHand.runDue();

        assertThat(stores.values()).extracting(ScriptedStore::closes).containsExactly(1, 1);
        assertThat(byHand.isQuiet()).isTrue();
    }

    @Test
    void onePartitionThatDoesNotAnswerEndsTheStartAndLeavesNothingOpen() {
        beforeMade = partition -> {
            if (partition.index() == HANGS) {
                awaitToGoOn();
            }
        };

        assertThatThrownBy(() -> start(tiredRuntime(), 20 * SECOND, EngineMetrics.NONE))
                .isInstanceOf(LeaseUnavailableException.class)
                .hasMessageContaining("'parted'");
        mayGoOn.countDown();

        awaitNoThread();
        assertThat(stores.values()).extracting(ScriptedStore::closes).containsExactly(1, 1, 1);
    }

    /** Its waits for others than the first partition are over as soon as all is open that does not hang. */
    private EngineRuntime tiredRuntime() {
        EngineRuntime system = new SystemRuntime();
        int[] waits = new int[1];
        return (EngineRuntime) Proxy.newProxyInstance(
                EngineRuntime.class.getClassLoader(),
                new Class<?>[] {EngineRuntime.class},
                (proxy, method, arguments) -> {
                    if (!method.getName().equals("await") || waits[0]++ == 0) {
                        return method.invoke(system, arguments);
                    }
                    await().until(() -> stores.containsKey(2) && stores.get(2).opens() == 1);
                    return false;
                });
    }

    /** The partition hangs in its next commit, before it has landed or behind that; the latch tells that it does. */
    private CountDownLatch hangsInItsNextCommit(boolean landed) {
        CountDownLatch hangs = new CountDownLatch(1);
        stores.get(HANGS).onCommit((transaction, mayCommit) -> {
            WriteOutcome outcome = landed ? stores.get(HANGS).apply(transaction, mayCommit) : null;
            hangs.countDown();
            awaitToGoOn();
            return outcome == null ? stores.get(HANGS).apply(transaction, mayCommit) : outcome;
        });
        return hangs;
    }

    @Test
    void threadThatHangsHoldsUpNoOtherPartition() throws Exception {
        LeaseEngine engine = start(new SystemRuntime(), 20 * SECOND, EngineMetrics.NONE);
        CountDownLatch hangs = hangsInItsNextCommit(false);
        CompletableFuture<LeaseResult> hanging =
                CompletableFuture.supplyAsync(() -> claim(engine, leaseIn(HANGS)), PartitionedEngineTest::meanwhile);
        assertThat(hangs.await(60, TimeUnit.SECONDS)).isTrue();

        for (int partition : List.of(0, 2)) {
            assertThat(engine.tryAcquire(leaseIn(partition)).asOptional()).isPresent();
        }

        assertThat(hanging).isNotDone();
        mayGoOn.countDown();
        assertThat(hanging.get(60, TimeUnit.SECONDS).isGranted()).isTrue();
        engine.close();
        awaitNoThread();
    }

    private static LeaseResult claim(LeaseEngine engine, String name) {
        try {
            return engine.tenures().claim(name, "h", MINUTE);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void threadThatHangsDoesNotKeepTheOthersFromLeaving() throws Exception {
        LeaseEngine engine = start(new SystemRuntime(), 4 * SECOND, EngineMetrics.NONE);
        for (int partition = 0; partition < COUNT; partition++) {
            assertThat(engine.tryAcquire(leaseIn(partition)).asOptional()).isPresent();
        }
        CountDownLatch hangs = new CountDownLatch(1);
        stores.get(HANGS).onRead(() -> {
            hangs.countDown();
            awaitToGoOn();
        });
        CompletableFuture.runAsync(() -> refresh(engine, leaseIn(HANGS)), PartitionedEngineTest::meanwhile);
        assertThat(hangs.await(60, TimeUnit.SECONDS)).isTrue();

        engine.close();

        await().until(() -> stores.get(0).closes() == 1 && stores.get(2).closes() == 1);
        assertThat(stores.get(0).writerNames()).isEmpty();
        assertThat(stores.get(2).writerNames()).isEmpty();
        assertThat(stores.get(HANGS).closes()).isZero();
        mayGoOn.countDown();
        awaitNoThread();
        assertThat(stores.get(HANGS).writerNames()).as("as soon as it can").isEmpty();
    }

    private static void refresh(LeaseEngine engine, String name) {
        try {
            engine.refresh(List.of(name));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("After an error in the thread of one partition, what another has sent is not committed any more")
    void errorOfOnePartitionKeepsTheOthersFromCommitting() throws Exception {
        LeaseEngine engine = start(new SystemRuntime(), 20 * SECOND, EngineMetrics.NONE);
        Lease held = engine.tryAcquire(leaseIn(2)).orElseThrow();
        CountDownLatch hangs = hangsInItsNextCommit(false);
        CompletableFuture<LeaseResult> hanging =
                CompletableFuture.supplyAsync(() -> claim(engine, leaseIn(HANGS)), PartitionedEngineTest::meanwhile);
        assertThat(hangs.await(60, TimeUnit.SECONDS)).isTrue();

        stores.get(0).onRead(ScriptedStore.failing(new InternalError("out of memory")));
        assertThatThrownBy(() -> refresh(engine, leaseIn(0))).isInstanceOf(LeaseEngineClosedException.class);
        assertThat(held.isHeld()).isFalse();
        mayGoOn.countDown();

        assertThatThrownBy(() -> hanging.get(60, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(LeaseEngineClosedException.class);
        // Only then: the partition closes on its own thread, and two threads must not ask the simulated database at
        // once.
        awaitNoThread();
        assertThat(stores.get(HANGS).has(leaseIn(HANGS))).isFalse();
        assertThat(stores.values()).extracting(ScriptedStore::closes).containsExactly(1, 1, 1);
    }

    @Test
    @DisplayName("What another partition had committed by then is answered with its yes")
    void whatAnotherPartitionHadCommittedIsAnswered() throws Exception {
        LeaseEngine engine = start(new SystemRuntime(), 20 * SECOND, EngineMetrics.NONE);
        CountDownLatch hangs = hangsInItsNextCommit(true);
        CompletableFuture<Acquisition> hanging = engine.tryAcquireAsync(
                        LeaseRequest.of(leaseIn(HANGS)).term(MINUTE))
                .toCompletableFuture();
        assertThat(hangs.await(60, TimeUnit.SECONDS)).isTrue();

        stores.get(0).onRead(ScriptedStore.failing(new InternalError("out of memory")));
        assertThatThrownBy(() -> refresh(engine, leaseIn(0))).isInstanceOf(LeaseEngineClosedException.class);
        mayGoOn.countDown();

        Lease lease = hanging.get(60, TimeUnit.SECONDS).orElseThrow();
        assertThat(lease.isHeld()).isFalse();
        CompletableFuture<LeaseLoss> loss = new CompletableFuture<>();
        lease.onLost(loss::complete);
        assertThat(loss.get(60, TimeUnit.SECONDS).reason()).isEqualTo(LeaseLoss.Reason.ENGINE_FAILED);
        awaitNoThread();
    }

    private void waitsInTheQueueOf(LeaseEngine engine, int partition) {
        stores.get(partition).put(new WriterEntry.Sound("b#1", 1, null, 3600 * SECOND, null));
        stores.get(partition)
                .put(bySessionOfOther(
                        partition == 0 ? "parted" : "parted~" + partition, leaseIn(partition), "other", 1, 1));
        engine.tryAcquireAsync(LeaseRequest.of(leaseIn(partition)).waitAtMost(Duration.ofHours(1)));
    }

    @Test
    @DisplayName("A queue is looked at every second while another partition does not answer")
    void partitionThatDoesNotAnswerDelaysNoLookOfTheOthers() {
        LeaseEngine engine = start(byHand, SteppedEngine.BUDGET, EngineMetrics.NONE);
        waitsInTheQueueOf(engine, 0);
        waitsInTheQueueOf(engine, HANGS);
        byHand.runFor(10 * SECOND);
        List<Integer> looks = new ArrayList<>();
        stores.get(HANGS).onRead(() -> {
            int before = stores.get(0).reads().size();
            byHand.runFor(4 * SECOND);
            looks.add(stores.get(0).reads().size() - before);
        });

        byHand.runFor(2 * SECOND);

        assertThat(looks).containsExactly(4);
    }

    @Test
    @DisplayName("After a failed read the leases of its partition are read again, and no others")
    void failedReadOfOnePartitionIsRepeatedInThatOnly() throws InterruptedException {
        LeaseEngine engine = start(byHand, SteppedEngine.BUDGET, EngineMetrics.NONE);
        stores.get(0).stream().failAlways(new LeaseStoreException("not allowed", null));
        engine.tryAcquire(leaseIn(0)).orElseThrow();
        engine.tryAcquire(leaseIn(HANGS)).orElseThrow();
        byHand.runFor(2 * SECOND);
        int before = stores.get(0).reads().size();
        int beforeInTheOther = stores.get(HANGS).reads().size();
        for (int i = 0; i < 3; i++) {
            stores.get(HANGS).onRead(ScriptedStore.failing(new LeaseStoreException("no right to read", null)));
        }

        byHand.runFor(40 * SECOND);

        assertThat(stores.get(0).reads()).hasSize(before + 1);
        assertThat(stores.get(HANGS).reads()).hasSize(beforeInTheOther + 4);
    }

    @Test
    void metersCountAllPartitionsTogetherAndLookAtEachClock() throws InterruptedException {
        RecordedMetrics meters = new RecordedMetrics();
        LeaseEngine engine = start(byHand, SteppedEngine.BUDGET, meters);
        byHand.runDue();
        for (int partition = 0; partition < COUNT; partition++) {
            assertThat(engine.tenures().claim(leaseIn(partition), "h", MINUTE).isGranted())
                    .isTrue();
        }
        engine.close();

        assertThat(meters.events(TransactionTried.class))
                .filteredOn(tried -> tried.verdict() == Verdict.APPLIED)
                .hasSize(COUNT);
        assertThat(meters.events(ClockSurveyed.class))
                .extracting(surveyed -> surveyed.read().partition(), ClockSurveyed::sizeBytes)
                .containsExactlyInAnyOrder(tuple("parted", 114L), tuple("parted~1", 116L), tuple("parted~2", 116L));
        assertThat(meters.closes()).isEqualTo(1);
    }

    @Test
    void everyClockIsSurveyedEveryMinuteEvenIfOneCannotBe() {
        LeaseEngine engine = start(byHand, SteppedEngine.BUDGET, new RecordedMetrics());
        stores.get(HANGS).onRead(ScriptedStore.failing(new LeaseUnavailableException("scripted outage", null)));

        byHand.runFor(600 * SECOND);
        engine.close();

        assertThat(stores.values()).extracting(ScriptedStore::surveys).containsExactly(11, 11, 11);
    }

    @Test
    void writerIsAnotherOneInEachPartition() throws InterruptedException {
        LeaseEngine engine = start(byHand, SteppedEngine.BUDGET, EngineMetrics.NONE);
        for (int partition = 0; partition < COUNT; partition++) {
            engine.tryAcquire(leaseIn(partition));
        }

        assertThat(stores.values().stream().flatMap(store -> store.writerNames().stream()))
                .hasSize(COUNT)
                .doesNotHaveDuplicates();
    }
}
