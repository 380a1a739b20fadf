package dev.leasehold.engine.internal.eventloop;

import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the tasks that own the state of leases: waiting acquires, held leases, releases. One task runs at a time, so the state needs no
 * lock. An answer is handled on the thread that received it, a caller's request on the thread that will send it, timers and the rest on
 * the loop's own thread, which does no I/O. Tasks are short and never block. An exception of a task is logged and ends only that task.
 *
 * <p>Timers can be cancelled, unlike delayed tasks of an {@link EngineThread}: a wait of days that ends early leaves nothing behind.
 */
public final class EventLoop {

    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);

    private final String namespace;
    private final EngineThread thread;
    private final StampClock clock;
    private final Runnable afterEach;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean draining = new AtomicBoolean();
    private final TreeSet<Timer> timers = new TreeSet<>();
    private long timersSet;
    /** The scheduled wake-ups of the thread, earliest first. None is ever cancelled. */
    private final Deque<Long> wakeUpsNanos = new ArrayDeque<>();

    private volatile boolean over;

    /** A task for an instant of the engine's clock. */
    public record Timer(long atNanos, long number, Runnable task) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            return atNanos == other.atNanos ? Long.compare(number, other.number) : Long.compare(atNanos, other.atNanos);
        }
    }

    /** @param thread used by this loop only, and stopped with it */
    public EventLoop(String namespace, EngineThread thread, StampClock clock, Runnable afterEach) {
        this.namespace = namespace;
        this.thread = thread;
        this.clock = clock;
        this.afterEach = afterEach;
    }

    /** Runs the task soon, on the thread of the loop. Any thread. Ignored once the loop has ended. */
    public void post(Runnable task) {
        post(task, drain -> false);
    }

    /** The same, on another thread of the engine if that accepts the runnable it gets. */
    public void post(Runnable task, Predicate<Runnable> otherThread) {
        if (!over) {
            tasks.add(task);
            if (!draining.get() && !otherThread.test(this::drain)) {
                thread.execute(this::drain);
            }
        }
    }

    /** Runs the task on this engine thread, or on the thread that is running tasks now. */
    public void runHere(Runnable task) {
        if (!over) {
            tasks.add(task);
            drain();
        }
    }

    /** A task added while another thread drains is run by that thread: it checks the queue again after it has stopped draining. */
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
                    // The error closes the engine, which needs the other tasks.
                    thread.execute(this::drain);
                }
            }
        }
    }

    /** Runs the task at an instant, or soon if that has passed. Called by tasks only, like {@link #cancel} and {@link #end}. */
    public Timer at(long atNanos, Runnable task) {
        Timer timer = new Timer(atNanos, timersSet++, task);
        timers.add(timer);
        arm();
        return timer;
    }

    /** No effect on none, and on one that is due or was cancelled before. */
    public void cancel(@Nullable Timer timer) {
        if (timer != null) {
            timers.remove(timer);
        }
    }

    /** Ends the loop. Only tasks that were posted before still run; no timer does. */
    public void end() {
        over = true;
        timers.clear();
        thread.stop();
    }

    /** Whether the loop has ended. Any thread. Tasks posted just before may or may not run. */
    public boolean isOver() {
        return over;
    }

    /** Schedules a wake-up unless an earlier one is due: otherwise each cancelled and renewed timer would leave one behind. */
    private void arm() {
        if (!timers.isEmpty() && (wakeUpsNanos.isEmpty() || timers.first().atNanos() < wakeUpsNanos.getFirst())) {
            long atNanos = timers.first().atNanos();
            thread.executeAfter(Math.max(0, atNanos - clock.nowNanos()), () -> runHere(() -> runDue(atNanos)));
            // Only after the thread has accepted it: otherwise no wake-up would ever be scheduled again.
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
            // The error closes the engine, which needs the other timers.
            arm();
        }
    }

    /** Runs the task here; an exception is logged. */
    public void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("namespace '{}': unexpected failure of a task of the event loop, which goes on", namespace, e);
        }
    }

    /** Runs all tasks here, in their order, also behind an error of one; the first error is thrown in the end. */
    public void guardedEach(Iterable<? extends Runnable> tasks) {
        Error first = null;
        for (Runnable task : tasks) {
            try {
                guarded(task);
            } catch (Error e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
