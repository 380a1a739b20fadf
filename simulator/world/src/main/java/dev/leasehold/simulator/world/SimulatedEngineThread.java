package dev.leasehold.simulator.world;

import dev.leasehold.engine.internal.runtime.EngineThread;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/** A background thread of an engine, whose tasks run one at a time, in the order of the real one. */
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

    /** A task that was delayed is due. It does not run if the thread is stopping. */
    abstract void due(Runnable task);

    void runUnlessStopped(Runnable task) {
        if (!stopping) {
            task.run();
        }
    }

    private static final class Waiting extends SimulatedEngineThread {

        private final String name;
        private final Deque<Numbered> submitted = new ArrayDeque<>();
        /** Those whose delay is over. */
        private final Deque<Numbered> due = new ArrayDeque<>();

        private long number;
        private boolean busy;
        private boolean tookDue;

        /** In the order in which they were submitted, or became due. */
        private record Numbered(long number, Runnable task) {}

        Waiting(SimulatedProcess process, String name) {
            super(process);
            this.name = name;
        }

        @Override
        void enqueue(Runnable task) {
            add(submitted, task);
        }

        @Override
        void due(Runnable task) {
            runUnlessStopped(() -> add(due, task));
        }

        private void add(Deque<Numbered> queue, Runnable task) {
            queue.add(new Numbered(number++, task));
            if (!busy) {
                busy = true;
                process.start(name, this::work);
            }
        }

        private void work() {
            while (!due.isEmpty() || !submitted.isEmpty()) {
                tookDue = isDueFirst();
                (tookDue ? due : submitted).remove().task().run();
            }
            busy = false;
        }

        private boolean isDueFirst() {
            return submitted.isEmpty()
                    || !due.isEmpty()
                            && (!tookDue
                                    || due.element().number()
                                            < submitted.element().number());
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
