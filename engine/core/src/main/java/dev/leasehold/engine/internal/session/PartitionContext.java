package dev.leasehold.engine.internal.session;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.rules.LeaseCache;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.time.StampClock;

/**
 * What all parts of an engine share in one partition.
 *
 * @param namespace with its partition, if there are several
 * @param clock local time of the engine, with the stamps of this partition
 */
public record PartitionContext(
        String namespace,
        LeaseStore store,
        EngineRuntime runtime,
        EngineThread thread,
        StampClock clock,
        LeaseCache cache,
        ValidityTracker validities) {

    public LeaseException closed() {
        return closed(namespace);
    }

    /** The exception of a closed engine that has this partition. */
    public static LeaseException closed(String partition) {
        return new LeaseEngineClosedException(
                "the engine of namespace '" + LeaseIds.namespaceOf(partition) + "' is closed", null);
    }
}
