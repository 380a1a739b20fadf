package dev.leasehold.simulator.run;

import dev.leasehold.engine.internal.runtime.EngineCallbacks;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.time.EngineClock;
import dev.leasehold.simulator.history.WriterName;
import dev.leasehold.simulator.world.SimulatedEngineThread;
import dev.leasehold.simulator.world.SimulatedMachine;
import dev.leasehold.simulator.world.SimulatedProcess;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The clocks, threads and random numbers of an engine in a simulated process. */
final class ProcessRuntime implements EngineRuntime, EngineClock {

    /** The engine's thread that owns the state of handles does no input and output, and so never waits. */
    private static final String NEVER_WAITS = "-handles";

    private final SimulatedProcess process;
    private final SimulatedMachine machine;
    private final @Nullable LongSupplier threadDelayNanos;
    private @Nullable String borrowedText;
    private String newestText = "";
    private int texts;
    private boolean hasReadWall;
    private long firstMonotonicNanos;
    private long firstWallNanos;

    /**
     * Creates one.
     *
     * @param threadDelayNanos how late threads are that never wait; null for not at all
     */
    ProcessRuntime(SimulatedProcess process, @Nullable LongSupplier threadDelayNanos) {
        this.process = process;
        this.machine = process.simulatedMachine();
        this.threadDelayNanos = threadDelayNanos;
    }

    /** The next unique text is not unique: it is that of another engine. */
    void borrowText(String text) {
        borrowedText = text;
    }

    /** What it drew last. */
    String newestText() {
        return newestText;
    }

    /** The next engine is about to be built, whose local time begins with the first time of day that it reads. */
    void beginLocalTime() {
        hasReadWall = false;
    }

    /** How far the engine's local time is from now to that instant. */
    long untilLocalNanos(long localNanos) {
        return localNanos - localNowNanos();
    }

    /** The engine's local time, which began at the wall time of its start. */
    long localNowNanos() {
        return firstWallNanos + (machine.monotonicNanos() - firstMonotonicNanos);
    }

    @Override
    public EngineClock clock() {
        return this;
    }

    @Override
    public long monotonicNanos() {
        process.requireAlive();
        return machine.monotonicNanos();
    }

    @Override
    public long wallNanos() {
        process.requireAlive();
        if (!hasReadWall) {
            hasReadWall = true;
            firstMonotonicNanos = machine.monotonicNanos();
            firstWallNanos = machine.wallNanos();
        }
        return machine.wallNanos();
    }

    @Override
    public String uniqueText() {
        process.requireAlive();
        newestText = borrowedText != null
                ? borrowedText
                : new WriterName(machine.number(), process.incarnation(), texts++).uniqueText();
        borrowedText = null;
        return newestText;
    }

    @Override
    public long randomNanos(long boundNanos) {
        process.requireAlive();
        return machine.seededRandom().upTo(boundNanos);
    }

    @Override
    public boolean await(CompletableFuture<?> future, long timeoutNanos) {
        process.checkWait(timeoutNanos);
        return process.await(future, timeoutNanos);
    }

    @Override
    public EngineThread startThread(String name) {
        process.requireAlive();
        if (!name.endsWith(NEVER_WAITS)) {
            return SimulatedEngineThread.waiting(process, name);
        }
        return threadDelayNanos == null
                ? SimulatedEngineThread.stepping(process)
                : SimulatedEngineThread.delayed(process, threadDelayNanos);
    }

    @Override
    public EngineCallbacks startCallbacks(String name) {
        process.requireAlive();
        return new Callbacks();
    }

    /** What simulated services do in callbacks never waits. */
    private final class Callbacks implements EngineCallbacks {
        @Override
        public void execute(Runnable task) {
            process.requireAlive();
            process.soon(task);
        }

        @Override
        public void stop() {
            // Losses are still told after the engine has ended.
        }
    }
}
