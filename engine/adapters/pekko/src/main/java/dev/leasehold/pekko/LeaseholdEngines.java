package dev.leasehold.pekko;

import com.mongodb.client.MongoClient;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.apache.pekko.actor.AbstractExtensionId;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Extension;
import org.jspecify.annotations.Nullable;

/** The engines of one actor system: one for each configuration. */
final class LeaseholdEngines implements Extension {

    /** On no dispatcher: work of the application may fill those, and they end before the engines do. */
    static final Executor BLOCKING = task -> {
        Thread thread = new Thread(task, "leasehold-pekko");
        thread.setDaemon(true);
        thread.start();
    };

    private static final Id ID = new Id();

    private final @Nullable MongoClient supplied;
    private final Map<EngineConfig, SharedEngine> engines = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private LeaseholdEngines(ExtendedActorSystem system) {
        this.supplied = system.settings()
                .setup()
                .get(LeaseholdSetup.class)
                .map(LeaseholdSetup::client)
                .orElse(null);
        // In the last phase of coordinated shutdown, or without it: after the last actor has stopped. Singletons and
        // shards that outlive the time of their own phases release only then. The system is terminated, for code that
        // waits for that, when this has run.
        system.registerOnTermination(this::close);
    }

    static LeaseholdEngines of(ExtendedActorSystem system) {
        return ID.get(system);
    }

    boolean hasClient() {
        return supplied != null;
    }

    /** Closed, and never started, where the actor system has terminated. */
    SharedEngine engine(EngineConfig config) {
        SharedEngine engine = engines.computeIfAbsent(config, each -> new SharedEngine(each, supplied, BLOCKING));
        if (closed) {
            engine.close();
        }
        return engine;
    }

    private void close() {
        closed = true;
        engines.values().forEach(SharedEngine::close);
    }

    private static final class Id extends AbstractExtensionId<LeaseholdEngines> {
        @Override
        public LeaseholdEngines createExtension(ExtendedActorSystem system) {
            return new LeaseholdEngines(system);
        }
    }
}
