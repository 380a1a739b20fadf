package dev.leasehold.engine.world;

import dev.leasehold.engine.internal.runtime.EngineThread;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** A queue of tasks that another thread runs. */
final class SteppedThread implements EngineThread {

    private final String name;
    private final TestClock clock;
    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long handedIn;
    private boolean stopping;
    private boolean running;
    private @Nullable Error atNextDelayed;
    private @Nullable Error atNextTask;
    private @Nullable Error behindNextTask;

    /** In the order of instants, and of arrival among equal ones. */
    private record Task(long atNanos, long number, boolean delayed, Runnable action) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            return atNanos == other.atNanos ? Long.compare(number, other.number) : Long.compare(atNanos, other.atNanos);
        }
    }

    SteppedThread(String name, TestClock clock) {
        this.name = name;
        this.clock = clock;
    }

    String name() {
        return name;
    }

    /** The next task is not taken. */
    void throwAtNextTask(Error error) {
        atNextTask = error;
    }

    /** The next task is taken, and what hands it in does not come to know that. */
    void throwBehindNextTask(Error error) {
        behindNextTask = error;
    }

    @Override
    public void execute(Runnable task) {
        Error instead = atNextTask;
        if (instead != null) {
            atNextTask = null;
            throw instead;
        }
        add(0, false, task);
        Error error = behindNextTask;
        if (error != null) {
            behindNextTask = null;
            throw error;
        }
    }

    /** The next task that is to run after a delay is not taken. */
    void throwAtNextDelayed(Error error) {
        atNextDelayed = error;
    }

    @Override
    public void executeAfter(long delayNanos, Runnable task) {
        Error error = atNextDelayed;
        if (error != null) {
            atNextDelayed = null;
            throw error;
        }
        add(delayNanos, true, task);
    }

    private void add(long delayNanos, boolean delayed, Runnable task) {
        if (!stopping) {
            tasks.add(new Task(clock.monotonicNanos() + delayNanos, handedIn++, delayed, task));
        }
    }

    @Override
    public void stop() {
        stopping = true;
        tasks.removeIf(Task::delayed);
    }

    /** How many tasks it was handed and has not run. */
    int waiting() {
        return tasks.size();
    }

    boolean isOver() {
        return stopping && tasks.isEmpty();
    }

    /** When the next task is due; the end of time when there is none, or while one runs. */
    long nextNanos() {
        // A task of it may block, and let the others go on.
        Task next = running ? null : tasks.peek();
        return next == null ? Long.MAX_VALUE : next.atNanos();
    }

    /** Runs one task if one is due. A real thread outlives a task that throws; a test should hear of it. */
    boolean runNextDue() {
        if (nextNanos() > clock.monotonicNanos()) {
            return false;
        }
        running = true;
        try {
            tasks.remove().action().run();
        } finally {
            running = false;
        }
        return true;
    }
}
