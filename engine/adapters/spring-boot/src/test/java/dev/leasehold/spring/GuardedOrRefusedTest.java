package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.leasehold.engine.LeaderElection;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.spring.elsewhere.PackagePrivateJob;
import jakarta.annotation.PostConstruct;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * An annotation that guards nothing, though the application looks as if it did, keeps the application from starting. Where a call of a
 * method is to be guarded, this asks the engine, which here says that it was asked.
 */
class GuardedOrRefusedTest {

    private static final class Asked extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Asked(Object @Nullable [] arguments) {
            super(Arrays.toString(arguments));
        }
    }

    private final ApplicationContextRunner starter = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    LeaseholdAutoConfiguration.class,
                    LeaseAnnotationsAutoConfiguration.class))
            .withPropertyValues("spring.application.name=shop", "leasehold.housekeeping.enabled=false");

    private final ApplicationContextRunner application =
            starter.withBean(LeaseEngine.class, GuardedOrRefusedTest::engine);

    private final ApplicationContextRunner withTransactions = application
            .withConfiguration(AutoConfigurations.of(
                    MongoAutoConfiguration.class,
                    DataMongoAutoConfiguration.class,
                    TransactionManagerCustomizationAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    GatedTransactionsAutoConfiguration.class))
            .withBean(MongoClient.class, MongoClients::create);

    private static LeaseEngine engine() {
        return (LeaseEngine) Proxy.newProxyInstance(
                LeaseEngine.class.getClassLoader(),
                new Class<?>[] {LeaseEngine.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "close" -> null;
                    case "toString" -> "asked";
                    case "hashCode" -> 1;
                    case "equals" -> proxy == arguments[0];
                    case "elect" -> campaign();
                    default -> throw new Asked(arguments);
                });
    }

    /** Never leads. */
    private static Object campaign() {
        return Proxy.newProxyInstance(
                LeaseEngine.class.getClassLoader(),
                new Class<?>[] {LeaderElection.Builder.class, LeaderElection.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "lease" -> Optional.empty();
                    case "close" -> null;
                    default -> proxy;
                });
    }

    private static void isRefused(ApplicationContextRunner runner, Class<?> configuration, String... words) {
        runner.withUserConfiguration(configuration)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("would not be guarded as they say")
                        .satisfies(failure -> assertThat(NestedExceptionUtils.getMostSpecificCause(failure)
                                        .getMessage())
                                .contains(words)));
    }

    private static <T> void isRefused(
            ApplicationContextRunner runner, Class<T> type, Supplier<T> bean, String... words) {
        runner.withBean(type, bean)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContainingAll(words)
                        .hasMessageContaining(type.getName()));
    }

    // ---- proxies of interfaces ----

    interface Job {
        void job();
    }

    static class LeasedJob implements Job {
        @Override
        @Leased(name = "a")
        public void job() {}
    }

    static class LeaderJob implements Job {
        @Override
        @LeaderOnly
        public void job() {
            throw new IllegalStateException("not guarded");
        }
    }

    static class OtherMethod implements Job {
        @Override
        public void job() {}

        @Leased(name = "a")
        public void other() {}
    }

    @Test
    @DisplayName("Behind a proxy of its interfaces a method is guarded by the annotation on the class")
    void annotationOfTheClassGuardsBehindAnInterface() {
        ApplicationContextRunner interfaces = application.withPropertyValues("spring.aop.proxy-target-class=false");
        interfaces.withBean("job", LeasedJob.class).run(context -> {
            Job job = context.getBean(Job.class);
            assertThat(Proxy.isProxyClass(job.getClass())).isTrue();
            assertThatThrownBy(job::job).isInstanceOf(Asked.class);
        });
        interfaces.withBean("job", LeaderJob.class).run(context -> {
            Job job = context.getBean(Job.class);
            assertThat(Proxy.isProxyClass(job.getClass())).isTrue();
            job.job(); // this process does not lead
        });
    }

    @Test
    @DisplayName("A method that no interface of the proxy has is refused")
    void methodBesideTheInterfacesIsRefused() {
        isRefused(
                application.withPropertyValues("spring.aop.proxy-target-class=false"),
                OtherMethod.class,
                OtherMethod::new,
                "OtherMethod.other",
                "proxy of its interfaces",
                "spring.aop.proxy-target-class=true");
    }

    // ---- annotations of interfaces ----

    interface GuardedJob {
        @Leased(name = "a")
        void job();
    }

    interface GuardedLeader {
        @LeaderOnly
        void job();
    }

    interface GuardedHandler<T> {
        @Leased(name = "a")
        void handle(T message);
    }

    /** Implements none of them. */
    static class Unaware {
        public void job() {
            throw new IllegalStateException("not guarded");
        }

        public void handle(String message) {
            throw new IllegalStateException("not guarded");
        }
    }

    static class InheritsJob extends Unaware implements GuardedJob {}

    static class InheritsLeader extends Unaware implements GuardedLeader {}

    static class InheritsHandler extends Unaware implements GuardedHandler<String> {}

    static class Handler implements GuardedHandler<String> {
        @Override
        public void handle(String message) {}
    }

    static class UnawareAndFinal {
        public final void job() {}
    }

    static class InheritsFinal extends UnawareAndFinal implements GuardedJob {}

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "The annotation of an interface guards a method that the class inherits from one without the interface")
    void inheritedMethodIsGuardedByTheInterface(boolean isProxyByClass) {
        ApplicationContextRunner runner =
                application.withPropertyValues("spring.aop.proxy-target-class=" + isProxyByClass);
        runner.withBean(InheritsJob.class)
                .run(context -> assertThatThrownBy(
                                () -> context.getBean(GuardedJob.class).job())
                        .isInstanceOf(Asked.class));
        runner.withBean(InheritsLeader.class)
                .run(context -> context.getBean(GuardedLeader.class).job()); // this process does not lead
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("The annotation of a generic interface guards a method for one of its types, also behind its proxy")
    void methodIsGuardedByTheGenericInterface(boolean isProxyByClass) {
        ApplicationContextRunner runner =
                application.withPropertyValues("spring.aop.proxy-target-class=" + isProxyByClass);
        runner.withBean(Handler.class).run(GuardedOrRefusedTest::handlerIsGuarded);
        runner.withBean(InheritsHandler.class).run(GuardedOrRefusedTest::handlerIsGuarded);
    }

    private static void handlerIsGuarded(ApplicationContext context) {
        @SuppressWarnings("unchecked")
        GuardedHandler<String> handler = context.getBean(GuardedHandler.class);
        assertThatThrownBy(() -> handler.handle("")).isInstanceOf(Asked.class);
    }

    @Test
    @DisplayName("A final method is refused that a class inherits for an interface with the annotation")
    void inheritedFinalMethodIsRefused() {
        isRefused(application, InheritsFinal.class, InheritsFinal::new, "final");
    }

    interface Unnamed {
        @Leased
        Object job();
    }

    /** As a repository of Spring Data is made. */
    static class Generating implements FactoryBean<Unnamed> {
        @Override
        public Unnamed getObject() {
            return (Unnamed) Proxy.newProxyInstance(
                    Unnamed.class.getClassLoader(),
                    new Class<?>[] {Unnamed.class},
                    (proxy, method, arguments) -> method.invoke("made", arguments));
        }

        @Override
        public Class<?> getObjectType() {
            return Unnamed.class;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithLambda {
        @Bean
        Unnamed unnamed() {
            return () -> 1;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithAnotherLambda {
        @Bean
        Unnamed another() {
            return () -> 2;
        }
    }

    @Test
    @DisplayName(
            "A lease without a name is that of the interface where each process makes the class: a proxy, or a lambda")
    void generatedClassGivesNoName() {
        for (ApplicationContextRunner runner :
                List.of(application.withBean(Generating.class), application.withUserConfiguration(WithLambda.class))) {
            runner.run(context -> assertThatThrownBy(
                            () -> context.getBean(Unnamed.class).job())
                    .isInstanceOf(Asked.class)
                    .hasMessageContaining("name=" + Unnamed.class.getName() + ".job,"));
        }
        isRefused(
                application.withUserConfiguration(WithLambda.class),
                WithAnotherLambda.class,
                "lease '" + Unnamed.class.getName() + ".job' is that of several methods");
    }

    // ---- methods that a proxy does not override ----

    static class Inheriting extends PackagePrivateJob {}

    @Test
    @DisplayName("A package-private method of a super class in another package is refused, which no proxy overrides")
    void packagePrivateMethodOfAnotherPackageIsRefused() {
        isRefused(application, Inheriting.class, Inheriting::new, "another package");
        application
                .withBean(PackagePrivateJob.class)
                .run(context -> assertThatThrownBy(
                                () -> PackagePrivateJob.call(context.getBean(PackagePrivateJob.class)))
                        .isInstanceOf(Asked.class));
    }

    // ---- beans without a proxy ----

    static class Plain {
        @Leased(name = "a")
        public void job() {}
    }

    static class PlainLeader {
        @LeaderOnly
        public void job() {}
    }

    /** Made before those that make proxies. */
    static class Early implements BeanPostProcessor, PriorityOrdered {
        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MadeTooEarly {
        @Bean
        static Plain plain() {
            return new Plain();
        }

        @Bean
        static Early needsIt(Plain plain) {
            return new Early();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LeaderMadeTooEarly {
        @Bean
        static PlainLeader plain() {
            return new PlainLeader();
        }

        @Bean
        static Early needsIt(PlainLeader plain) {
            return new Early();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NeededLater {
        @Bean
        static Plain plain() {
            return new Plain();
        }

        @Bean
        static Early needsIt(ObjectProvider<Plain> plain) {
            return new Early();
        }
    }

    @Test
    @DisplayName(
            "A bean that was made before there were proxies is refused, and one that its user asks for later works")
    void beanThatWasMadeTooEarlyIsRefused() {
        isRefused(application, MadeTooEarly.class, "bean 'plain'", "has no proxy", "@Leased", "ObjectProvider");
        isRefused(application, LeaderMadeTooEarly.class, "bean 'plain'", "has no proxy", "@LeaderOnly");
        application
                .withUserConfiguration(NeededLater.class)
                .run(context -> assertThatThrownBy(
                                () -> context.getBean(Plain.class).job())
                        .isInstanceOf(Asked.class));
    }

    @Test
    @DisplayName("An object that is registered as it is, and no bean of a definition, is refused")
    void registeredObjectIsRefused() {
        application
                .withInitializer(context -> context.getBeanFactory().registerSingleton("object", new Plain()))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContainingAll("bean 'object'", "has no proxy", "define it as a bean"));
    }

    @Test
    @DisplayName(
            "Where proxies are turned off the application does not start, and a bean that is made later is refused then")
    void withoutProxiesNothingStarts() {
        ApplicationContextRunner off = application.withPropertyValues("spring.aop.auto=false");
        isRefused(off, Plain.class, Plain::new, "has no proxy", "spring.aop.auto=false");
        off.withBean(Plain.class, Plain::new, definition -> definition.setLazyInit(true))
                .run(context -> assertThatThrownBy(() -> context.getBean(Plain.class))
                        .rootCause()
                        .hasMessageContaining("has no proxy"));
    }

    @Configuration(proxyBeanMethods = false)
    static class HiddenBehindItsType {
        @Bean
        @Scope(BeanDefinition.SCOPE_PROTOTYPE)
        Job job() {
            return new FinalJob();
        }
    }

    static class FinalJob implements Job {
        @Override
        @Leased(name = "a")
        public final void job() {}
    }

    @Test
    @DisplayName("A bean whose class is known only when it is made is refused then")
    void classThatIsKnownLateIsLookedAtLate() {
        application.withUserConfiguration(HiddenBehindItsType.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThatThrownBy(() -> context.getBean(Job.class)).rootCause().hasMessageContaining("final");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Scoped {
        @Bean
        @Scope(value = BeanDefinition.SCOPE_PROTOTYPE, proxyMode = ScopedProxyMode.TARGET_CLASS)
        Plain plain() {
            return new Plain();
        }
    }

    @Test
    @DisplayName("A bean of a scope is guarded behind its proxy")
    void scopedBeanIsGuarded() {
        application
                .withUserConfiguration(Scoped.class)
                .run(context -> assertThatThrownBy(
                                () -> context.getBean("plain", Plain.class).job())
                        .isInstanceOf(Asked.class));
    }

    static class JobFactory implements FactoryBean<Runnable> {
        @Override
        public Runnable getObject() {
            return new FinalRun();
        }

        @Override
        public Class<?> getObjectType() {
            return Runnable.class;
        }
    }

    static class FinalRun implements Runnable {
        @Override
        @Leased(name = "a")
        public final void run() {}
    }

    static class Consumer {
        Consumer(Runnable job) {}
    }

    static class FactoryWithJob extends JobFactory {
        @Override
        public Runnable getObject() {
            return () -> {};
        }

        @Leased(name = "a")
        public final void refresh() {}
    }

    @Test
    @DisplayName(
            "What a factory has made before the start, and a factory itself, is refused if its method is not guarded")
    void factoriesAreLookedAt() {
        application
                .withBean(JobFactory.class)
                .withBean(Consumer.class)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("final"));
        application
                .withBean(FactoryWithJob.class)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("final"));
    }

    static class Circle {
        @Autowired
        @Nullable OtherHalf other;

        @Leased(name = "a")
        public void job() {}
    }

    static class OtherHalf {
        @Autowired
        @Nullable Circle circle;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("A bean of a circle is guarded, also if it is made late")
    void beanOfACircleIsGuarded(boolean isLazy) {
        application
                .withAllowCircularReferences(true)
                .withBean(Circle.class, Circle::new, definition -> definition.setLazyInit(isLazy))
                .withBean(OtherHalf.class, OtherHalf::new, definition -> definition.setLazyInit(isLazy))
                .run(context -> {
                    assertThatThrownBy(() -> context.getBean(Circle.class).job())
                            .isInstanceOf(Asked.class);
                    assertThat(context.getBean(OtherHalf.class).circle).isSameAs(context.getBean(Circle.class));
                });
    }

    // ---- calls of the container ----

    static class AtConstruction {
        @PostConstruct
        @Leased(name = "a")
        public void job() {}
    }

    static class Initializing implements InitializingBean {
        @Override
        @Leased(name = "a")
        public void afterPropertiesSet() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class WithInitMethod {
        @Bean(initMethod = "job")
        Plain plain() {
            return new Plain();
        }
    }

    static class Closing {
        @Leased(name = "a")
        public void close() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class WithInferredDestroyMethod {
        @Bean
        Closing closing() {
            return new Closing();
        }
    }

    static class ClosedByItsType implements AutoCloseable {
        @Override
        @Leased(name = "a")
        public void close() {}
    }

    @Test
    @DisplayName("The close of a bean that is only an AutoCloseable is refused, unless its definition turns that off")
    void closeOfAnAutoCloseableIsRefused() {
        isRefused(application, ClosedByItsType.class, ClosedByItsType::new, "on the object itself");
        application
                .withBean(
                        ClosedByItsType.class,
                        () -> new ClosedByItsType(),
                        definition -> ((AbstractBeanDefinition) definition).setDestroyMethodName(""))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    @DisplayName("A method that the container calls on the object itself is refused")
    void callbackOfTheContainerIsRefused() {
        isRefused(application, AtConstruction.class, AtConstruction::new, "on the object itself");
        isRefused(application, Initializing.class, Initializing::new, "on the object itself");
        isRefused(application, WithInitMethod.class, "on the object itself", "Plain.job");
        isRefused(application, WithInferredDestroyMethod.class, "on the object itself", "Closing.close");
    }

    // ---- transactions that leave the gate ----

    static class NewTransaction {
        @Leased(name = "a", gated = true)
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void job() {}
    }

    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    static class WithoutTransaction {
        @Leased(name = "a", oncePer = "PT1H")
        public void job() {}
    }

    static class OtherManager {
        @Leased(name = "a", gated = true)
        @Transactional("sql")
        public void job() {}
    }

    static class DefaultManager {
        @Leased(name = "a", gated = true)
        @Transactional
        public void job() {}
    }

    static class NamedManager {
        @Leased(name = "a", gated = true)
        @Transactional("leaseTransactionManager")
        public void job() {}
    }

    @Test
    @DisplayName("A gated method whose @Transactional leaves the gated transaction by its propagation is refused")
    void propagationThatLeavesTheGateIsRefused() {
        isRefused(withTransactions, NewTransaction.class, NewTransaction::new, "gated = true", "propagation");
        isRefused(withTransactions, WithoutTransaction.class, WithoutTransaction::new, "oncePer 'PT1H'", "propagation");
        withTransactions
                .withBean(DefaultManager.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Configuration(proxyBeanMethods = false)
    static class Sql {
        @Bean
        JdbcTransactionManager sql() {
            return new JdbcTransactionManager(new SimpleDriverDataSource());
        }
    }

    @Test
    @DisplayName(
            "A gated method whose @Transactional is that of another transaction manager is refused, named or by default")
    void otherTransactionManagerIsRefused() {
        ApplicationContextRunner withSql = withTransactions.withUserConfiguration(Sql.class);
        isRefused(withSql, OtherManager.class, OtherManager::new, "JdbcTransactionManager", "leaseTransactionManager");
        isRefused(withSql, DefaultManager.class, DefaultManager::new, "JdbcTransactionManager");
        withSql.withBean(NamedManager.class).run(context -> assertThat(context).hasNotFailed());
    }

    // ---- listeners of transactions ----

    static class GatedListener {
        @Leased(name = "listener", gated = true)
        @TransactionalEventListener
        public void on(String event) {}
    }

    static class OnceListener {
        @Leased(name = "listener", oncePer = "#{#event}")
        @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
        public void on(String event) {}
    }

    static class AsynchronousListener {
        @Async
        @Leased(name = "listener", gated = true)
        @TransactionalEventListener
        public void on(String event) {}
    }

    static class ListenerWithoutTransaction {
        @Leased(name = "listener", gated = true)
        @TransactionalEventListener(fallbackExecution = true)
        public void on(String event) {}
    }

    static class UngatedListener {
        @Leased(name = "listener")
        @TransactionalEventListener
        public void on(String event) {}
    }

    @Test
    @DisplayName("A gated listener that is called in the transaction of the event, where each call fails, is refused")
    void gatedListenerOfATransactionIsRefused() {
        isRefused(withTransactions, GatedListener.class, GatedListener::new, "gated = true", "@Async");
        isRefused(withTransactions, OnceListener.class, OnceListener::new, "oncePer", "@Async");
        Stream.of(AsynchronousListener.class, ListenerWithoutTransaction.class, UngatedListener.class)
                .forEach(type -> withTransactions
                        .withUserConfiguration(AsyncOutside.class)
                        .withBean("listener", type)
                        .run(context -> assertThat(context).hasNotFailed()));
    }

    // ---- advice in the wrong order ----

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = 0)
    static class TransactionsOutside {
        @Bean
        Transacted transacted() {
            return new Transacted();
        }
    }

    static class Transacted {
        @Leased(name = "a")
        @Transactional
        public void job() {}
    }

    @Test
    @DisplayName("A transaction that would commit when the lease was released is refused")
    void transactionAroundTheLeaseIsRefused() {
        isRefused(withTransactions, TransactionsOutside.class, "Transacted.job", "commits when the lease was released");
        withTransactions
                .withBean(Transacted.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = 0)
    static class TransactionsOutsideOfTheLeader {
        @Bean
        TransactedLeader transacted() {
            return new TransactedLeader();
        }
    }

    static class TransactedLeader {
        @LeaderOnly
        @Transactional
        public void job() {}
    }

    @Test
    @DisplayName("A transaction that a leader would commit when it may have stepped down is refused")
    void transactionAroundTheLeaderIsRefused() {
        isRefused(
                withTransactions,
                TransactionsOutsideOfTheLeader.class,
                "TransactedLeader.job",
                "without waiting for its commit");
        withTransactions
                .withBean(TransactedLeader.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class AsyncOutside {
        @Bean
        Asynchronous asynchronous() {
            return new Asynchronous();
        }
    }

    static class Asynchronous {
        @Async
        @Leased(name = "a")
        public CompletableFuture<String> job() {
            return CompletableFuture.completedFuture("");
        }
    }

    @Test
    @DisplayName("An @Async method acquires its lease on the thread that runs it")
    void asyncIsAroundTheLease() {
        application.withUserConfiguration(AsyncOutside.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThatThrownBy(() -> context.getBean(Asynchronous.class).job().join())
                    .hasCauseInstanceOf(Asked.class);
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(order = Ordered.HIGHEST_PRECEDENCE)
    static class AsyncInside {
        @Bean
        Asynchronous asynchronous() {
            return new Asynchronous();
        }
    }

    @Test
    @DisplayName(
            "A method that would run on another thread when its lease was released is refused, or acquires it there")
    void asyncInsideOfTheLeaseIsRefused() {
        application.withUserConfiguration(AsyncInside.class).run(context -> {
            if (context.getStartupFailure() == null) {
                assertThatThrownBy(
                                () -> context.getBean(Asynchronous.class).job().join())
                        .hasCauseInstanceOf(Asked.class);
            } else {
                assertThat(context).getFailure().hasMessageContaining("another thread");
            }
        });
    }

    static class KeptAndRetried {
        @Retryable
        @Leased(name = "a", atLeast = "${pause:1m}")
        public void job() {}
    }

    @Retryable
    static class AllRetried {
        @Leased(name = "a", atLeast = "1m")
        public void job() {}
    }

    static class RetriedOrThrown {
        @Retryable
        @Leased(name = "a", atLeast = "1m", skipped = Skipped.THROW)
        public void job() {}
    }

    static class Retried {
        @Retryable
        @Leased(name = "a")
        public void job() {}
    }

    static class RetriedElsewhere {
        @Leased(name = "a", atLeast = "1m")
        public void job() {}

        @Retryable
        public void other() {}
    }

    @Test
    @DisplayName("A method that keeps its lease from its next try, so that its failure would be lost, is refused")
    void retryOfAMethodThatKeepsItsLeaseIsRefused() {
        ApplicationContextRunner resilient = application.withUserConfiguration(Resilient.class);
        isRefused(resilient, KeptAndRetried.class, KeptAndRetried::new, "@Retryable", "skipped = THROW");
        isRefused(resilient, AllRetried.class, AllRetried::new, "@Retryable");
        Stream.of(RetriedOrThrown.class, Retried.class, RetriedElsewhere.class)
                .forEach(type -> resilient
                        .withBean("job", type)
                        .run(context -> assertThat(context).hasNotFailed()));
        resilient
                .withPropertyValues("pause=0s")
                .withBean(KeptAndRetried.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods
    static class Resilient {}

    // ---- results behind type variables ----

    static class Returning<T> {
        @Leased(name = "a")
        public T job() {
            throw new IllegalStateException("not guarded");
        }
    }

    static class ReturningStage extends Returning<CompletableFuture<String>> {}

    @Test
    @DisplayName("A method whose type variable stands for a stage is guarded as one that returns a stage")
    void stageOfATypeVariableIsAStage() {
        application
                .withBean(ReturningStage.class)
                .run(context -> assertThatThrownBy(
                                context.getBean(ReturningStage.class).job()::join)
                        .hasCauseInstanceOf(Asked.class));
    }

    // ---- contexts beside the application's ----

    @Test
    @DisplayName(
            "A context inside of the application's is checked when it starts, also for leases of methods around it")
    void childContextIsChecked() {
        application.withBean(Plain.class).run(context -> {
            AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext();
            child.setParent(context);
            child.registerBean(Plain.class);
            assertThatThrownBy(child::refresh)
                    .hasMessageContaining("has no proxy")
                    .hasMessageContaining("lease 'a' is that of several methods");
            child.close();
        });
    }

    @Test
    @DisplayName("A context that has the starter itself is checked for leases of methods around it, too")
    void childApplicationIsChecked() {
        application
                .withBean(Plain.class)
                .run(parent -> starter.withParent(parent)
                        .withBean(Plain.class)
                        .run(child -> assertThat(child)
                                .getFailure()
                                .message()
                                .contains("lease 'a' is that of several methods")));
    }

    @Test
    @DisplayName("A context that has an engine of its own shares no lease with methods around it")
    void childApplicationWithItsOwnEngineIsApart() {
        application
                .withBean(Plain.class)
                .run(parent -> starter.withParent(parent)
                        .withBean(LeaseEngine.class, GuardedOrRefusedTest::engine)
                        .withBean(Plain.class)
                        .run(child -> assertThat(child).hasNotFailed()));
    }

    @Test
    @DisplayName("A context is checked for leases of methods in each of the contexts around it")
    void grandchildContextIsChecked() {
        application.run(context -> {
            AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext();
            child.setParent(context);
            child.register(AopAutoConfiguration.class);
            child.registerBean(Plain.class);
            child.refresh();
            AnnotationConfigApplicationContext grandchild = new AnnotationConfigApplicationContext();
            grandchild.setParent(child);
            grandchild.register(AopAutoConfiguration.class);
            grandchild.registerBean(Plain.class);
            assertThatThrownBy(grandchild::refresh).hasMessageContaining("lease 'a' is that of several methods");
            starter.withParent(child)
                    .withBean(Plain.class)
                    .run(inner ->
                            assertThat(inner).getFailure().message().contains("lease 'a' is that of several methods"));
            grandchild.close();
            child.close();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {BeanDefinition.SCOPE_SINGLETON, BeanDefinition.SCOPE_PROTOTYPE})
    @DisplayName("A bean that a context inside of the application's makes late, without a proxy, is refused then")
    void lateBeanOfAChildContextIsLookedAtLate(String scope) {
        application.run(context -> {
            AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext();
            child.setParent(context);
            child.registerBean(Plain.class, definition -> {
                definition.setScope(scope);
                definition.setLazyInit(true);
            });
            child.refresh();
            assertThatThrownBy(() -> child.getBean(Plain.class)).rootCause().hasMessageContaining("has no proxy");
            child.close();
        });
    }
}
