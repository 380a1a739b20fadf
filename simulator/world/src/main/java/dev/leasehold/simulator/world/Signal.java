package dev.leasehold.simulator.world;

import org.jspecify.annotations.Nullable;

/** What one thread waits for: given once, and it stays given. A future can do more, and costs more. */
final class Signal {

    private boolean given;
    private @Nullable SimulatedThread waiter;
    private long wait;

    boolean isGiven() {
        return given;
    }

    /** What waits goes on, if nothing else has ended that wait. */
    void give() {
        given = true;
        if (waiter != null
                && waiter.currentWait() == wait
                && !waiter.simulation().isOver()) {
            waiter.simulation().resume(waiter);
        }
    }

    void awaitedBy(SimulatedThread simulatedThread) {
        waiter = simulatedThread;
        wait = simulatedThread.currentWait();
    }
}
