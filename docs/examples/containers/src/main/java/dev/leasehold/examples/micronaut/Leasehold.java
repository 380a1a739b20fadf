package dev.leasehold.examples.micronaut;

import com.mongodb.client.MongoClient;
import dev.leasehold.engine.EngineHealth;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseMeters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.management.health.indicator.annotation.Liveness;
import io.micronaut.management.health.indicator.annotation.Readiness;
import jakarta.inject.Singleton;

// example:start micronaut
/** One engine for the application, made when it starts and closed with it, with its health and its meters. */
@Factory
final class Leasehold {

    @Context
    @Bean(preDestroy = "close")
    LeaseEngine engine(MongoClient client, MeterRegistry registry) {
        return LeaseEngine.builder(client)
                .database("shop")
                .namespace("billing")
                .meters(LeaseMeters.to(registry))
                .build();
    }

    @Singleton
    @Readiness
    HealthIndicator readiness(LeaseEngine engine) {
        return () -> {
            EngineHealth health = engine.health();
            return Publishers.just(HealthResult.builder("leasehold", status(health.ready()))
                    .details(health.detail())
                    .build());
        };
    }

    /** Down once the engine cannot go on, never because the database is away. */
    @Singleton
    @Liveness
    HealthIndicator liveness(LeaseEngine engine) {
        return () -> Publishers.just(
                HealthResult.builder("leasehold-engine", status(engine.health().open()))
                        .build());
    }

    private static HealthStatus status(boolean isUp) {
        return isUp ? HealthStatus.UP : HealthStatus.DOWN;
    }
}
// example:end micronaut
