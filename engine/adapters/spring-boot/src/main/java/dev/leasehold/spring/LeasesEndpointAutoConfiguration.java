package dev.leasehold.spring;

import dev.leasehold.engine.LeaseEngine;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The actuator endpoint {@code leases}. */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(LeaseEngine.class)
@ConditionalOnAvailableEndpoint(LeasesEndpoint.class)
class LeasesEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LeasesEndpoint leasesEndpoint(LeaseEngine engine) {
        return new LeasesEndpoint(() -> Answered.by("admin", engine.admin()));
    }
}
