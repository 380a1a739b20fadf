package dev.leasehold.engine;

/**
 * How an engine is, for readiness probes. It is taken without I/O. Immutable; a value of the moment at which it was
 * made.
 *
 * <p>It rests on the last read or write of this engine that ended, and on the present one once that has waited for
 * longer than the operation budget. An answer counts as good, also that another holder has the lease. A missing answer,
 * an unknown outcome and a refused command do not, nor does a newer schema. One partition in trouble is enough.
 *
 * <p>For liveness probes there is {@code open} alone: a process that is restarted while the database is away loses what it holds.
 *
 * @param ready whether an acquisition asked for now is likely to be answered: the engine is open, its last read or
 *     write was answered, and no outcome is unknown
 * @param open whether the engine goes on: false once the application closed it, or an error that it cannot survive.
 *     Such an engine never becomes ready again
 * @param detail one sentence: why not, or that all is well. For people, may change in any version
 * @param heldLeases how many tenures this engine's handles hold
 * @param waiters how many acquisitions are not answered yet
 */
public record EngineHealth(boolean ready, boolean open, String detail, int heldLeases, int waiters) {}
