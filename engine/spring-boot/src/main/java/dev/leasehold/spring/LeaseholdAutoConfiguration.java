package dev.leasehold.spring;

import com.mongodb.client.MongoClient;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseEngineBuilder;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.boot.thread.Threading;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/** The engine on the application's client, and the annotations that use it. */
@AutoConfiguration(
        after = MongoAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnSingleCandidate(MongoClient.class)
@ConditionalOnBooleanProperty(name = "leasehold.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LeaseholdProperties.class)
class LeaseholdAutoConfiguration {

    static final String GATED_TRANSACTIONS = "leaseGatedTransactions";

    /** Outside of transactions, whose advice has the lowest precedence: a lease is acquired before its transaction begins. */
    private static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1_000;

    /** Destroyed before the client that it is made with; by then web servers and schedulers have stopped. */
    @Bean
    @ConditionalOnMissingBean
    LeaseEngine leaseEngine(
            MongoClient client,
            LeaseholdProperties properties,
            Environment environment,
            ObjectProvider<MongoConnectionDetails> connection,
            ObjectProvider<LeaseEngineBuilderCustomizer> customizers) {
        LeaseEngineBuilder builder = LeaseEngine.builder(client)
                .database(database(properties, connection))
                .namespace(namespace(properties, environment));
        PropertyMapper map = PropertyMapper.get();
        map.from(properties::collection).to(builder::collection);
        map.from(properties::instance).to(builder::instance);
        map.from(properties::partitions).to(builder::partitions);
        map.from(properties::maximumDriftPpm).to(builder::maximumDriftPpm);
        map.from(properties::sessionLength).to(builder::sessionLength);
        map.from(properties::heartbeatPeriod).to(builder::heartbeatPeriod);
        map.from(properties::operationBudget).to(builder::operationBudget);
        map.from(properties::commandBudget).to(builder::commandBudget);
        map.from(properties::closeBudget).to(builder::closeBudget);
        map.from(properties::retention).to(builder::retention);
        if (Threading.VIRTUAL.isActive(environment)) {
            SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor("leasehold-callback-");
            executor.setVirtualThreads(true);
            builder.callbackExecutor(executor);
        }
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return properties.startWithoutDatabase() ? LateEngine.now(builder::build) : builder.build();
    }

    private static String database(LeaseholdProperties properties, ObjectProvider<MongoConnectionDetails> connection) {
        return Optional.ofNullable(properties.database())
                .or(() -> Optional.ofNullable(connection.getIfAvailable())
                        .map(details -> details.getConnectionString().getDatabase()))
                .orElse("test");
    }

    private static String namespace(LeaseholdProperties properties, Environment environment) {
        @Nullable String name = properties.namespace() != null
                ? properties.namespace()
                : environment.getProperty("spring.application.name");
        if (name == null || name.isBlank()) {
            throw new IllegalArgumentException(
                    "leasehold.namespace is missing: set it, or spring.application.name, to the same in all processes that share leases");
        }
        return name;
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBooleanProperty(name = "leasehold.housekeeping.enabled", matchIfMissing = true)
    HousekeepingSchedule leaseHousekeeping(
            LeaseEngine engine, LeaseholdProperties properties, Environment environment) {
        return new HousekeepingSchedule(
                engine, properties.housekeeping().period(), Threading.VIRTUAL.isActive(environment));
    }

    @Bean
    @ConditionalOnMissingBean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaderElections leaderElections(
            BeanFactory beans, ApplicationEventPublisher events, Environment environment) {
        return new LeaderElections(
                () -> beans.getBean(LeaseEngine.class),
                events,
                Binder.get(environment)
                        .bind("leasehold.elections", Bindable.listOf(String.class))
                        .orElseGet(List::of));
    }

    /** Waits as long as Spring does for what stops in one phase. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RunningMethods leaseRunningMethods(Environment environment) {
        return new RunningMethods(Binder.get(environment)
                .bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
                .orElse(Duration.ofSeconds(30)));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor leasedAdvisor(ConfigurableBeanFactory beans) {
        LeasedInterceptor interceptor = new LeasedInterceptor(
                () -> beans.getBean(LeaseEngine.class),
                () -> beans.containsBean(GATED_TRANSACTIONS) ? beans.getBean(GATED_TRANSACTIONS) : null,
                () -> beans.getBeanProvider(ObservationRegistry.class).getIfAvailable(() -> ObservationRegistry.NOOP),
                () -> beans.getBean(RunningMethods.class),
                text -> Objects.requireNonNull(beans.resolveEmbeddedValue(text)));
        return advisor(AnnotationMatchingPointcut.forMethodAnnotation(Leased.class), interceptor);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor leaderOnlyAdvisor(ConfigurableBeanFactory beans, LeaderElections elections) {
        LeasedCall.PlaceholderResolver placeholders = text -> Objects.requireNonNull(beans.resolveEmbeddedValue(text));
        return advisor(
                new LeaderOnlyPointcut(elections, placeholders),
                new LeaderOnlyInterceptor(() -> elections, () -> beans.getBean(RunningMethods.class), placeholders));
    }

    private static Advisor advisor(Pointcut pointcut, MethodInterceptor interceptor) {
        DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(pointcut, interceptor);
        advisor.setOrder(ORDER);
        return advisor;
    }
}
