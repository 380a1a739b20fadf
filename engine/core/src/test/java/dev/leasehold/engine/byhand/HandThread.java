package dev.leasehold.engine.byhand;

import dev.leasehold.engine.runtime.EngineThread;
import java.util.PriorityQueue;

/** A queue of tasks that somebody else runs. */
final class HandThread implements EngineThread {

    private final HandClock clock;
    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long handedIn;
    private boolean stopping;

    /** In the order of instants, and of arrival among equal ones. */
    private record Task(long atNanos, long number, boolean delayed, Runnable action) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            return atNanos == other.atNanos ? Long.compare(number, other.number) : Long.compare(atNanos, other.atNanos);
        }
    }

    HandThread(HandClock clock) {
        this.clock = clock;
    }

    @Override
    public void execute(Runnable task) {
        add(0, false, task);
    }

    @Override
    public void executeAfter(long delayNanos, Runnable task) {
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

    /** When the next task is due; the end of time when there is none. */
    long nextNanos() {
        Task next = tasks.peek();
        return next == null ? Long.MAX_VALUE : next.atNanos();
    }

    /** Runs one task if one is due. A real thread outlives a task that throws; a test should hear of it. */
    boolean runNextDue() {
        if (nextNanos() > clock.monotonicNanos()) {
            return false;
        }
        tasks.remove().action().run();
        return true;
    }
}
