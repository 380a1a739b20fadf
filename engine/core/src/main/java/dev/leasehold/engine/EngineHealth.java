package dev.leasehold.engine;

/**
 * How an engine is, without asking anybody: for readiness probes.
 *
 * @param ready whether an acquisition asked for now is likely to be answered: the engine is open, its last dealing with the
 *     database went well, and no outcome is in doubt
 * @param detail in one sentence why not; or that all is well
 * @param heldLeases how many tenures this engine's handles hold
 * @param waiters how many acquisitions wait for a lease
 */
public record EngineHealth(boolean ready, String detail, int heldLeases, int waiters) {}
