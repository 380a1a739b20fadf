package dev.leasehold.spring;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.LeaseEngine;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Looks at every bean method with {@link Leased} or {@link LeaderOnly} before the application starts, and fails if one of them could not do
 * what it says: an annotation that guards nothing is worse than none. Beans that are made later are looked at by their type, and once more when
 * they are made. The elections that methods name are joined, also those of beans that are made at their first use.
 */
final class LeaseAnnotationCheck
        implements SmartInitializingSingleton,
                SmartInstantiationAwareBeanPostProcessor,
                ApplicationListener<ContextRefreshedEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseAnnotationCheck.class);

    static final Set<Class<? extends Annotation>> ANNOTATIONS = Set.of(Leased.class, LeaderOnly.class);

    static final String NAME = "leaseAnnotationCheck";

    private final ConfigurableListableBeanFactory beans;
    private final InterceptionCheck interception;
    private final @Nullable String unguarded;
    private final LeaseholdProperties.Unguarded decision;
    private final Supplier<LeaderElections> elections;
    private final BiConsumer<String, Method> catchUp;
    private final Set<Class<?>> lookedAtLate = ConcurrentHashMap.newKeySet();
    /** The methods of each lease, also those of the contexts around this one. */
    private final Map<String, List<Named>> byName = new LinkedHashMap<>();

    private volatile boolean looksAtLateBeans;

    /**
     * A check of one application.
     *
     * @param isProxyByClass whether proxies are subclasses where nothing else is said
     * @param unguarded why there is no engine; null if there is one
     * @param decision what was decided for the case that there is none
     * @param elections of the application; asked for if there is an engine
     * @param catchUp takes a bean and a method with {@link CatchUp#LATEST}; called if there is an engine and nothing is refused
     */
    LeaseAnnotationCheck(
            ConfigurableListableBeanFactory beans,
            boolean isProxyByClass,
            @Nullable String unguarded,
            LeaseholdProperties.Unguarded decision,
            Supplier<LeaderElections> elections,
            BiConsumer<String, Method> catchUp) {
        this.beans = beans;
        this.interception = new InterceptionCheck(beans, isProxyByClass);
        this.unguarded = unguarded;
        this.decision = decision;
        this.elections = elections;
        this.catchUp = catchUp;
    }

    /** A method with an annotation, as a bean has it. */
    private record Guarded(String bean, Class<?> type, Method method) {

        <A extends Annotation> @Nullable A annotation(Class<A> kind) {
            return AnnotatedMethods.find(kind, type, method);
        }

        @Override
        public String toString() {
            return type.getName() + "." + method.getName() + " of bean '" + bean + "'";
        }
    }

    /**
     * A method of a bean that always has the same lease.
     *
     * @param object makes the bean if it is not there, and gives what is behind its proxies, which may have other names; null if it is no
     *     singleton or cannot be made
     */
    private record Named(Guarded guarded, Supplier<@Nullable Object> object, boolean isShared, boolean isOnSchedule) {

        /** Whether both are one method of one object. Makes beans only if that decides whether the application starts. */
        boolean isOneWith(Named other) {
            if ((isShared && !isOnSchedule)
                    || !guarded.method().equals(other.guarded().method())) {
                return false;
            }
            Object mine = object.get();
            return mine != null && mine == other.object().get();
        }
    }

    @Override
    public void afterSingletonsInstantiated() {
        // Also objects that were registered as they are.
        List<Guarded> methods = Stream.concat(
                        Stream.of(beans.getBeanDefinitionNames()), Stream.of(beans.getSingletonNames()))
                .distinct()
                .flatMap(this::methods)
                .toList();
        if (unguarded != null) {
            if (!methods.isEmpty()) {
                checkUnguarded(methods);
            }
            return;
        }
        looksAtLateBeans = true;
        addNamesOfContextsAround();
        List<String> problems = new ArrayList<>();
        Set<String> elected = new LinkedHashSet<>();
        for (Guarded method : methods) {
            try {
                check(method, elected);
                checkBean(method);
            } catch (IllegalArgumentException e) {
                problems.add(method + ": " + e.getMessage());
            }
        }
        byName.forEach((name, sharing) -> checkSharing(
                name, sharing, elected.contains(name) || elections.get().isPartOf(name), problems));
        if (!problems.isEmpty()) {
            throw new IllegalStateException(
                    "the application does not start, since these methods would not be guarded as they say:\n- "
                            + String.join("\n- ", problems));
        }
        elected.forEach(elections.get()::join);
        methods.stream()
                .filter(guarded -> {
                    Leased leased = guarded.annotation(Leased.class);
                    return leased != null && leased.catchUp() == CatchUp.LATEST;
                })
                .forEach(guarded -> catchUp.accept(guarded.bean(), guarded.method()));
    }

    /** An engine of this context has leases of its own. */
    private void addNamesOfContextsAround() {
        BeanFactory around = beans.getParentBeanFactory();
        if (around != null
                && around.containsBean(NAME)
                && beans.getBeanNamesForType(LeaseEngine.class, true, false).length == 0) {
            around.getBean(NAME, LeaseAnnotationCheck.class)
                    .byName
                    .forEach((name, methods) -> byName.put(name, new ArrayList<>(methods)));
        }
    }

    /** Two beans with one method count as two methods do: they skip each other in the same way. */
    private static void checkSharing(String name, List<Named> sharing, boolean isElection, List<String> problems) {
        List<Guarded> unshared = sharing.stream()
                .filter(method -> !method.isShared())
                .map(Named::guarded)
                .toList();
        if (isElection && !unshared.isEmpty()) {
            problems.add(
                    "lease " + LeaseNames.quote(name)
                            + " is that of an election, whose leader holds it for as long as it leads, so these methods would be skipped: "
                            + unshared
                            + ". Give them names of their own, or say shared = true if @LeaderOnly methods of this election call them");
        } else if (sharing.size() > 1 && !unshared.isEmpty()) {
            problems.add("lease " + LeaseNames.quote(name)
                    + " is that of several methods, which would skip each other: "
                    + sharing.stream().map(Named::guarded).toList()
                    + ". Give each a name of its own, or say shared = true on all of them");
        }
        List<Guarded> onSchedule =
                sharing.stream().filter(Named::isOnSchedule).map(Named::guarded).toList();
        if (onSchedule.size() > 1) {
            problems.add(
                    "lease " + LeaseNames.quote(name) + " is that of several methods with oncePer: " + onSchedule
                            + ". Each occurrence would be done by one of them, and count as done for all. Give each a name of its own");
        }
    }

    /** A context inside of this one has beans of its own, and need not have proxies. */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        if (event.getApplicationContext() instanceof ConfigurableApplicationContext context
                && context.getBeanFactory() != beans
                && !context.containsLocalBean(NAME)) {
            LeaseAnnotationCheck inner = new LeaseAnnotationCheck(
                    context.getBeanFactory(),
                    interception.isProxyByClass(),
                    unguarded,
                    decision,
                    elections,
                    (bean, method) -> {
                        throw new IllegalStateException(
                                "catchUp of " + method + " is refused: bean '" + bean
                                        + "' is one of a context inside of the application's, which was not there at its start");
                    });
            inner.afterSingletonsInstantiated();
            // For the contexts inside of that one.
            context.getBeanFactory().registerSingleton(NAME, inner);
            context.getBeanFactory().addBeanPostProcessor(inner);
        }
    }

    /** A bean of a circle, which has its proxy here, and comes without it when it is complete. */
    @Override
    public Object getEarlyBeanReference(Object bean, String name) {
        return postProcessAfterInitialization(bean, name);
    }

    /** A bean that is made when the application has started: now it is seen whether its methods are guarded. */
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
        if ((looksAtLateBeans || isOfFactory(bean, name)) && isCandidate(type) && lookedAtLate.add(type)) {
            for (Guarded method : methods(name, type)) {
                try {
                    checkAlone(method);
                    interception.checkInstance(bean, type, method.method());
                } catch (IllegalArgumentException e) {
                    lookedAtLate.remove(type);
                    throw new IllegalStateException(method + " would not be guarded as it says: " + e.getMessage(), e);
                }
            }
        }
        return bean;
    }

    /** What a factory makes is seen here alone: the application asks the factory for it, and the start for what the factory tells. */
    private boolean isOfFactory(Object bean, String name) {
        return unguarded == null
                && (bean instanceof FactoryBean
                        || (beans.containsSingleton(name) && beans.getSingleton(name) instanceof FactoryBean));
    }

    private void checkUnguarded(List<Guarded> methods) {
        if (decision == LeaseholdProperties.Unguarded.REFUSE) {
            throw new IllegalStateException(
                    "the application does not start: " + methods.size()
                            + " methods with @Leased or @LeaderOnly would run without a lease, in every process, since "
                            + unguarded
                            + ". The first is " + methods.get(0)
                            + ". For tests and tools that may run unguarded, set leasehold.enabled=false and leasehold.unguarded=allow");
        }
        LOG.warn(
                "{} methods with @Leased or @LeaderOnly run without a lease: {}, and leasehold.unguarded is allow",
                methods.size(),
                unguarded);
    }

    private Stream<Guarded> methods(String bean) {
        if (beans.containsBeanDefinition(bean)
                && beans.getMergedBeanDefinition(bean).isAbstract()) {
            return Stream.empty();
        }
        Class<?> type = type(bean);
        return type != null && isCandidate(type) ? methods(bean, type).stream() : Stream.empty();
    }

    /** That of the object itself, which a proxy of its interfaces hides. */
    private @Nullable Class<?> type(String bean) {
        Object made = made(bean);
        if (made != null) {
            return AopProxyUtils.ultimateTargetClass(made);
        }
        Class<?> type = beans.getType(bean, false);
        return type == null ? null : ClassUtils.getUserClass(type);
    }

    /** The bean, if it is there and no factory makes it. */
    private @Nullable Object made(String bean) {
        Object made = beans.containsSingleton(bean) ? beans.getSingleton(bean) : null;
        return made instanceof FactoryBean<?> ? null : made;
    }

    private static boolean isCandidate(Class<?> type) {
        return AnnotationUtils.isCandidateClass(type, ANNOTATIONS)
                && !type.getName().startsWith("org.springframework.");
    }

    private static List<Guarded> methods(String bean, Class<?> type) {
        return MethodIntrospector.selectMethods(type, (Method method) -> isAnnotated(type, method)).stream()
                .map(BridgeMethodResolver::findBridgedMethod)
                .distinct()
                .map(method -> new Guarded(bean, type, method))
                .toList();
    }

    private static boolean isAnnotated(Class<?> type, Method method) {
        return ANNOTATIONS.stream().anyMatch(annotation -> AnnotatedMethods.find(annotation, type, method) != null);
    }

    // ---- one method ----

    private void check(Guarded guarded, Set<String> elected) {
        LeasedCall call = checkAlone(guarded);
        if (call != null) {
            name(guarded, call);
        }
        LeaderOnly only = guarded.annotation(LeaderOnly.class);
        if (only != null) {
            elected.add(LeaderElections.name(only, this::resolve));
        }
    }

    /** {@return the call of a method with {@link Leased}; null for another one} */
    private @Nullable LeasedCall checkAlone(Guarded guarded) {
        interception.checkType(guarded.bean(), guarded.type(), guarded.method());
        ANNOTATIONS.forEach(annotation -> AnnotatedMethods.checkOne(annotation, guarded.type(), guarded.method()));
        Leased leased = guarded.annotation(Leased.class);
        LeasedCall call = null;
        if (leased != null) {
            call = LeasedCall.of(guarded.type(), guarded.method(), leased, beans, this::resolve);
            if (call.isGated()) {
                checkGate(guarded, call.gating());
            }
            if (call.isCaughtUp() && !beans.isSingleton(guarded.bean())) {
                throw new IllegalArgumentException("catchUp = " + leased.catchUp()
                        + " is refused: the bean is no singleton, so the start of the application has none to call");
            }
        }
        LeaderOnly only = guarded.annotation(LeaderOnly.class);
        if (only != null) {
            ResultKind.of(guarded.type(), guarded.method());
            LeasedCall.checkResult(
                    "@LeaderOnly", guarded.method(), "Let it return an object, which is null elsewhere, or nothing");
            String election = LeaderElections.name(only, this::resolve);
            if (call != null && election.equals(call.constantName())) {
                throw new IllegalArgumentException("@Leased and @LeaderOnly name one lease, "
                        + LeaseNames.quote(election)
                        + ", which the leader holds for as long as it leads, so the method would never run. Leave @Leased out, or give it a"
                        + " name of its own");
            }
        }
        return call;
    }

    private void name(Guarded guarded, LeasedCall call) {
        String name = call.constantName();
        // The proxy of a scope has the methods of the bean behind it, which is in the list too.
        if (name == null || beans.containsBeanDefinition(ScopedProxyUtils.getTargetBeanName(guarded.bean()))) {
            return;
        }
        List<Named> sharing = byName.computeIfAbsent(name, each -> new ArrayList<>());
        Named method = new Named(guarded, () -> object(guarded.bean()), call.isShared(), call.isOnSchedule());
        if (sharing.stream().noneMatch(method::isOneWith)) {
            sharing.add(method);
        }
    }

    private @Nullable Object object(String bean) {
        Object object;
        try {
            object = beans.isSingleton(bean) ? beans.getBean(bean) : null;
        } catch (BeansException e) {
            return null;
        }
        for (Object target = object; target != null; target = AopProxyUtils.getSingletonTarget(target)) {
            object = target;
        }
        return object;
    }

    private void checkGate(Guarded guarded, String gating) {
        if (!beans.containsBean(LeaseholdAutoConfiguration.GATED_TRANSACTIONS)) {
            throw new IllegalArgumentException(gating
                    + " is refused: it needs Spring Data MongoDB and a LeaseTransactionManager, and there is none");
        }
        new GateLeavingCheck(beans).check(gating, guarded.type(), guarded.method());
    }

    /** Those that are there: others are looked at when they are made. */
    private void checkBean(Guarded guarded) {
        Object bean = made(guarded.bean());
        if (bean != null) {
            interception.checkInstance(bean, guarded.type(), guarded.method());
        }
    }

    private String resolve(String text) {
        return Objects.requireNonNull(beans.resolveEmbeddedValue(text));
    }
}
