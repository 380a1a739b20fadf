package dev.leasehold.engine.internal.runtime;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A daemon thread: an engine that was not closed does not keep the JVM alive. Not a scheduled executor of the JDK, which keeps all tasks in
 * one ordered queue under a lock: every operation runs several tasks, and hardly any is delayed.
 */
final class SystemThread implements EngineThread {

    private static final Logger LOG = LoggerFactory.getLogger(SystemThread.class);

    /** Far enough, and such instants can be compared by their difference. */
    private static final long LONGEST_DELAY_NANOS = Long.MAX_VALUE / 2;

    /** A caller that was just answered often asks for more at once. To let it is cheaper than to sleep and be woken. */
    private static final int YIELDS = 3;

    private final String name;
    private final Thread thread;
    private final Queue<Submitted> tasks = new ConcurrentLinkedQueue<>();
    private final PriorityBlockingQueue<Delayed> delayed = new PriorityBlockingQueue<>();
    private final AtomicLong delayedNumber = new AtomicLong();
    private volatile boolean stopping;
    /** Set by this thread before it looks for a task for the last time, and waits for one. */
    private volatile boolean waiting;
    /** Whether the last task was one with a delay. This thread only. */
    private boolean tookDelayed;

    private record Submitted(long atNanos, Runnable task) {}

    private record Delayed(long atNanos, long number, Runnable task) implements Comparable<Delayed> {
        @Override
        public int compareTo(Delayed other) {
            long laterNanos = atNanos - other.atNanos;
            return laterNanos == 0 ? Long.compare(number, other.number) : Long.signum(laterNanos);
        }
    }

    SystemThread(String name) {
        this.name = name;
        this.thread = daemon(this::work, name);
        thread.start();
    }

    /**
     * Makes a daemon thread that inherits nothing from the thread that first needs it, which may belong to a request. By default its
     * context class loader would be that of the starting thread or of the system, depending on the JDK.
     */
    static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(null, task, name, 0, false);
        thread.setContextClassLoader(SystemThread.class.getClassLoader());
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void execute(Runnable task) {
        if (!stopping) {
            tasks.add(new Submitted(System.nanoTime(), task));
            wake();
        }
    }

    @Override
    public void executeAfter(long delayNanos, Runnable task) {
        if (!stopping) {
            long atNanos = System.nanoTime() + Math.min(delayNanos, LONGEST_DELAY_NANOS);
            delayed.add(new Delayed(atNanos, delayedNumber.incrementAndGet(), task));
            wake();
        }
    }

    @Override
    public void stop() {
        stopping = true;
        wake();
    }

    private void wake() {
        if (waiting) {
            LockSupport.unpark(thread);
        }
    }

    // ---- on the thread ----

    private void work() {
        while (!stopping || !tasks.isEmpty()) {
            try {
                Runnable task = next();
                if (task == null) {
                    await();
                } else {
                    run(task);
                }
            } catch (Error e) {
                // FailStop has reported it. The engine still has to be closed, on this thread.
            }
        }
    }

    private @Nullable Runnable next() {
        Delayed first = delayed.peek();
        if (first != null && !stopping && first.atNanos() - System.nanoTime() <= 0 && goesFirst(first)) {
            tookDelayed = true;
            // Maybe an earlier one by now, which is due as well.
            return Objects.requireNonNull(delayed.poll()).task();
        }
        tookDelayed = false;
        Submitted submitted = tasks.poll();
        return submitted == null ? null : submitted.task();
    }

    private boolean goesFirst(Delayed due) {
        Submitted submitted = tasks.peek();
        return !tookDelayed || submitted == null || due.atNanos() - submitted.atNanos() <= 0;
    }

    private void await() {
        for (int left = YIELDS; left > 0 && tasks.isEmpty(); left--) {
            Thread.yield();
        }
        waiting = true;
        Delayed first = delayed.peek();
        if (tasks.isEmpty() && !stopping) {
            if (first == null) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, first.atNanos() - System.nanoTime());
            }
        }
        waiting = false;
    }

    private void run(Runnable task) {
        // What interrupts one task must not interrupt the commands of the next.
        Thread.interrupted();
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("thread '{}': a task has failed unexpectedly; the thread goes on", name, e);
        }
    }
}
