package dev.leasehold.engine.internal.operations;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.internal.metrics.EngineEvent;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.runtime.EngineCallbacks;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.ForwardingStore;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.time.EngineClock;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.SteppedRuntime;
import dev.leasehold.engine.world.TestClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * An engine in whose threads an error is thrown at one point: a reading of the clock, the begin or the end of a command, the moment
 * before a commit is sent, an event, or a line of the log. Points are counted, so that a test can take each in turn.
 */
final class FaultyEngine implements AutoCloseable {

    final TestClock clock = new TestClock(TestClock.Z);
    final SteppedRuntime runtime = new SteppedRuntime(clock);
    final ScriptedStore store = new ScriptedStore();
    final LogCapture log = new LogCapture();
    final LeaseEngine engine;
    /** What the engine sent after the error, apart from reads and from what ends its entry and its open transactions. */
    final List<Object> sentAfterwards = new ArrayList<>();

    private int pointsToGo = Integer.MAX_VALUE;
    private int pointsToTheSecond = Integer.MAX_VALUE;
    private String struck = "";
    private boolean onEngineThread;

    FaultyEngine() {
        log.onEachLine(() -> point("line"));
        engine = SteppedEngine.start(
                SteppedEngine.NAMESPACE,
                1,
                SteppedEngine.BUDGET,
                new Runtime(),
                new Metrics(),
                partition -> new Store());
    }

    /** The point of this number from here on strikes; the first is 1. */
    void strikeAt(int point) {
        pointsToGo = point;
    }

    /** A further point strikes, of this number from the first one on; no point at which a thread is given a task. */
    void strikeAgainAt(int point) {
        pointsToTheSecond = point;
    }

    /** From now on nothing strikes. */
    void disarm() {
        pointsToGo = Integer.MAX_VALUE;
        pointsToTheSecond = Integer.MAX_VALUE;
    }

    boolean hasStruck() {
        return !struck.isEmpty();
    }

    /** Where it struck. */
    String struck() {
        return struck;
    }

    private void point(String what) {
        // A thread that takes no task any more cannot be helped.
        boolean counts = !hasStruck() || !what.startsWith("execute");
        if (onEngineThread && counts && --pointsToGo == 0) {
            struck += (struck.isEmpty() ? "" : ", then ") + what;
            pointsToGo = pointsToTheSecond;
            pointsToTheSecond = Integer.MAX_VALUE;
            // It stands for an OutOfMemoryError, which would end the tests as well.
            throw new InternalError("out of memory");
        }
    }

    @Override
    public void close() {
        log.close();
    }

    private final class Metrics implements EngineMetrics {
        @Override
        public void record(EngineEvent event) {
            point("event " + event.getClass().getSimpleName());
        }
    }

    private final class Store extends ForwardingStore {

        Store() {
            super(store);
        }

        private <T> T between(String what, Supplier<T> command) {
            point("before " + what);
            T result = command.get();
            point("behind " + what);
            return result;
        }

        private void sends(Object what) {
            if (hasStruck()) {
                sentAfterwards.add(what);
            }
        }

        @Override
        public Snapshot read(Set<String> names, String writer) {
            return between("read", () -> super.read(names, writer));
        }

        @Override
        public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
            sends(transaction);
            return between(
                    "commit",
                    () -> super.commit(transaction, () -> {
                        point("asking");
                        boolean may = mayCommit.getAsBoolean();
                        point("asked");
                        return may;
                    }));
        }

        @Override
        public WriteOutcome commitAgain() {
            sends("commit again");
            return between("commit again", super::commitAgain);
        }

        @Override
        public WriteOutcome writeClock(ClockWrite write) {
            boolean closing = write instanceof ClockWrite.Leave
                    || write instanceof ClockWrite.Unlist
                    || write instanceof ClockWrite.Barrier;
            if (!closing) {
                sends(write);
            }
            return between(write.getClass().getSimpleName(), () -> super.writeClock(write));
        }

        @Override
        public WriteOutcome writeLeases(String writer, List<? extends LeaseWrite.Alone> writes) {
            sends(writes);
            return between("single write", () -> super.writeLeases(writer, writes));
        }
    }

    private final class Runtime implements EngineRuntime {

        @Override
        public EngineClock clock() {
            return new EngineClock() {
                @Override
                public long monotonicNanos() {
                    point("clock");
                    return clock.monotonicNanos();
                }

                @Override
                public long wallNanos() {
                    point("wall clock");
                    return clock.wallNanos();
                }
            };
        }

        @Override
        public String uniqueText() {
            return runtime.uniqueText();
        }

        @Override
        public long randomNanos(long boundNanos) {
            point("random");
            return runtime.randomNanos(boundNanos);
        }

        @Override
        public boolean await(CompletableFuture<?> future, long timeoutNanos) throws InterruptedException {
            return runtime.await(future, timeoutNanos);
        }

        @Override
        public EngineThread startThread(String name) {
            return new Thread(runtime.startThread(name));
        }

        @Override
        public EngineCallbacks startCallbacks(String name) {
            return runtime.startCallbacks(name);
        }
    }

    /** A real thread outlives a task that throws. */
    private final class Thread implements EngineThread {

        private final EngineThread thread;

        Thread(EngineThread thread) {
            this.thread = thread;
        }

        private Runnable noted(Runnable task) {
            return () -> {
                onEngineThread = true;
                try {
                    task.run();
                } finally {
                    onEngineThread = false;
                }
            };
        }

        @Override
        public void execute(Runnable task) {
            point("execute");
            thread.execute(noted(task));
        }

        @Override
        public void executeAfter(long delayNanos, Runnable task) {
            point("execute after");
            thread.executeAfter(delayNanos, noted(task));
        }

        @Override
        public void stop() {
            thread.stop();
        }
    }
}
