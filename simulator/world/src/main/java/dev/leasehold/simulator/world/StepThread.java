package dev.leasehold.simulator.world;

import dev.leasehold.engine.runtime.EngineThread;

/**
 * A background thread of an engine that never waits. It needs no actor, which saves two passes of the baton for each task. A task
 * that waits after all fails the history.
 */
public final class StepThread implements EngineThread {

    private final Program program;
    private boolean stopping;

    public StepThread(Program program) {
        this.program = program;
    }

    @Override
    public void execute(Runnable task) {
        program.requireAlive();
        if (!stopping) {
            program.soon(task);
        }
    }

    @Override
    public void executeAfter(long delayNanos, Runnable task) {
        program.requireAlive();
        NegativeWait.record(program, delayNanos);
        if (!stopping) {
            program.afterLocal(delayNanos, () -> {
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
