package dev.leasehold.simulator.run;

import com.mongodb.client.MongoCollection;
import dev.leasehold.engine.internal.commit.EngineSettings;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import org.bson.BsonDocument;

/**
 * What the engines of simulated services are put together from. A mutant replaces a part by one that does something else; the engine
 * itself has no switch for that.
 *
 * <p>Everything that is made here is made for one engine, so that nothing is left of it for the next history.
 */
public interface EngineAssembly {

    /** All parts as they are. */
    EngineAssembly UNCHANGED = new EngineAssembly() {};

    /** How the engine is configured. */
    default EngineSettings settings(EngineSettings settings) {
        return settings;
    }

    /** Its clocks, threads and random numbers. */
    default EngineRuntime runtime(EngineRuntime runtime) {
        return runtime;
    }

    /**
     * Which documents it keeps a partition in.
     *
     * @param instance the name of the engine's instance
     */
    default Partition partition(Partition partition, String instance) {
        return partition;
    }

    /** What it sends to the database, and what it is answered. */
    default LeaseStore store(LeaseStore store, EngineSettings settings) {
        return store;
    }

    /** The collection in which its assertions look for the leases. */
    default MongoCollection<BsonDocument> leases(MongoCollection<BsonDocument> leases) {
        return leases;
    }
}
