package dev.leasehold.simulator.mutants;

import com.mongodb.client.MongoCollection;
import dev.leasehold.engine.internal.commit.EngineSettings;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.simulator.run.EngineAssembly;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;

/** Assemblies of which one part is another. */
final class Assemblies {

    private Assemblies() {}

    static EngineAssembly settings(UnaryOperator<EngineSettings> change) {
        return new EngineAssembly() {
            @Override
            public EngineSettings settings(EngineSettings settings) {
                return change.apply(settings);
            }
        };
    }

    static EngineAssembly runtime(UnaryOperator<EngineRuntime> change) {
        return new EngineAssembly() {
            @Override
            public EngineRuntime runtime(EngineRuntime runtime) {
                return change.apply(runtime);
            }
        };
    }

    static EngineAssembly partition(BiFunction<Partition, String, Partition> change) {
        return new EngineAssembly() {
            @Override
            public Partition partition(Partition partition, String instance) {
                return change.apply(partition, instance);
            }
        };
    }

    static EngineAssembly store(UnaryOperator<LeaseStore> change) {
        return store((store, settings) -> change.apply(store));
    }

    static EngineAssembly store(BiFunction<LeaseStore, EngineSettings, LeaseStore> change) {
        return new EngineAssembly() {
            @Override
            public LeaseStore store(LeaseStore store, EngineSettings settings) {
                return change.apply(store, settings);
            }
        };
    }

    static EngineAssembly leases(UnaryOperator<MongoCollection<BsonDocument>> change) {
        return new EngineAssembly() {
            @Override
            public MongoCollection<BsonDocument> leases(MongoCollection<BsonDocument> leases) {
                return change.apply(leases);
            }
        };
    }

    /** Both are changed. */
    static EngineAssembly runtimeAndStore(UnaryOperator<EngineRuntime> runtimes, UnaryOperator<LeaseStore> stores) {
        return new EngineAssembly() {
            @Override
            public EngineRuntime runtime(EngineRuntime runtime) {
                return runtimes.apply(runtime);
            }

            @Override
            public LeaseStore store(LeaseStore store, EngineSettings settings) {
                return stores.apply(store);
            }
        };
    }
}
