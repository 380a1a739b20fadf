package dev.leasehold.simulator.plan;

/** Plays plans. Used by one thread. */
public interface HistoryRunner extends AutoCloseable {

    /** Plays a plan from its beginning to its end. The same plan makes the same history. */
    History run(Plan plan);

    /** Lets its threads go. */
    @Override
    void close();
}
