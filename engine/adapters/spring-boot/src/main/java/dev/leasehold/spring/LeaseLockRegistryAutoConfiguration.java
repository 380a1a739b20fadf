package dev.leasehold.spring;

import dev.leasehold.engine.LeaseEngine;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.LockRegistry;

/** A lock registry for Spring Integration, where that is on the class path. */
@AutoConfiguration(
        after = LeaseholdAutoConfiguration.class,
        beforeName = "org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration")
@ConditionalOnClass(LockRegistry.class)
@ConditionalOnBean(LeaseEngine.class)
class LeaseLockRegistryAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(LockRegistry.class)
    LeaseLockRegistry leaseLockRegistry(LeaseEngine engine) {
        return new LeaseLockRegistry(engine);
    }
}
