package dev.leasehold.simulator.store;

/** A part of a test that goes on beside the rest. */
interface Meanwhile<T> {

    boolean isDone();

    /** Waits for its end. */
    T join();
}
