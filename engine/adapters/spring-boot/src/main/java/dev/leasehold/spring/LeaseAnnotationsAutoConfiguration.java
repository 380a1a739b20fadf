package dev.leasehold.spring;

import com.mongodb.client.MongoClient;
import dev.leasehold.engine.LeaseEngine;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** Checks the annotations of every application that has the starter, also of one without an engine. */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
class LeaseAnnotationsAutoConfiguration {

    private static final String ADVISOR = "leasedAdvisor";

    @Bean(LeaseAnnotationCheck.NAME)
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaseAnnotationCheck leaseAnnotationCheck(ConfigurableListableBeanFactory beans, Environment environment) {
        return new LeaseAnnotationCheck(
                beans,
                environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true),
                unguarded(beans, environment),
                isEnabled(environment)
                        ? LeaseholdProperties.Unguarded.REFUSE
                        : Binder.get(environment)
                                .bind("leasehold.unguarded", LeaseholdProperties.Unguarded.class)
                                .orElse(LeaseholdProperties.Unguarded.REFUSE),
                () -> beans.getBean(LeaderElections.class),
                (bean, method) -> beans.getBean(CatchUpRuns.class).add(bean, method));
    }

    private static boolean isEnabled(Environment environment) {
        return environment.getProperty("leasehold.enabled", Boolean.class, true);
    }

    /** Why no annotation does anything; null if they do. */
    private static @Nullable String unguarded(ConfigurableListableBeanFactory beans, Environment environment) {
        if (beans.containsBean(ADVISOR)) {
            return null;
        } else if (!isEnabled(environment)) {
            return "leasehold.enabled is false";
        }
        int engines = beans.getBeanNamesForType(LeaseEngine.class, true, false).length;
        int clients = beans.getBeanNamesForType(MongoClient.class, true, false).length;
        if (engines == 1 || engines == 0 && clients == 1) {
            return "LeaseholdAutoConfiguration is excluded, or the application was processed ahead of time with leasehold.enabled=false";
        } else if (engines > 1) {
            return "there are " + engines
                    + " beans of type LeaseEngine and none of them is primary: mark the one whose leases the annotations are by @Primary";
        }
        return clients == 0
                ? "there is no bean of type MongoClient, and none of type LeaseEngine"
                : "there are " + clients
                        + " beans of type MongoClient and none of them is primary: mark the one that leases are kept with by @Primary, or"
                        + " define a bean of type LeaseEngine";
    }
}
