package dev.leasehold.examples.quarkus;

import com.mongodb.client.MongoClient;
import dev.leasehold.engine.EngineHealth;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseMeters;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;

/** One engine for the application, closed with it, with its health and its meters. */
@ApplicationScoped
public class Leasehold {

    // example:start quarkus
    @Produces
    @ApplicationScoped
    LeaseEngine engine(
            MongoClient client,
            MeterRegistry registry,
            @ConfigProperty(name = "quarkus.mongodb.database") String database) {
        return LeaseEngine.builder(client)
                .database(database)
                .namespace("billing")
                .meters(LeaseMeters.to(registry))
                .build();
    }
    // example:end quarkus

    void close(@Disposes LeaseEngine engine) {
        engine.close();
    }

    /** Otherwise the engine would start with the first lease, and what cannot work would not refuse to start. */
    void start(@Observes Startup event, LeaseEngine engine) {
        engine.health();
    }

    @Produces
    @ApplicationScoped
    @Readiness
    HealthCheck readiness(LeaseEngine engine) {
        return () -> {
            EngineHealth health = engine.health();
            return HealthCheckResponse.named("leasehold")
                    .status(health.ready())
                    .withData("detail", health.detail())
                    .build();
        };
    }

    /** Down once the engine cannot go on, never because the database is away. */
    @Produces
    @ApplicationScoped
    @Liveness
    HealthCheck liveness(LeaseEngine engine) {
        return () -> HealthCheckResponse.named("leasehold")
                .status(engine.health().open())
                .build();
    }
}
