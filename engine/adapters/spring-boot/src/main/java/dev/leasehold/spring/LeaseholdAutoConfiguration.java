package dev.leasehold.spring;

import com.mongodb.client.MongoClient;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseEngineBuilder;
import io.micrometer.observation.ObservationRegistry;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.boot.mongodb.autoconfigure.MongoProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.util.ClassUtils;

/** The engine on the application's client, and the annotations that use it. */
@AutoConfiguration(
        after = MongoAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnBooleanProperty(name = "leasehold.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LeaseholdProperties.class)
class LeaseholdAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseholdAutoConfiguration.class);

    private static final boolean HAS_SPRING_DATA = ClassUtils.isPresent(
            "org.springframework.data.mongodb.MongoDatabaseFactory", LeaseholdAutoConfiguration.class.getClassLoader());

    static final String GATED_TRANSACTIONS = "leaseGatedTransactions";

    /** Outside of transactions, whose advice has the lowest precedence: a lease is acquired before its transaction begins. */
    private static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1_000;

    /** Destroyed before the client that it is made with; by then web servers and schedulers have stopped. */
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(MongoClient.class)
    LeaseEngine leaseEngine(
            MongoClient client,
            LeaseholdProperties properties,
            Environment environment,
            BeanFactory beans,
            ObjectProvider<LeaseEngineBuilderCustomizer> customizers,
            ObjectProvider<ClientTimeouts> timeouts) {
        checkWhole("leasehold.partitions", environment);
        checkWhole("leasehold.maximum-drift-ppm", environment);
        String database = database(properties, beans);
        String namespace = namespace(properties, environment);
        LOG.info(
                "leases are kept in database {}, collection {}, namespace {}",
                LeaseNames.quote(database),
                LeaseNames.quote(Objects.requireNonNullElse(properties.collection(), "leases")),
                LeaseNames.quote(namespace));
        LeaseEngineBuilder builder =
                LeaseEngine.builder(client).database(database).namespace(namespace);
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
        map.from(properties::occurrenceRetention).to(builder::occurrenceRetention);
        if (Threading.VIRTUAL.isActive(environment)) {
            SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor("leasehold-callback-");
            executor.setVirtualThreads(true);
            builder.callbackExecutor(executor);
        }
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        LeaseEngine engine = properties.startWithoutDatabase() ? LateEngine.now(builder::build) : builder.build();
        // Behind the engine's look at the driver, an old version of which does not have what this asks for.
        timeouts.ifAvailable(ClientTimeouts::warnIfMissing);
        return engine;
    }

    /** A number of a YAML file, of which Spring would cut the rest off. */
    private static void checkWhole(String property, Environment environment) {
        Binder.get(environment).bind(property, Object.class).ifBound(value -> {
            if (value instanceof Double number && number != Math.rint(number)) {
                throw new IllegalArgumentException(property + " " + number + " is refused: it must be a whole number");
            }
        });
    }

    /** Not even where all else is made at its first use: an engine that cannot start has the application refuse to start. */
    @Bean
    static LazyInitializationExcludeFilter leaseEngineIsNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(LeaseEngine.class);
    }

    /** As Boot resolves it for the application's own data; where Spring Data is there, its factory decides. */
    private static String database(LeaseholdProperties properties, BeanFactory beans) {
        return Optional.ofNullable(properties.database())
                .or(() -> HAS_SPRING_DATA ? SpringData.database(beans) : Optional.empty())
                .or(() -> Optional.ofNullable(
                                beans.getBeanProvider(MongoProperties.class).getIfAvailable())
                        .map(MongoProperties::getDatabase))
                .or(() -> Optional.ofNullable(beans.getBeanProvider(MongoConnectionDetails.class)
                                .getIfAvailable())
                        .map(details -> details.getConnectionString().getDatabase()))
                .orElse("test");
    }

    /** Loaded only where Spring Data is there. */
    private static final class SpringData {

        static Optional<String> database(BeanFactory beans) {
            return Optional.ofNullable(
                            beans.getBeanProvider(MongoDatabaseFactory.class).getIfUnique())
                    .map(factory -> factory.getMongoDatabase().getName());
        }
    }

    private static String namespace(LeaseholdProperties properties, Environment environment) {
        @Nullable String name = properties.namespace() != null
                ? properties.namespace()
                : environment.getProperty("spring.application.name");
        if (name == null || name.isBlank()) {
            throw new IllegalArgumentException(
                    "leasehold.namespace is missing: set it, or spring.application.name, to the same in all processes"
                            + " that share leases");
        }
        return name;
    }

    @Bean
    @ConditionalOnBean(LeaseEngine.class)
    @ConditionalOnMissingBean
    @ConditionalOnBooleanProperty(name = "leasehold.housekeeping.enabled", matchIfMissing = true)
    HousekeepingSchedule leaseHousekeeping(
            LeaseEngine engine, LeaseholdProperties properties, Environment environment) {
        return new HousekeepingSchedule(
                engine, properties.housekeeping().period(), Threading.VIRTUAL.isActive(environment));
    }

    @Bean
    @ConditionalOnBean(LeaseEngine.class)
    @ConditionalOnMissingBean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaderElections leaderElections(
            BeanFactory beans, ApplicationEventPublisher events, Environment environment) {
        checkWhole("leasehold.election-priority", environment);
        return new LeaderElections(
                () -> beans.getBean(LeaseEngine.class),
                events,
                Binder.get(environment)
                        .bind("leasehold.elections", Bindable.listOf(String.class))
                        .orElseGet(List::of),
                environment.getProperty("leasehold.election-priority", Integer.class, 0),
                environment.getProperty("leasehold.election-yields", Boolean.class, false));
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
    @ConditionalOnBean(LeaseEngine.class)
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static CatchUpRuns leaseCatchUpRuns(BeanFactory beans, Environment environment) {
        SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor("leasehold-catch-up-");
        executor.setVirtualThreads(Threading.VIRTUAL.isActive(environment));
        return new CatchUpRuns(beans, () -> beans.getBean(LeaseEngine.class), executor);
    }

    @Bean
    @ConditionalOnSingleCandidate(LeaseEngine.class)
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor leasedAdvisor(ConfigurableBeanFactory beans) {
        LeasedInterceptor interceptor = new LeasedInterceptor(
                beans,
                () -> beans.getBean(LeaseEngine.class),
                () -> beans.containsBean(GATED_TRANSACTIONS) ? beans.getBean(GATED_TRANSACTIONS) : null,
                () -> beans.getBeanProvider(ObservationRegistry.class).getIfAvailable(() -> ObservationRegistry.NOOP),
                () -> beans.getBean(RunningMethods.class),
                text -> Objects.requireNonNull(beans.resolveEmbeddedValue(text)));
        return advisor(new LeasedPointcut(), interceptor);
    }

    @Bean
    @ConditionalOnSingleCandidate(LeaseEngine.class)
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor leaderOnlyAdvisor(ConfigurableBeanFactory beans, LeaderElections elections) {
        LeasedCall.PlaceholderResolver placeholders = text -> Objects.requireNonNull(beans.resolveEmbeddedValue(text));
        return advisor(
                new LeaderOnlyPointcut(elections, placeholders),
                new LeaderOnlyInterceptor(() -> elections, () -> beans.getBean(RunningMethods.class), placeholders));
    }

    /** Finds the methods with {@link Leased}, on the method of the class, of a super class or of an interface. */
    private static final class LeasedPointcut extends StaticMethodMatcherPointcut {

        @Override
        public boolean matches(Method method, Class<?> type) {
            return AnnotatedMethods.find(Leased.class, type, AopUtils.getMostSpecificMethod(method, type)) != null;
        }
    }

    private static Advisor advisor(Pointcut pointcut, MethodInterceptor interceptor) {
        DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(pointcut, interceptor);
        advisor.setOrder(ORDER);
        return advisor;
    }
}
