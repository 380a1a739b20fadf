package dev.leasehold.pekko;

import com.mongodb.client.MongoClient;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.leasehold.replicaset.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.setup.ActorSystemSetup;

/** The actor systems of one test, without a cluster. */
final class Systems implements AutoCloseable {

    private static final long LIMIT_SECONDS = 180;

    private final List<ActorSystem> started = new ArrayList<>();

    /** With a client of its own. */
    ActorSystem start(TestDatabase database, String... settings) {
        return start(database.uri(), database, settings);
    }

    /** With a client of its own, which gets there by a URI of its own. */
    ActorSystem start(String uri, TestDatabase database, String... settings) {
        return keep(ActorSystem.create(
                "shop",
                config(settings)
                        .withFallback(ConfigFactory.parseMap(Map.of(
                                "leasehold.pekko.connection-string", uri, "leasehold.pekko.database", database.name())))
                        .withFallback(ConfigFactory.load())
                        .resolve()));
    }

    /** With the client of the application. */
    ActorSystem startWith(MongoClient client, TestDatabase database, String... settings) {
        Config config = config(settings)
                .withFallback(ConfigFactory.parseMap(Map.of("leasehold.pekko.database", database.name())))
                .withFallback(ConfigFactory.load())
                .resolve();
        return keep(ActorSystem.create(
                "shop", ActorSystemSetup.create(BootstrapSetup.create(config), LeaseholdSetup.of(client))));
    }

    /** Long enough for a busy machine. Tests that wait for an end have shorter ones. */
    private static Config config(String... settings) {
        return ConfigFactory.parseString(String.join("\n", settings)).withFallback(ConfigFactory.parseString("""
                                pekko.loggers = ["org.apache.pekko.event.slf4j.Slf4jLogger"]
                                pekko.logging-filter = "org.apache.pekko.event.slf4j.Slf4jLoggingFilter"
                                pekko.loglevel = WARNING
                                pekko.stdout-loglevel = OFF
                                pekko.coordinated-shutdown.exit-jvm = off
                                leasehold.pekko {
                                  heartbeat-timeout = 1 h
                                  heartbeat-interval = 500 ms
                                  lease-operation-timeout = 30 s
                                }
                                """));
    }

    private ActorSystem keep(ActorSystem system) {
        started.add(system);
        return system;
    }

    static LeaseholdLease lease(ActorSystem system, String name, String owner) {
        return LeaseholdLease.of(system, name, LeaseholdLease.DEFAULTS, owner);
    }

    /** Waits for an answer. */
    static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture()
                .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /** Waits for a failure. */
    static Throwable failure(CompletionStage<?> stage) {
        try {
            Object answer = answer(stage);
            throw new AssertionError("it did not fail, but answered " + answer);
        } catch (CompletionException e) {
            return Optional.ofNullable(e.getCause()).orElse(e);
        }
    }

    static void terminate(ActorSystem system) {
        system.terminate();
        answer(system.getWhenTerminated());
    }

    @Override
    public void close() {
        started.forEach(ActorSystem::terminate);
        started.forEach(Systems::terminate);
    }
}
