package dev.leasehold.simulator.world;

import org.jspecify.annotations.Nullable;

/** What one actor waits for: given once, and it stays given. A future can do more, and costs more. */
final class Signal {

    private boolean given;
    private @Nullable Actor waiter;
    private long wait;

    boolean isGiven() {
        return given;
    }

    /** Whoever waits goes on, if nothing else has ended that wait. */
    void give() {
        given = true;
        if (waiter != null && waiter.currentWait() == wait && !waiter.world().isOver()) {
            waiter.world().resume(waiter);
        }
    }

    void awaitedBy(Actor actor) {
        waiter = actor;
        wait = actor.currentWait();
    }
}
