package dev.leasehold.simulator.world;

import dev.leasehold.simulator.log.LogListener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The threads on which the threads of worlds run, kept from one world to the next. Only the thread that has the baton takes one or
 * gives itself back.
 */
public final class Workers implements AutoCloseable {

    private final Deque<Worker> idle = new ArrayDeque<>();
    private final List<Worker> all = new ArrayList<>();
    private final LogListener logListener = new LogListener();

    /** Hears what is logged on any of them. */
    LogListener logListener() {
        return logListener;
    }

    Worker take() {
        Worker worker = idle.pollLast();
        if (worker == null) {
            worker = new Worker(logListener);
            all.add(worker);
            worker.start("simulated-" + all.size());
        }
        return worker;
    }

    void giveBack(Worker worker) {
        idle.addLast(worker);
    }

    /** Ends the threads, and waits for their ends; none may be in use. */
    @Override
    public void close() {
        all.forEach(Worker::end);
        all.forEach(Worker::awaitEnd);
        all.clear();
        idle.clear();
    }
}
