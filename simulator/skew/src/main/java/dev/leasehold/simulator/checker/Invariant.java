package dev.leasehold.simulator.checker;

/** A guarantee of the specification, or a part of one, as a pure function of what was recorded. */
interface Invariant {

    /** Tells each place at which the history breaks it. */
    void check(Model history, Violations violations);
}
