package dev.leasehold.simulator.run;

import dev.leasehold.engine.internal.runtime.EngineCallbacks;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.time.EngineClock;
import dev.leasehold.simulator.history.WriterName;
import dev.leasehold.simulator.world.NegativeWait;
import dev.leasehold.simulator.world.SimulatedMachine;
import dev.leasehold.simulator.world.SimulatedProcess;
import dev.leasehold.simulator.world.SimulatedProcessThread;
import dev.leasehold.simulator.world.StepThread;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What an engine finds on a simulated machine. */
final class ProgramRuntime implements EngineRuntime, EngineClock {

    /** The engine's thread that owns the state of handles does no input and output, and so never waits. */
    private static final String NEVER_WAITS = "-handles";

    private final SimulatedProcess simulatedProcess;
    private final SimulatedMachine simulatedMachine;
    private final @Nullable Lateness lateness;
    private @Nullable String borrowedText;
    private String newestText = "";
    private int texts;
    private boolean begun;
    private long firstMonotonicNanos;
    private long firstWallNanos;

    /**
     * Of a machine.
     *
     * @param lateness how late threads are that never wait; null for not at all
     */
    ProgramRuntime(SimulatedProcess simulatedProcess, @Nullable Lateness lateness) {
        this.simulatedProcess = simulatedProcess;
        this.simulatedMachine = simulatedProcess.simulatedMachine();
        this.lateness = lateness;
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
        begun = false;
    }

    /** How far the engine's local time, which began at the wall time of its start, is from now to that instant. */
    long untilLocalNanos(long localNanos) {
        return localNanos - localNowNanos();
    }

    long localNowNanos() {
        return firstWallNanos + (simulatedMachine.monotonicNanos() - firstMonotonicNanos);
    }

    @Override
    public EngineClock clock() {
        return this;
    }

    @Override
    public long monotonicNanos() {
        simulatedProcess.requireAlive();
        return simulatedMachine.monotonicNanos();
    }

    @Override
    public long wallNanos() {
        simulatedProcess.requireAlive();
        if (!begun) {
            begun = true;
            firstMonotonicNanos = simulatedMachine.monotonicNanos();
            firstWallNanos = simulatedMachine.wallNanos();
        }
        return simulatedMachine.wallNanos();
    }

    @Override
    public String uniqueText() {
        simulatedProcess.requireAlive();
        String text = borrowedText;
        borrowedText = null;
        newestText = text != null
                ? text
                : new WriterName(simulatedMachine.number(), simulatedProcess.incarnation(), texts++).uniqueText();
        return newestText;
    }

    @Override
    public long randomNanos(long boundNanos) {
        simulatedProcess.requireAlive();
        return simulatedMachine.seededRandom().upTo(boundNanos);
    }

    @Override
    public boolean await(CompletableFuture<?> future, long timeoutNanos) {
        NegativeWait.record(simulatedProcess, timeoutNanos);
        return simulatedProcess.await(future, timeoutNanos);
    }

    @Override
    public EngineThread startThread(String name) {
        simulatedProcess.requireAlive();
        if (!name.endsWith(NEVER_WAITS)) {
            return new SimulatedProcessThread(simulatedProcess, name);
        }
        return lateness == null ? new StepThread(simulatedProcess) : new LateThread(simulatedProcess, lateness);
    }

    @Override
    public EngineCallbacks startCallbacks(String name) {
        simulatedProcess.requireAlive();
        return new Callbacks();
    }

    /** What simulated services do in callbacks never waits. */
    private final class Callbacks implements EngineCallbacks {
        @Override
        public void execute(Runnable task) {
            simulatedProcess.requireAlive();
            simulatedProcess.soon(task);
        }

        @Override
        public void stop() {
            // Whoever asks about a loss when all is over is still to be told.
        }
    }
}
