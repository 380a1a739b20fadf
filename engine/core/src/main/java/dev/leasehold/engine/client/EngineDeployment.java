package dev.leasehold.engine.client;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.commit.EngineSettings;
import dev.leasehold.engine.runtime.EngineRuntime;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.store.Partition;

/** What an engine is put on. */
public interface EngineDeployment {

    /** The machine. */
    EngineRuntime runtime();

    /**
     * Makes the store of a partition.
     *
     * @param settings of the engine
     * @param partition which one
     */
    LeaseStore store(EngineSettings settings, Partition partition);

    /** Makes the assertion of a tenure. */
    LeaseAssertion assertion(Tenure tenure);
}
