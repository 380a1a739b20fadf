package dev.leasehold.spring;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseMeters;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** The engine's meters in the application's registry. */
@AutoConfiguration(
        before = LeaseholdAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass({LeaseEngine.class, MeterRegistry.class})
@ConditionalOnSingleCandidate(MeterRegistry.class)
class LeaseMetricsAutoConfiguration {

    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    @ConditionalOnMissingBean(name = "leaseMetersCustomizer")
    LeaseEngineBuilderCustomizer leaseMetersCustomizer(MeterRegistry registry) {
        return builder -> builder.meters(LeaseMeters.to(registry));
    }
}
