package dev.leasehold.simulator.run;

import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.simulator.world.NegativeWait;
import dev.leasehold.simulator.world.SimulatedProcess;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * A background thread of an engine that never waits, as {@link dev.leasehold.simulator.world.StepThread}, on a machine whose processors are
 * busy: its tasks often begin some time after they are due, and others run meanwhile. It keeps the order in which they were due.
 */
final class DelayedThread implements EngineThread {

    private final SimulatedProcess process;
    private final LongSupplier delayNanos;
    private final Deque<Runnable> due = new ArrayDeque<>();
    private boolean stopping;

    /**
     * Creates one.
     *
     * @param delayNanos how late it is when it wakes up for a task
     */
    DelayedThread(SimulatedProcess process, LongSupplier delayNanos) {
        this.process = process;
        this.delayNanos = delayNanos;
    }

    @Override
    public void execute(Runnable task) {
        process.requireAlive();
        if (!stopping) {
            enqueue(task);
        }
    }

    @Override
    public void executeAfter(long afterNanos, Runnable task) {
        process.requireAlive();
        NegativeWait.record(process, afterNanos);
        if (!stopping) {
            process.afterLocal(
                    afterNanos,
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
            process.afterLocal(delayNanos.getAsLong(), this::runNext);
        }
    }

    /** The next one comes behind whatever else is to happen at this instant. */
    private void runNext() {
        try {
            due.element().run();
        } finally {
            due.remove();
            if (!due.isEmpty()) {
                process.soon(this::runNext);
            }
        }
    }
}
