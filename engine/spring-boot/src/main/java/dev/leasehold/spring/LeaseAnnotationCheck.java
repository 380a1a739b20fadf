package dev.leasehold.spring;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.LeaseRequest;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Looks at every bean method with {@link Leased} or {@link LeaderOnly} before the application starts, and fails if one of them could not do
 * what it says: an annotation that guards nothing is worse than none. Beans that are made later are looked at by their type. The elections
 * that methods name are joined, also those of beans that are made at their first use.
 */
final class LeaseAnnotationCheck implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseAnnotationCheck.class);

    private static final Set<Class<? extends Annotation>> ANNOTATIONS = Set.of(Leased.class, LeaderOnly.class);

    private final ConfigurableListableBeanFactory beans;
    private final boolean isProxyByClass;
    private final @Nullable String unguarded;
    private final LeaseholdProperties.Unguarded decision;
    private final Consumer<String> join;

    /**
     * A check of one application.
     *
     * @param isProxyByClass whether proxies are subclasses where nothing else is said
     * @param unguarded why there is no engine; null if there is one
     * @param decision what was decided for the case that there is none
     * @param join takes part in an election; called if there is an engine and nothing is refused
     */
    LeaseAnnotationCheck(
            ConfigurableListableBeanFactory beans,
            boolean isProxyByClass,
            @Nullable String unguarded,
            LeaseholdProperties.Unguarded decision,
            Consumer<String> join) {
        this.beans = beans;
        this.isProxyByClass = isProxyByClass;
        this.unguarded = unguarded;
        this.decision = decision;
        this.join = join;
    }

    /** A method with an annotation, as a bean has it. */
    private record Guarded(String bean, Class<?> type, Method method) {

        @Override
        public String toString() {
            return type.getName() + "." + method.getName() + " of bean '" + bean + "'";
        }
    }

    /** A method that always has the same lease. */
    private record Named(Guarded guarded, boolean isShared) {}

    @Override
    public void afterSingletonsInstantiated() {
        List<Guarded> methods =
                Stream.of(beans.getBeanDefinitionNames()).flatMap(this::methods).toList();
        if (methods.isEmpty()) {
            return;
        }
        if (unguarded != null) {
            checkUnguarded(methods);
            return;
        }
        List<String> problems = new ArrayList<>();
        Map<String, List<Named>> byName = new LinkedHashMap<>();
        for (Guarded method : methods) {
            try {
                check(method, byName);
            } catch (IllegalArgumentException e) {
                problems.add(method + ": " + e.getMessage());
            }
        }
        byName.forEach((name, sharing) -> {
            if (sharing.stream()
                                    .map(named -> named.guarded().method())
                                    .distinct()
                                    .count()
                            > 1
                    && !sharing.stream().allMatch(Named::isShared)) {
                problems.add(
                        "lease " + LeaseNames.quote(name) + " is that of several methods, which would skip each other: "
                                + sharing.stream().map(Named::guarded).toList()
                                + ". Give each a name of its own, or say shared = true on all of them");
            }
        });
        if (!problems.isEmpty()) {
            throw new IllegalStateException(
                    "the application does not start, since these methods would not be guarded as they say:\n- "
                            + String.join("\n- ", problems));
        }
        methods.stream()
                .map(guarded -> AnnotatedElementUtils.findMergedAnnotation(guarded.method(), LeaderOnly.class))
                .flatMap(Stream::ofNullable)
                .map(only -> resolve(only.value()))
                .distinct()
                .forEach(join);
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
        Class<?> found = beans.getType(bean, false);
        if (found == null) {
            return Stream.empty();
        }
        Class<?> type = ClassUtils.getUserClass(found);
        if (!AnnotationUtils.isCandidateClass(type, ANNOTATIONS)
                || type.getName().startsWith("org.springframework.")) {
            return Stream.empty();
        }
        return MethodIntrospector.selectMethods(type, LeaseAnnotationCheck::isAnnotated).stream()
                .map(BridgeMethodResolver::findBridgedMethod)
                .distinct()
                .map(method -> new Guarded(bean, type, method));
    }

    private static boolean isAnnotated(Method method) {
        return ANNOTATIONS.stream().anyMatch(annotation -> AnnotatedElementUtils.hasAnnotation(method, annotation));
    }

    // ---- one method ----

    private void check(Guarded guarded, Map<String, List<Named>> byName) {
        checkInterceptable(guarded);
        Leased leased = AnnotatedElementUtils.findMergedAnnotation(guarded.method(), Leased.class);
        if (leased != null) {
            LeasedCall call = LeasedCall.of(guarded.type(), guarded.method(), leased, beans, this::resolve);
            String name = call.constantName();
            if (name != null) {
                byName.computeIfAbsent(name, each -> new ArrayList<>()).add(new Named(guarded, call.isShared()));
            }
            if (leased.gated() && !beans.containsBean(LeaseholdAutoConfiguration.GATED_TRANSACTIONS)) {
                throw new IllegalArgumentException(
                        "gated = true is refused: it needs Spring Data MongoDB and a LeaseTransactionManager, and there is none");
            }
        }
        LeaderOnly only = AnnotatedElementUtils.findMergedAnnotation(guarded.method(), LeaderOnly.class);
        if (only != null) {
            ResultKind.of(guarded.method());
            LeasedCall.checkResult(
                    "@LeaderOnly", guarded.method(), "Let it return an object, which is null elsewhere, or nothing");
            LeaseRequest.of(LeaseName.resolved(only.value(), this::resolve));
        }
    }

    private String resolve(String text) {
        return Objects.requireNonNull(beans.resolveEmbeddedValue(text));
    }

    private void checkInterceptable(Guarded guarded) {
        Method method = guarded.method();
        String kind = Modifier.isStatic(method.getModifiers())
                ? "static"
                : Modifier.isPrivate(method.getModifiers()) ? "private" : null;
        if (kind == null && isProxiedByClass(guarded)) {
            kind = Modifier.isFinal(method.getModifiers())
                    ? "final"
                    : Modifier.isFinal(guarded.type().getModifiers()) ? "of a final class" : null;
        }
        if (kind != null) {
            throw new IllegalArgumentException(
                    "the method is " + kind
                            + ", so no proxy can intercept it, and it would run without a lease. Make it a method that can be overridden");
        }
    }

    private boolean isProxiedByClass(Guarded guarded) {
        if (guarded.type().isInterface()) {
            return false;
        }
        return isProxyByClass
                || AutoProxyUtils.shouldProxyTargetClass(beans, guarded.bean())
                || Stream.of(ClassUtils.getAllInterfacesForClass(guarded.type()))
                        .noneMatch(each -> ClassUtils.hasMethod(
                                each,
                                guarded.method().getName(),
                                guarded.method().getParameterTypes()));
    }
}
