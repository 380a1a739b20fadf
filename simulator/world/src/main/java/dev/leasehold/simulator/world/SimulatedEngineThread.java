package dev.leasehold.simulator.world;

import dev.leasehold.engine.internal.runtime.EngineThread;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/** A background thread of an engine. Its tasks run one at a time. */
public abstract class SimulatedEngineThread implements EngineThread {

    final SimulatedProcess process;
    private boolean stopping;

    private SimulatedEngineThread(SimulatedProcess process) {
        this.process = process;
    }

    /** One whose tasks may wait: a thread of its process that is there while there is something to run. */
    public static EngineThread waiting(SimulatedProcess process, String name) {
        return new Waiting(process, name);
    }

    /**
     * One whose tasks never wait. They need no thread, which saves passing control twice for each of them. A task that waits after all
     * fails the history.
     */
    public static EngineThread stepping(SimulatedProcess process) {
        return new Stepping(process);
    }

    /**
     * The same on a machine whose processors are busy: tasks often begin some time after they are due, and others run meanwhile.
     *
     * @param delayNanos how late it is when it wakes up for a task
     */
    public static EngineThread delayed(SimulatedProcess process, LongSupplier delayNanos) {
        return new Delayed(process, delayNanos);
    }

    @Override
    public void execute(Runnable task) {
        process.requireAlive();
        if (!stopping) {
            enqueue(task);
        }
    }

    @Override
    public void executeAfter(long delayNanos, Runnable task) {
        process.requireAlive();
        process.checkWait(delayNanos);
        if (!stopping) {
            process.afterLocal(delayNanos, () -> due(task));
        }
    }

    @Override
    public void stop() {
        stopping = true;
    }

    abstract void enqueue(Runnable task);

    /** A task that was delayed is due. */
    void due(Runnable task) {
        if (!stopping) {
            enqueue(task);
        }
    }

    void runUnlessStopped(Runnable task) {
        if (!stopping) {
            task.run();
        }
    }

    private static final class Waiting extends SimulatedEngineThread {

        private final String name;
        private final Deque<Runnable> tasks = new ArrayDeque<>();
        /** Those whose delay is over. They go first. */
        private final Deque<Runnable> due = new ArrayDeque<>();

        private boolean busy;

        Waiting(SimulatedProcess process, String name) {
            super(process);
            this.name = name;
        }

        @Override
        void enqueue(Runnable task) {
            add(tasks, task);
        }

        @Override
        void due(Runnable task) {
            runUnlessStopped(() -> add(due, task));
        }

        private void add(Deque<Runnable> queue, Runnable task) {
            queue.add(task);
            if (!busy) {
                busy = true;
                process.start(name, this::work);
            }
        }

        private void work() {
            while (!due.isEmpty() || !tasks.isEmpty()) {
                (due.isEmpty() ? tasks : due).remove().run();
            }
            busy = false;
        }
    }

    private static final class Stepping extends SimulatedEngineThread {

        Stepping(SimulatedProcess process) {
            super(process);
        }

        @Override
        void enqueue(Runnable task) {
            process.soon(task);
        }

        @Override
        void due(Runnable task) {
            runUnlessStopped(task);
        }
    }

    private static final class Delayed extends SimulatedEngineThread {

        private final LongSupplier delayNanos;
        private final Deque<Runnable> due = new ArrayDeque<>();

        Delayed(SimulatedProcess process, LongSupplier delayNanos) {
            super(process);
            this.delayNanos = delayNanos;
        }

        @Override
        void enqueue(Runnable task) {
            due.add(task);
            if (due.size() == 1) {
                process.afterLocal(delayNanos.getAsLong(), this::runNext);
            }
        }

        @Override
        void due(Runnable task) {
            enqueue(() -> runUnlessStopped(task));
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
}
