package dev.leasehold.spring;

import dev.leasehold.engine.EngineHealth;
import dev.leasehold.engine.LeaseEngine;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The engine's health as an indicator. */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(LeaseEngine.class)
@ConditionalOnEnabledHealthIndicator("leasehold")
class LeaseHealthAutoConfiguration {

    /** Asks nothing: what the engine knows of its last dealing with the database. */
    @Bean
    @ConditionalOnMissingBean(name = "leaseholdHealthIndicator")
    HealthIndicator leaseholdHealthIndicator(LeaseEngine engine) {
        return () -> {
            EngineHealth health = engine.health();
            Health.Builder shown = health.ready() ? Health.up() : Health.outOfService();
            return shown.withDetail("detail", health.detail())
                    .withDetail("heldLeases", health.heldLeases())
                    .withDetail("waiters", health.waiters())
                    .build();
        };
    }

    /** For the liveness group: down once the engine cannot go on, never because the database is away. */
    @Bean
    @ConditionalOnMissingBean(name = "leaseholdEngineHealthIndicator")
    HealthIndicator leaseholdEngineHealthIndicator(LeaseEngine engine) {
        return () -> {
            EngineHealth health = engine.health();
            return health.open()
                    ? Health.up().build()
                    : Health.down().withDetail("detail", health.detail()).build();
        };
    }
}
