package dev.leasehold.simulator.checker;

/** A guarantee of the specification, or a part of one, about a history. */
interface Invariant {

    /** Tells each place at which the history breaks it. */
    void check();
}
