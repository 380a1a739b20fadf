package dev.leasehold.engine;

/**
 * How an engine is, without asking anybody: for readiness probes. Immutable; a value of the moment at which it was made.
 *
 * <p>It rests on the last read or write of this engine that ended, however long ago that was, and on the present one once that has
 * waited for an answer for longer than the operation budget. A no of the database, a lease that others hold or a document that
 * others are writing, is a dealing that went well; no answer, an outcome that is not known and a command that was refused are
 * not. Nor is it ready once an error in one of its threads has closed it, or when the database holds a newer schema than it knows. Of a
 * namespace in partitions, one that is in trouble is enough.
 *
 * <p>For liveness probes there is {@code open} alone: a process that is restarted while the database is away loses what it holds.
 *
 * @param ready whether an acquisition asked for now is likely to be answered: the engine is open, its last dealing with the
 *     database went well, and no outcome is in doubt
 * @param open whether the engine goes on: false once it was closed, by its application or by an error that it cannot survive. Such an
 *     engine never becomes ready again
 * @param detail in one sentence why not; or that all is well. For people, may change in any version
 * @param heldLeases how many tenures this engine's handles hold
 * @param waiters how many acquisitions are not answered yet
 */
public record EngineHealth(boolean ready, boolean open, String detail, int heldLeases, int waiters) {}
