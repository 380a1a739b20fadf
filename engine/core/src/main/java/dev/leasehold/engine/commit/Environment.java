package dev.leasehold.engine.commit;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.runtime.EngineRuntime;
import dev.leasehold.engine.runtime.EngineThread;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.time.StampClock;

/**
 * What all parts of one engine in one partition deal with.
 *
 * @param namespace with its partition, if there are several
 * @param store where the documents are
 * @param thread on which all I/O of this partition is done
 * @param clock local time of the engine, with the stamps of this partition
 */
record Environment(String namespace, LeaseStore store, EngineRuntime runtime, EngineThread thread, StampClock clock) {

    LeaseException closed() {
        return new LeaseEngineClosedException(
                "the engine of namespace '" + LeaseIds.namespaceOf(namespace) + "' is closed", null);
    }
}
