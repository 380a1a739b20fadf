package dev.leasehold.examples.quickstart;

import dev.leasehold.engine.internal.runtime.EngineThread;

/** A thread of an engine that stops between two tasks while its process is frozen. */
record FreezableThread(EngineThread thread, Freeze freeze) implements EngineThread {

    @Override
    public void execute(Runnable task) {
        thread.execute(stoppable(task));
    }

    @Override
    public void executeAfter(long delayNanos, Runnable task) {
        thread.executeAfter(delayNanos, stoppable(task));
    }

    @Override
    public void stop() {
        thread.stop();
    }

    private Runnable stoppable(Runnable task) {
        return () -> {
            freeze.pass();
            task.run();
        };
    }
}
