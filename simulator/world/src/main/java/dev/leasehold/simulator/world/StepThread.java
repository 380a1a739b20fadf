package dev.leasehold.simulator.world;

import dev.leasehold.engine.internal.runtime.EngineThread;

/**
 * A background thread of an engine that never waits. It needs no actor, which saves two passes of the baton for each task. A task
 * that waits after all fails the history.
 */
public final class StepThread implements EngineThread {

    private final SimulatedProcess simulatedProcess;
    private boolean stopping;

    public StepThread(SimulatedProcess simulatedProcess) {
        this.simulatedProcess = simulatedProcess;
    }

    @Override
    public void execute(Runnable task) {
        simulatedProcess.requireAlive();
        if (!stopping) {
            simulatedProcess.soon(task);
        }
    }

    @Override
    public void executeAfter(long delayNanos, Runnable task) {
        simulatedProcess.requireAlive();
        NegativeWait.record(simulatedProcess, delayNanos);
        if (!stopping) {
            simulatedProcess.afterLocal(delayNanos, () -> {
                if (!stopping) {
                    task.run();
                }
            });
        }
    }

    @Override
    public void stop() {
        stopping = true;
    }
}
