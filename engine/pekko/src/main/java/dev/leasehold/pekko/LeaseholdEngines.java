package dev.leasehold.pekko;

import com.mongodb.client.MongoClient;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.apache.pekko.Done;
import org.apache.pekko.actor.AbstractExtensionId;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Extension;
import org.apache.pekko.dispatch.Dispatchers;
import org.jspecify.annotations.Nullable;

/** The engines of one actor system: one for each configuration. */
final class LeaseholdEngines implements Extension {

    private static final Id ID = new Id();

    private final @Nullable MongoClient supplied;
    private final Executor blocking;
    private final Map<EngineConfig, SharedEngine> engines = new ConcurrentHashMap<>();

    private LeaseholdEngines(ExtendedActorSystem system) {
        this.supplied = system.settings()
                .setup()
                .get(LeaseholdSetup.class)
                .map(LeaseholdSetup::client)
                .orElse(null);
        this.blocking = system.dispatchers().lookup(Dispatchers.DefaultBlockingDispatcherId());
        // After cluster-exiting, in which singletons and shards end and release, and after cluster-shutdown, which ends
        // the split brain
        // resolver; before the dispatchers go.
        CoordinatedShutdown.get(system)
                .addTask(
                        CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
                        "close-leasehold-engines",
                        this::closeInBackground);
        // For an actor system that is set to terminate without coordinated shutdown.
        system.registerOnTermination(this::close);
    }

    static LeaseholdEngines of(ExtendedActorSystem system) {
        return ID.get(system);
    }

    boolean hasClient() {
        return supplied != null;
    }

    SharedEngine engine(EngineConfig config) {
        return engines.computeIfAbsent(config, each -> new SharedEngine(each, supplied, blocking));
    }

    private CompletionStage<Done> closeInBackground() {
        return CompletableFuture.runAsync(this::close, blocking).thenApply(nothing -> Done.getInstance());
    }

    private void close() {
        engines.values().forEach(SharedEngine::close);
    }

    private static final class Id extends AbstractExtensionId<LeaseholdEngines> {
        @Override
        public LeaseholdEngines createExtension(ExtendedActorSystem system) {
            return new LeaseholdEngines(system);
        }
    }
}
