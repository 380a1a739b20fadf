package dev.leasehold.testkit;

import dev.leasehold.engine.internal.runtime.EngineCallbacks;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.time.EngineClock;
import dev.leasehold.simulator.history.WriterName;
import dev.leasehold.simulator.world.SimulatedEngineThread;
import dev.leasehold.simulator.world.SimulatedMachine;
import dev.leasehold.simulator.world.SimulatedProcess;
import dev.leasehold.simulator.world.Simulation;
import java.util.concurrent.CompletableFuture;

/** What an engine finds on a machine of the test kit. */
final class MachineRuntime implements EngineRuntime, EngineClock {

    /** The engine's thread that owns the state of handles does no input and output, and so never waits. */
    private static final String NEVER_WAITS = "-handles";

    private final String machine;
    private final WorldAccess access;
    private final SimulatedProcess simulatedProcess;
    private final SimulatedMachine simulatedMachine;
    private int texts;

    MachineRuntime(String machine, WorldAccess access, SimulatedProcess simulatedProcess) {
        this.machine = machine;
        this.access = access;
        this.simulatedProcess = simulatedProcess;
        this.simulatedMachine = simulatedProcess.simulatedMachine();
    }

    @Override
    public EngineClock clock() {
        return this;
    }

    @Override
    public long monotonicNanos() {
        return simulatedMachine.clock().monotonicNanos(access.nowNanos());
    }

    @Override
    public long wallNanos() {
        return simulatedMachine.clock().wallNanos(access.nowNanos());
    }

    @Override
    public String uniqueText() {
        return access.inside(
                () -> new WriterName(simulatedMachine.number(), simulatedProcess.incarnation(), texts++).uniqueText());
    }

    @Override
    public long randomNanos(long boundNanos) {
        return access.inside(() -> simulatedMachine.seededRandom().upTo(boundNanos));
    }

    /** A thread of the engine itself, such as that of an election, is moved by the thread that moves the world, which it would keep from doing so. */
    @Override
    public boolean await(CompletableFuture<?> future, long timeoutNanos) throws InterruptedException {
        if (Simulation.isOnSimulatedThread()) {
            return simulatedProcess.await(future, timeoutNanos);
        }
        requireAlive();
        return access.awaitInterruptibly(simulatedMachine, future::isDone, timeoutNanos);
    }

    private void requireAlive() {
        if (!simulatedProcess.isAlive() && !access.isClosed()) {
            throw new IllegalStateException("the machine '" + machine + "' was killed, and its engine with it");
        }
    }

    @Override
    public EngineThread startThread(String name) {
        EngineThread thread = name.endsWith(NEVER_WAITS)
                ? SimulatedEngineThread.stepping(simulatedProcess)
                : SimulatedEngineThread.waiting(simulatedProcess, name);
        return new Entering(thread);
    }

    @Override
    public EngineCallbacks startCallbacks(String name) {
        return new Callbacks();
    }

    /** A thread of the engine, which threads of the test hand tasks to. What is handed to one that is no more is dropped. */
    private final class Entering implements EngineThread {

        private final EngineThread thread;

        Entering(EngineThread thread) {
            this.thread = thread;
        }

        @Override
        public void execute(Runnable task) {
            enter(() -> thread.execute(task));
        }

        @Override
        public void executeAfter(long delayNanos, Runnable task) {
            enter(() -> thread.executeAfter(delayNanos, task));
        }

        @Override
        public void stop() {
            enter(thread::stop);
        }

        private void enter(Runnable call) {
            if (!access.isClosed()) {
                access.run(() -> {
                    if (simulatedProcess.isAlive()) {
                        call.run();
                    }
                });
            }
        }
    }

    private final class Callbacks implements EngineCallbacks {

        @Override
        public void execute(Runnable task) {
            access.callback(task);
        }

        @Override
        public void stop() {
            // A caller that asks about a loss when all is over is still to be told.
        }
    }
}
