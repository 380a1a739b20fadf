package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.notAcquired;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.engine.world.TestClock;
import dev.leasehold.replicaset.FailPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiting for a lease that {@code a} holds: what wakes it, in which order, and what it leaves behind. */
class WaitingIT extends WithEngines {

    private static final LeaseRequest SESSION = LeaseRequest.of("name").holder("h");
    private static final LeaseRequest TERM = SESSION.term(ofSeconds(60));
    private static final Duration LONG = ofHours(1);
    private static final int UNAUTHORIZED = 13;

    private TestEngine a;
    private TestEngine b;

    @BeforeEach
    void startBoth() {
        a = engines.start("a");
        b = engines.start("b");
    }

    private static Lease get(Future<Acquisition> acquisition) throws Exception {
        return acquisition.get(1, TimeUnit.MINUTES).orElseThrow();
    }

    @Test
    @DisplayName("HA-24: a release wakes those that wait in another process, whatever the expiry")
    void aReleaseWakesWaiters() throws Exception {
        for (LeaseRequest request : List.of(SESSION, TERM)) {
            Lease lease = a.acquires(request);
            CompletableFuture<Acquisition> waiting = b.waitsFor("name");

            lease.close();

            assertThat(get(waiting).token()).isEqualTo(lease.token() + 1);
            get(waiting).close();
        }
    }

    @Test
    @DisplayName("HA-24: what is woken by a release claims the lease without reading it first")
    void aReleaseTellsWhatIsToBeKnown() throws Exception {
        for (LeaseRequest request : List.of(SESSION, TERM)) {
            Lease lease = a.acquires(request);
            int waitsForChanges = b.hooks().waitsForChanges();
            CompletableFuture<Acquisition> waiting = b.waitsFor(request.holder("h2"), LONG);
            // What begins to listen polls once at what it may have missed.
            await().until(() -> b.hooks().waitsForChanges() > waitsForChanges);
            b.settles();
            b.hooks().forgetCommands();

            lease.close();
            get(waiting).close();

            // What it reads afterwards is what else waits.
            assertThat(b.hooks().commands().get(0).getFirstKey()).isEqualTo("update");
        }
    }

    @Test
    @DisplayName("HA-24: closing an engine wakes those that wait for what its session kept")
    void aCloseWakesWaiters() throws Exception {
        a.acquires(SESSION);
        CompletableFuture<Acquisition> waiting = b.waitsFor("name");

        a.close();

        assertThat(get(waiting).token()).isEqualTo(2);
    }

    @Test
    @DisplayName("HA-24: within one process the next is woken without a change stream")
    void theNextInOneProcess() throws Exception {
        engines.database()
                .activate(FailPoint.failCommands("aggregate")
                        .withErrorCode(UNAUTHORIZED)
                        .forAppName(engines.database().name()));
        Lease lease = a.acquires(SESSION);
        CompletableFuture<Acquisition> waiting = a.waitsFor("name");

        lease.close();

        assertThat(get(waiting).token()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "HA-25: the holder's engine is dead: acquired one nanosecond after the bound of its session, and not at it")
    void theHolderIsDead() throws Exception {
        a.acquires(SESSION);
        CompletableFuture<Acquisition> waiting = b.waitsFor("name");

        b.clock().advance(ofSeconds(30));
        b.settles();
        assertThat(waiting).isNotDone();
        b.clock().advance(1);

        assertThat(get(waiting).token()).isEqualTo(2);
    }

    @Test
    @DisplayName("HA-25: a holder that lives keeps those waiting, however long")
    void theHolderLives() throws Exception {
        Lease lease = a.acquires(SESSION);
        CompletableFuture<Acquisition> waiting = b.waitsFor("name");

        for (int i = 0; i < 12; i++) {
            a.clock().advance(ofSeconds(10));
            a.heartbeats();
            b.clock().advance(ofSeconds(10));
            b.settles();
            assertThat(waiting).isNotDone();
        }

        assertThat(lease.isHeld()).isTrue();
        assertThat(engines.shortForm("name")).isEqualTo("h/1");
    }

    @Test
    @DisplayName("HA-28: the wake-up follows what the database says: nothing at 63 s, and one nanosecond later it acts")
    void theWakeUpFollowsTheDatabase() throws Exception {
        // Before the claim: b looks at the writers by itself, and would see that of a three seconds earlier.
        b.clock().advance(ofSeconds(3));
        a.claims("name", "h", ofSeconds(60));
        CompletableFuture<Acquisition> waiting = b.waitsFor("name");

        b.clock().advance(ofSeconds(60));
        b.settles();
        assertThat(waiting).isNotDone();
        b.clock().advance(1);

        assertThat(get(waiting).token()).isEqualTo(2);
    }

    @Test
    @DisplayName("HA-26: a wait that is over: not acquired, with how the lease stood, and nothing comes later")
    void aWaitThatIsOver() throws Exception {
        Lease lease = a.acquires(SESSION.comment("nightly run"));
        CompletableFuture<Acquisition> waiting = b.waitsFor(SESSION.holder("h2"), ofSeconds(7));
        b.clock().advance(ofSeconds(7).minusNanos(1));
        b.settles();
        assertThat(waiting).isNotDone();

        b.clock().advance(1);

        Refusal refusal = notAcquired(waiting.get(1, TimeUnit.MINUTES), Reason.HELD);
        assertThat(((LeaseState.Held) refusal.state()).comment()).isEqualTo("nightly run");
        assertThat(b.engine().health().waiters()).isZero();
        lease.close();
        b.settles();
        assertThat(engines.shortForm("name")).isEqualTo("-/1");
    }

    @Test
    @DisplayName("HA-26: an interrupted wait throws, and leaves no lease behind")
    void anInterruptedWait() throws Exception {
        Lease lease = a.acquires(SESSION);
        Caller caller = new Caller(b);
        await().until(() -> b.engine().health().waiters() == 1);

        caller.thread.interrupt();

        assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
        await().until(() -> b.engine().health().waiters() == 0);
        lease.close();
        b.settles();
        assertThat(engines.shortForm("name")).isEqualTo("-/1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"BEFORE_UPDATE", "BEFORE_COMMIT", "AFTER_COMMIT"})
    @DisplayName("HA-26: interrupted while it is being granted: no lease is left behind")
    void interruptedWhileItIsBeingGranted(Point point) throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        b.hooks().once(point, () -> {
            thread.get().interrupt();
            await().until(() -> b.engine().health().waiters() == 0);
        });
        Caller caller = new Caller(b);
        thread.complete(caller.thread);

        assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
        await().untilAsserted(() -> assertThat(engines.shortForm("name")).isIn("none", "-/1"));
        b.settles();
        assertThat(engines.shortForm("name")).isIn("none", "-/1");
        assertThat(b.engine().health().heldLeases()).isZero();
    }

    /** A thread that waits for the lease. */
    private static final class Caller {

        private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
        private final Thread thread;

        Caller(TestEngine engine) {
            thread = new Thread(() -> {
                try {
                    engine.engine().acquire(LeaseRequest.of("name").waitAtMost(LONG));
                    failure.complete(null);
                } catch (Throwable e) {
                    failure.complete(e);
                }
            });
            thread.start();
        }

        Throwable failure() throws Exception {
            return failure.get(1, TimeUnit.MINUTES);
        }
    }

    @Test
    @DisplayName("A cancelled wait leaves no lease behind")
    void aCancelledWait() throws Exception {
        Lease lease = a.acquires(SESSION);
        CompletableFuture<Acquisition> waiting = b.waitsFor("name");

        waiting.cancel(false);
        await().until(() -> b.engine().health().waiters() == 0);
        lease.close();
        b.settles();

        assertThat(engines.shortForm("name")).isEqualTo("-/1");
    }

    @Test
    @DisplayName("HA-27: without any message a poll by itself finds a lease that was freed, within 5 s")
    void aPollByItselfFindsWhatWasFreed() throws Exception {
        engines.database()
                .activate(FailPoint.failCommands("aggregate")
                        .withErrorCode(UNAUTHORIZED)
                        .forAppName(engines.database().name()));
        Lease lease = a.acquires(SESSION);
        CompletableFuture<Acquisition> waiting = b.waitsFor("name");
        lease.close();
        b.settles();
        assertThat(waiting).isNotDone();

        b.clock().advance(ofSeconds(5));

        assertThat(get(waiting).token()).isEqualTo(2);
    }

    @Test
    @DisplayName("HA-27: a lease whose writer is gone, of which nothing was known before, is taken at once")
    void aLeaseWhoseWriterIsGone() throws Exception {
        a.acquires(SESSION);
        a.close();
        assertThat(engines.shortForm("name")).as("only its writer is gone").isEqualTo("h/1");
        TestEngine c = engines.start("c");

        assertThat(c.acquires("name").token()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "HA-27: what waits for the lease of a process that died, of which nothing was known before, polls again by"
                    + " itself")
    void aLeaseThatADeadProcessStillKeeps() throws Exception {
        a.acquires(SESSION);
        // Nothing comes from it any more: its clock stands still, and nothing will write its lease.
        TestEngine c = engines.start("c");
        CompletableFuture<Acquisition> waiting = c.waitsFor("name");

        for (int i = 0; i < 6; i++) {
            c.clock().advance(ofSeconds(5));
            c.settles();
            assertThat(waiting).isNotDone();
        }
        c.clock().advance(1);

        assertThat(get(waiting).token()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "HA-29: of many leases that are due one is corrupt and one was extended: the others are acquired, and the"
                    + " engine goes on")
    void oneThatIsDueDoesNotStopTheOthers() throws Exception {
        List<String> due = List.of("due 1", "corrupt", "due 2", "extended", "due 3");
        Map<String, Tenure> held = new HashMap<>();
        Map<String, CompletableFuture<Acquisition>> waiting = new HashMap<>();
        for (String name : due) {
            held.put(name, a.claims(name, "h", ofSeconds(60)));
            waiting.put(name, b.waitsFor(LeaseRequest.of(name).holder("h2"), LONG));
        }
        engines.expectCorruptDocuments();
        engines.documents().updateOne(Filters.eq("_id", Engines.NAMESPACE + "#corrupt"), Updates.unset("token"));
        a.extendsTo(held.get("extended"), ofHours(2));

        b.clock().advance(ofSeconds(60).plusNanos(1));

        for (String name : List.of("due 1", "due 2", "due 3")) {
            assertThat(get(waiting.get(name)).token()).as(name).isEqualTo(2);
        }
        assertThatThrownBy(() -> get(waiting.get("corrupt"))).hasCauseInstanceOf(CorruptDocumentException.class);
        b.settles();
        assertThat(waiting.get("extended")).isNotDone();
        a.releases(held.get("extended"));
        assertThat(get(waiting.get("extended")).token()).isEqualTo(2);
        assertThat(b.acquires("another").isHeld()).isTrue();
    }

    @Test
    @DisplayName("Among those that wait in one process, the one that came first is served first")
    void firstToComeIsServedFirst() throws Exception {
        int waiters = 40;
        Lease lease = a.acquires(SESSION);
        List<Integer> served = new CopyOnWriteArrayList<>();
        ExecutorService callers = Executors.newFixedThreadPool(waiters);
        List<Future<?>> ends = new ArrayList<>();
        for (int number = 0; number < waiters; number++) {
            int mine = number;
            ends.add(callers.submit(() -> {
                try (Lease next = b.engine().acquire(LeaseRequest.of("name").waitAtMost(LONG))) {
                    served.add(mine);
                    return next;
                }
            }));
            await().pollInterval(Duration.ofMillis(1))
                    .until(() -> b.engine().health().waiters() == mine + 1);
        }

        lease.close();

        for (Future<?> end : ends) {
            end.get(60, TimeUnit.SECONDS);
        }
        callers.shutdown();
        assertThat(served).isEqualTo(IntStream.range(0, waiters).boxed().toList());
        assertThat(engines.shortForm("name")).isEqualTo("-/" + (waiters + 1));
    }

    @Test
    @DisplayName("Hundreds that wait cost no thread each")
    void hundredsOfWaitersCostNoThread() throws Exception {
        int waiters = 400;
        TestEngine c = engines.start("crowd", "c", TestClock.atZ());
        TestEngine d = engines.start("crowd", "d", TestClock.atZ());
        List<Lease> held = new ArrayList<>();
        for (int number = 0; number < 20; number++) {
            held.add(c.acquires("lease " + number));
        }
        d.isRefused("lease 0", Reason.HELD);
        ConcurrentLinkedQueue<Long> tokens = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int number = 0; number < waiters; number++) {
            ends.add(d.engine()
                    .acquireAsync(LeaseRequest.of("lease " + number % 20).waitAtMost(LONG))
                    .thenAccept(lease -> {
                        tokens.add(lease.token());
                        lease.close();
                    })
                    .toCompletableFuture());
        }
        d.settles();
        assertThat(d.engine().health().waiters()).isEqualTo(waiters);
        assertThat(threads("leasehold-crowd"))
                .as("of two engines, without callbacks")
                .hasSizeLessThanOrEqualTo(6);

        held.forEach(Lease::close);

        CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        assertThat(tokens).hasSize(waiters);
        assertThat(new HashSet<>(tokens))
                .as("every waiter of a lease had a tenure of its own")
                .hasSize(waiters / 20);
        assertThat(threads("leasehold-crowd"))
                .as("with four for callbacks each")
                .hasSizeLessThanOrEqualTo(14);
    }

    private static Set<Thread> threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(prefix))
                .collect(Collectors.toSet());
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    @DisplayName("Virtual threads wait, one after the other, and never two at a time")
    void virtualThreadsWait() throws Exception {
        int waiters = 200;
        Lease lease = a.acquires(SESSION);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        ExecutorService callers = oneVirtualThreadPerTask();
        List<Future<?>> ends = new ArrayList<>();
        for (int number = 0; number < waiters; number++) {
            ends.add(callers.submit(() -> {
                try (Lease next = b.engine().acquire(LeaseRequest.of("name").waitAtMost(LONG))) {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    Thread.yield();
                    inside.decrementAndGet();
                    return next.token();
                }
            }));
        }
        await().until(() -> b.engine().health().waiters() == waiters);

        lease.close();

        for (Future<?> end : ends) {
            end.get(60, TimeUnit.SECONDS);
        }
        callers.shutdown();
        assertThat(most).hasValue(1);
        assertThat(engines.shortForm("name")).isEqualTo("-/" + (waiters + 1));
    }

    /** By name, because the module is compiled for a Java without them. */
    private static ExecutorService oneVirtualThreadPerTask() throws ReflectiveOperationException {
        return (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    @Test
    @DisplayName("A wait that is refused by bad arguments sends nothing")
    void badArgumentsAreRefused() {
        b.hooks().forgetCommands();
        assertThatThrownBy(() -> b.engine().tryAcquire((LeaseRequest) null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("request null");
        assertThatThrownBy(() -> b.engine().tryAcquire(SESSION.waitAtMost(null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wait null");
        assertThatThrownBy(() -> b.engine().tryAcquireAsync(SESSION.waitAtMost(ofSeconds(-1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wait PT-1S");
        assertThatThrownBy(() -> b.engine().acquire(SESSION.waitAtMost(Duration.ofDays(36_501))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wait PT876024H");
        assertThatThrownBy(() -> b.engine().acquire((LeaseRequest) null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("request null");
        assertThatThrownBy(() -> b.engine().elect(SESSION.waitAtMost(ofSeconds(5))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wait PT5S is refused for the election of 'name'");
        assertThatThrownBy(() -> b.engine().tryAcquire(SESSION.term(ofSeconds(10))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("term PT10S")
                .hasMessageContaining("operation budget, which is PT10S");
        assertThatThrownBy(() -> b.engine().tryAcquire(SESSION.term(ofSeconds(60), ofSeconds(30))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("renewal period PT30S")
                .hasMessageContaining("PT1M");
        assertThatThrownBy(() -> b.engine().runWhileHeld(SESSION, (HeldTask<String, RuntimeException>) null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("task null");
        assertThatThrownBy(() -> b.engine().runWhileHeld(SESSION, (Runnable) null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("task null");
        assertThat(b.hooks().commands()).isEmpty();
    }
}
