package dev.leasehold.engine;

import dev.leasehold.engine.internal.runtime.EngineCallbacks;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.runtime.SystemRuntime;
import dev.leasehold.engine.internal.time.EngineClock;
import dev.leasehold.engine.internal.time.StampClock;
import dev.leasehold.engine.world.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/** Real threads under a clock of the test. Waits are as short as they can be. */
final class TestRuntime implements EngineRuntime {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The period of heartbeats and of looks at the writers. What waits for less is a retry, or the rest of a period. */
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** To the handles, for the attempt, the ticket, and the read behind it, each to the engine and back; and three to spare, for retries. */
    private static final int HANDOVERS = 7;

    private final SystemRuntime system = new SystemRuntime();
    private final TestClock clock;
    private final boolean periodsByTheClock;
    private final List<EngineThread> threads = new CopyOnWriteArrayList<>();
    private final AtomicInteger waitingCallers = new AtomicInteger();

    TestRuntime(TestClock clock) {
        this(clock, false);
    }

    /**
     * @param periodsByTheClock whether what waits for a whole period waits until the test's clock has moved that far. If
     *     not, an engine whose clock stands still looks at the writers every millisecond of true time
     */
    TestRuntime(TestClock clock, boolean periodsByTheClock) {
        this.clock = clock;
        this.periodsByTheClock = periodsByTheClock;
    }

    /** Returns when so many callers have handed in what they want and wait for the engine's thread. */
    void untilCallersWait(int callers) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(1))
                .atMost(Duration.ofNanos(PATIENCE_NANOS))
                .until(() -> waitingCallers.get() >= callers);
    }

    @Override
    public EngineClock clock() {
        return clock;
    }

    @Override
    public String uniqueText() {
        return system.uniqueText();
    }

    @Override
    public long randomNanos(long boundNanos) {
        return system.randomNanos(boundNanos);
    }

    /** The test's clock may stand still, so what bounds the wait is only the patience with a test that hangs. */
    @Override
    public boolean await(CompletableFuture<?> future, long timeoutNanos) throws InterruptedException {
        waitingCallers.incrementAndGet();
        try {
            if (!system.await(future, PATIENCE_NANOS)) {
                throw new AssertionError("the engine did not answer");
            }
            return true;
        } finally {
            waitingCallers.decrementAndGet();
        }
    }

    @Override
    public EngineCallbacks startCallbacks(String name) {
        return system.startCallbacks(name);
    }

    /**
     * Returns when all that is due at the present time of the clock is done, as far as it does not wait for others: what one
     * thread hands to another too. The thread that listens for changes is left out, since it always waits.
     */
    void settle() {
        for (int round = 0; round < HANDOVERS; round++) {
            threads.forEach(TestRuntime::untilItHasRun);
        }
    }

    /** Delays are cut short to less than this one, so that whatever was due before comes first. */
    private static void untilItHasRun(EngineThread thread) {
        CompletableFuture<Void> ran = new CompletableFuture<>();
        thread.executeAfter(2 * PAUSE_NANOS, () -> ran.complete(null));
        ran.orTimeout(PATIENCE_NANOS, TimeUnit.NANOSECONDS).join();
    }

    /** On the thread that asks the database, which is the first that an engine starts: no command is under way meanwhile. */
    void betweenCommands(Runnable act) {
        CompletableFuture<Void> acted = new CompletableFuture<>();
        threads.get(0).execute(() -> {
            act.run();
            acted.complete(null);
        });
        acted.orTimeout(PATIENCE_NANOS, TimeUnit.NANOSECONDS).join();
    }

    @Override
    public EngineThread startThread(String name) {
        EngineThread thread = system.startThread(name);
        if (!name.endsWith("-watch")) {
            threads.add(thread);
        }
        return new EngineThread() {
            @Override
            public void execute(Runnable task) {
                thread.execute(task);
            }

            @Override
            public void executeAfter(long delayNanos, Runnable task) {
                if (periodsByTheClock && delayNanos >= PERIOD_NANOS) {
                    long dueNanos = StampClock.sum(clock.wallNanos(), delayNanos);
                    thread.executeAfter(PAUSE_NANOS, () -> executeAt(dueNanos, task));
                } else {
                    thread.executeAfter(Math.min(delayNanos, PAUSE_NANOS), task);
                }
            }

            /** By the source that a test moves last, so that nothing runs between the two. */
            private void executeAt(long dueNanos, Runnable task) {
                if (clock.wallNanos() >= dueNanos) {
                    task.run();
                } else {
                    thread.executeAfter(PAUSE_NANOS, () -> executeAt(dueNanos, task));
                }
            }

            @Override
            public void stop() {
                threads.remove(thread);
                thread.stop();
            }
        };
    }
}
