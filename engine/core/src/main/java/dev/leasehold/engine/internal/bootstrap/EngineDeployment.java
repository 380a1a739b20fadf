package dev.leasehold.engine.internal.bootstrap;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.settings.EngineSettings;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.OnceRunner;
import dev.leasehold.engine.internal.store.Partition;

/** The runtime and the stores of an engine. */
public interface EngineDeployment {

    EngineRuntime runtime();

    LeaseStore store(EngineSettings settings, Partition partition);

    LeaseAssertion assertion(Tenure tenure);

    OnceRunner onceRunner();
}
