package dev.leasehold.spring;

import dev.leasehold.engine.EngineHealth;
import dev.leasehold.engine.LeaseEngine;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
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
        return shown(
                engine,
                health -> (health.ready() ? Health.up() : Health.outOfService())
                        .withDetail("detail", health.detail())
                        .withDetail("heldLeases", health.heldLeases())
                        .withDetail("waiters", health.waiters()));
    }

    /** For the liveness group: down once the engine cannot go on, never because the database is away. */
    @Bean
    @ConditionalOnMissingBean(name = "leaseholdEngineHealthIndicator")
    HealthIndicator leaseholdEngineHealthIndicator(LeaseEngine engine) {
        return shown(
                engine, health -> health.open() ? Health.up() : Health.down().withDetail("detail", health.detail()));
    }

    /** Of a mocked engine it is not known, which makes the application neither ready nor unready. */
    private static HealthIndicator shown(LeaseEngine engine, Function<EngineHealth, Health.Builder> known) {
        return () -> {
            @Nullable EngineHealth health = engine.health();
            return (health == null
                            ? Health.unknown().withDetail("detail", Answered.refusal("health"))
                            : known.apply(health))
                    .build();
        };
    }
}
