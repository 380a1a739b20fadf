package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the tasks that own the state of leases: waiting acquires, held leases, releases. One task at a time, so that the state needs no
 * lock, on whichever thread of the engine is at hand: an answer is handled on the thread that has it, a caller's request on the thread
 * that will send it, timers and the rest on a thread of the loop's own, which does no I/O. Tasks are short and never block. One that
 * throws is logged and ends nothing but itself.
 *
 * <p>Timers can be cancelled, which tasks of a thread cannot: a wait of days that ended early leaves nothing behind.
 */
final class EventLoop {

    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);

    private final String namespace;
    private final EngineThread thread;
    private final StampClock clock;
    private final Runnable afterEach;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean draining = new AtomicBoolean();
    private final TreeSet<Timer> timers = new TreeSet<>();
    private long timersSet;
    /** When the thread will look for timers that are due: each instant is earlier than those behind it, and none is taken back. */
    private final Deque<Long> wakeUpsNanos = new ArrayDeque<>();

    private volatile boolean over;

    /** Something to be done at an instant of the engine's clock. */
    record Timer(long atNanos, long number, Runnable task) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            return atNanos == other.atNanos ? Long.compare(number, other.number) : Long.compare(atNanos, other.atNanos);
        }
    }

    /**
     * A loop without tasks.
     *
     * @param thread used by this alone, and stopped with it
     * @param afterEach runs after every task
     */
    EventLoop(String namespace, EngineThread thread, StampClock clock, Runnable afterEach) {
        this.namespace = namespace;
        this.thread = thread;
        this.clock = clock;
        this.afterEach = afterEach;
    }

    /** Runs the task soon, on the thread of the loop. Any thread may ask. Ignored once the loop has ended. */
    void post(Runnable task) {
        post(task, drain -> false);
    }

    /** The same, on another thread of the engine if that takes it: it gets what it is to run. */
    void post(Runnable task, Predicate<Runnable> otherThread) {
        if (!over) {
            tasks.add(task);
            if (!draining.get() && !otherThread.test(this::drain)) {
                thread.execute(this::drain);
            }
        }
    }

    /** Runs the task on this thread of the engine, or on the one that runs another task at present. */
    void runHere(Runnable task) {
        if (!over) {
            tasks.add(task);
            drain();
        }
    }

    /** A task that is added while another thread drains is seen by that thread when it looks again. */
    private void drain() {
        while (!tasks.isEmpty() && draining.compareAndSet(false, true)) {
            boolean drained = false;
            try {
                for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                    guarded(task);
                    guarded(afterEach);
                }
                drained = true;
            } finally {
                draining.set(false);
                if (!drained) {
                    // An error ends the engine, and the end needs the other tasks.
                    thread.execute(this::drain);
                }
            }
        }
    }

    /** Runs the task at an instant, or soon if that has passed. Called by tasks alone, like all that follows. */
    Timer at(long atNanos, Runnable task) {
        Timer timer = new Timer(atNanos, timersSet++, task);
        timers.add(timer);
        arm();
        return timer;
    }

    void cancel(Timer timer) {
        timers.remove(timer);
    }

    /** Nothing is run any more but what was posted already. */
    void end() {
        over = true;
        timers.clear();
        thread.stop();
    }

    /** Any thread may ask. What was posted before this turned true may or may not be run. */
    boolean isOver() {
        return over;
    }

    /** Only where no look comes early enough: whoever takes alarms back and sets new ones would leave ever more looks behind. */
    private void arm() {
        if (!timers.isEmpty() && (wakeUpsNanos.isEmpty() || timers.first().atNanos() < wakeUpsNanos.getFirst())) {
            long atNanos = timers.first().atNanos();
            thread.executeAfter(Math.max(0, atNanos - clock.nowNanos()), () -> runHere(() -> runDue(atNanos)));
            // Not before it is certain that it comes: there would never be another one.
            wakeUpsNanos.addFirst(atNanos);
        }
    }

    private void runDue(long atNanos) {
        wakeUpsNanos.removeFirstOccurrence(atNanos);
        try {
            while (!timers.isEmpty() && timers.first().atNanos() <= clock.nowNanos()) {
                Timer due = timers.first();
                timers.remove(due);
                guarded(due.task());
                guarded(afterEach);
            }
        } finally {
            // An error ends the engine, and the end needs the other alarms.
            arm();
        }
    }

    /** An exception that the task throws is logged, and ends nothing else. */
    void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("namespace '{}': unexpected failure of a task of the event loop, which goes on", namespace, e);
        }
    }
}
