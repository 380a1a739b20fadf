package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the thread of the handles has yet to do. That thread owns all their state, so that no lock is needed; a task that
 * throws is logged and ends nothing but itself.
 *
 * <p>Alarms can be taken back, which tasks of a thread cannot: a wait of days that ended early leaves nothing behind.
 */
final class EventLoop {

    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);

    private final String namespace;
    private final EngineThread thread;
    private final StampClock clock;
    private final Runnable afterEach;
    private final TreeSet<Timer> timers = new TreeSet<>();
    private long timersSet;
    /** When the thread will look for alarms that are due: each instant is earlier than those behind it, and none is taken back. */
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
     * An empty agenda.
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

    /** Runs the task soon. Any thread may ask. Ignored once this is over. */
    void post(Runnable task) {
        thread.execute(() -> {
            guarded(task);
            guarded(afterEach);
        });
    }

    /** Runs the task at an instant, or soon if that has passed. Of the own thread alone, like all that follows. */
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
            thread.executeAfter(Math.max(0, atNanos - clock.nowNanos()), () -> runDue(atNanos));
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
            LOG.error("namespace '{}': unexpected failure on the thread of the handles, which goes on", namespace, e);
        }
    }
}
