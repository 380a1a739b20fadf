package dev.leasehold.simulator.run;

import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.simulator.world.NegativeWait;
import dev.leasehold.simulator.world.SimulatedProcess;
import dev.leasehold.simulator.world.StepThread;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A background thread of an engine that never waits, as {@link StepThread}, on a machine whose processors are busy: when it has something
 * to do it is often some time before it does it, and others go on meanwhile. It keeps the order in which things were due.
 */
final class LateThread implements EngineThread {

    private final SimulatedProcess simulatedProcess;
    private final Lateness lateness;
    private final Deque<Runnable> due = new ArrayDeque<>();
    private boolean stopping;

    LateThread(SimulatedProcess simulatedProcess, Lateness lateness) {
        this.simulatedProcess = simulatedProcess;
        this.lateness = lateness;
    }

    @Override
    public void execute(Runnable task) {
        simulatedProcess.requireAlive();
        if (!stopping) {
            enqueue(task);
        }
    }

    @Override
    public void executeAfter(long delayNanos, Runnable task) {
        simulatedProcess.requireAlive();
        NegativeWait.record(simulatedProcess, delayNanos);
        if (!stopping) {
            simulatedProcess.afterLocal(
                    delayNanos,
                    () -> enqueue(() -> {
                        if (!stopping) {
                            task.run();
                        }
                    }));
        }
    }

    @Override
    public void stop() {
        stopping = true;
    }

    private void enqueue(Runnable task) {
        due.add(task);
        if (due.size() == 1) {
            simulatedProcess.afterLocal(lateness.nextNanos(), this::runNext);
        }
    }

    /** The next one comes behind whatever else is to happen at this instant. */
    private void runNext() {
        try {
            due.element().run();
        } finally {
            due.remove();
            if (!due.isEmpty()) {
                simulatedProcess.soon(this::runNext);
            }
        }
    }
}
