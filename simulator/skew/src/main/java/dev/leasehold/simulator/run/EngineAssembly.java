package dev.leasehold.simulator.run;

import com.mongodb.client.MongoCollection;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.settings.EngineSettings;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;

/**
 * What the engines of simulated services are put together from. A mutant replaces a part by one that does something else; the engine
 * itself has no switch for that.
 *
 * <p>Everything that is made here is made for one engine, so that nothing is left of it for the next history.
 *
 * @param settings how the engine is configured
 * @param runtime its clocks, threads and random numbers
 * @param partition which documents it keeps a partition in, by the name of its instance
 * @param store what it sends to the database, and what it is answered
 * @param leases the collection in which its assertions look for the leases
 */
public record EngineAssembly(
        UnaryOperator<EngineSettings> settings,
        UnaryOperator<EngineRuntime> runtime,
        BiFunction<Partition, String, Partition> partition,
        BiFunction<LeaseStore, EngineSettings, LeaseStore> store,
        UnaryOperator<MongoCollection<BsonDocument>> leases) {

    /** All parts as they are. */
    public static final EngineAssembly UNCHANGED = new EngineAssembly(
            it -> it, it -> it, (partition, instance) -> partition, (store, settings) -> store, it -> it);

    public EngineAssembly withSettings(UnaryOperator<EngineSettings> change) {
        return new EngineAssembly(change, runtime, partition, store, leases);
    }

    public EngineAssembly withRuntime(UnaryOperator<EngineRuntime> change) {
        return new EngineAssembly(settings, change, partition, store, leases);
    }

    public EngineAssembly withPartition(BiFunction<Partition, String, Partition> change) {
        return new EngineAssembly(settings, runtime, change, store, leases);
    }

    public EngineAssembly withStore(UnaryOperator<LeaseStore> change) {
        return withStore((changed, configured) -> change.apply(changed));
    }

    public EngineAssembly withStore(BiFunction<LeaseStore, EngineSettings, LeaseStore> change) {
        return new EngineAssembly(settings, runtime, partition, change, leases);
    }

    public EngineAssembly withLeases(UnaryOperator<MongoCollection<BsonDocument>> change) {
        return new EngineAssembly(settings, runtime, partition, store, change);
    }
}
