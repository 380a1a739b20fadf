package dev.leasehold.simulator.run;

import dev.leasehold.engine.runtime.EngineCallbacks;
import dev.leasehold.engine.runtime.EngineRuntime;
import dev.leasehold.engine.runtime.EngineThread;
import dev.leasehold.engine.time.EngineClock;
import dev.leasehold.simulator.history.WriterName;
import dev.leasehold.simulator.world.Host;
import dev.leasehold.simulator.world.NegativeWait;
import dev.leasehold.simulator.world.Program;
import dev.leasehold.simulator.world.ProgramThread;
import dev.leasehold.simulator.world.StepThread;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What an engine finds on a simulated machine. */
final class ProgramRuntime implements EngineRuntime, EngineClock {

    /** The engine's thread that owns the state of handles does no input and output, and so never waits. */
    private static final String NEVER_WAITS = "-handles";

    private final Program program;
    private final Host host;
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
    ProgramRuntime(Program program, @Nullable Lateness lateness) {
        this.program = program;
        this.host = program.host();
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
        return firstWallNanos + (host.monotonicNanos() - firstMonotonicNanos);
    }

    @Override
    public EngineClock clock() {
        return this;
    }

    @Override
    public long monotonicNanos() {
        program.requireAlive();
        return host.monotonicNanos();
    }

    @Override
    public long wallNanos() {
        program.requireAlive();
        if (!begun) {
            begun = true;
            firstMonotonicNanos = host.monotonicNanos();
            firstWallNanos = host.wallNanos();
        }
        return host.wallNanos();
    }

    @Override
    public String uniqueText() {
        program.requireAlive();
        String text = borrowedText;
        borrowedText = null;
        newestText = text != null ? text : new WriterName(host.number(), program.incarnation(), texts++).uniqueText();
        return newestText;
    }

    @Override
    public long randomNanos(long boundNanos) {
        program.requireAlive();
        return host.draws().upTo(boundNanos);
    }

    @Override
    public boolean await(CompletableFuture<?> future, long timeoutNanos) {
        NegativeWait.record(program, timeoutNanos);
        return program.await(future, timeoutNanos);
    }

    @Override
    public EngineThread startThread(String name) {
        program.requireAlive();
        if (!name.endsWith(NEVER_WAITS)) {
            return new ProgramThread(program, name);
        }
        return lateness == null ? new StepThread(program) : new LateThread(program, lateness);
    }

    @Override
    public EngineCallbacks startCallbacks(String name) {
        program.requireAlive();
        return new Callbacks();
    }

    /** What simulated services do in callbacks never waits. */
    private final class Callbacks implements EngineCallbacks {
        @Override
        public void execute(Runnable task) {
            program.requireAlive();
            program.soon(task);
        }

        @Override
        public void stop() {
            // Whoever asks about a loss when all is over is still to be told.
        }
    }
}
