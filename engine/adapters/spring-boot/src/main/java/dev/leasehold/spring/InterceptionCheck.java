package dev.leasehold.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.NativeDetector;
import org.springframework.util.ClassUtils;

/**
 * Whether a call of a bean's method passes by the advice of its annotation: by what the class of the bean tells, and by the bean itself once
 * it is there.
 */
final class InterceptionCheck {

    /** The container calls these on the object itself, before there is a proxy or after it was left. */
    private static final Set<String> CALLED_BY_THE_CONTAINER = Set.of(
            "jakarta.annotation.PostConstruct",
            "jakarta.annotation.PreDestroy",
            "org.springframework.beans.factory.annotation.Autowired",
            "jakarta.inject.Inject");

    private static final String TRANSACTIONS = "org.springframework.transaction.interceptor.TransactionInterceptor";
    private static final String RETRY = "org.springframework.resilience.retry.AbstractRetryInterceptor";
    private static final String ASYNC = "org.springframework.aop.interceptor.AsyncExecutionInterceptor";

    private final ConfigurableListableBeanFactory beans;
    private final boolean isProxyByClass;

    /**
     * A check of the beans of one application.
     *
     * @param isProxyByClass whether proxies are subclasses where nothing else is said
     */
    InterceptionCheck(ConfigurableListableBeanFactory beans, boolean isProxyByClass) {
        this.beans = beans;
        this.isProxyByClass = isProxyByClass;
    }

    boolean isProxyByClass() {
        return isProxyByClass;
    }

    // ---- by the class ----

    /** @throws IllegalArgumentException if no proxy of the class can intercept the method */
    void checkType(String bean, Class<?> type, Method method) {
        String kind = kindThatIsNeverIntercepted(method);
        if (kind == null && isProxiedByClass(bean, type, method)) {
            kind = kindThatIsNotOverridden(type, method);
        }
        if (kind != null) {
            throw new IllegalArgumentException(
                    "the method is " + kind
                            + ", so no proxy can intercept it, and it would run without a lease. Make it a method that can be overridden");
        }
        checkCallback(bean, type, method);
    }

    private static @Nullable String kindThatIsNeverIntercepted(Method method) {
        return Modifier.isStatic(method.getModifiers())
                ? "static"
                : Modifier.isPrivate(method.getModifiers()) ? "private" : null;
    }

    private static @Nullable String kindThatIsNotOverridden(Class<?> type, Method method) {
        if (Modifier.isFinal(method.getModifiers())) {
            return "final";
        } else if (Modifier.isFinal(type.getModifiers())) {
            return "of a final class";
        }
        boolean isOfItsPackage =
                (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED | Modifier.PRIVATE)) == 0;
        return isOfItsPackage && !method.getDeclaringClass().getPackageName().equals(type.getPackageName())
                ? "that of a super class in another package, and only visible there"
                : null;
    }

    private boolean isProxiedByClass(String bean, Class<?> type, Method method) {
        // Proxies and lambdas get a proxy of their interfaces, whatever is said.
        if (type.isInterface() || Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type)) {
            return false;
        }
        return isProxyByClass
                || AutoProxyUtils.shouldProxyTargetClass(beans, bean)
                || AnnotatedMethods.implemented(type, method, ClassUtils.getAllInterfacesForClass(type))
                        .findAny()
                        .isEmpty();
    }

    private void checkCallback(String bean, Class<?> type, Method method) {
        boolean isCallback = Stream.of(method.getAnnotations())
                        .map(annotation -> annotation.annotationType().getName())
                        .anyMatch(CALLED_BY_THE_CONTAINER::contains)
                || isMethodOf(InitializingBean.class, method)
                || isMethodOf(DisposableBean.class, method)
                || isInitOrDestroyMethod(bean, type, method);
        if (isCallback) {
            throw new IllegalArgumentException(
                    "the container calls the method on the object itself and not on its proxy, so it would run without a lease. Let another"
                            + " bean call it when the application has started");
        }
    }

    private static boolean isMethodOf(Class<?> callbacks, Method method) {
        return callbacks.isAssignableFrom(method.getDeclaringClass())
                && ClassUtils.hasMethod(callbacks, method.getName(), method.getParameterTypes());
    }

    private boolean isInitOrDestroyMethod(String bean, Class<?> type, Method method) {
        if (method.getParameterCount() > 0 || !beans.containsBeanDefinition(bean)) {
            return false;
        }
        BeanDefinition definition = beans.getMergedBeanDefinition(bean);
        String name = method.getName();
        String destroy = definition.getDestroyMethodName();
        // Where a definition says nothing, the container closes what can be closed.
        return name.equals(definition.getInitMethodName())
                || name.equals(destroy)
                || (AbstractBeanDefinition.INFER_METHOD.equals(destroy)
                        && (name.equals("close") || name.equals("shutdown")))
                || (destroy == null && name.equals("close") && AutoCloseable.class.isAssignableFrom(type));
    }

    // ---- by the bean ----

    /** @throws IllegalArgumentException if a call of the bean's method does not pass by the advice, or passes by it too late */
    void checkInstance(Object bean, Class<?> type, Method method) {
        if (bean instanceof ScopedObject || isMock(bean)) {
            return; // the bean behind it is one of its own; a mock has no method that could run
        }
        List<Advisor> advisors = advisors(bean);
        if (advisors == null) {
            return;
        }
        for (Class<? extends Annotation> annotation : LeaseAnnotationCheck.ANNOTATIONS) {
            if (AnnotatedMethods.find(annotation, type, method) != null) {
                checkAdvice(annotation, advisors, type, method);
            }
        }
        checkReachable(bean, type, method);
    }

    /** The advisors of a bean and of the proxies inside of it, from outside to inside; null if the proxy hides them. */
    private static @Nullable List<Advisor> advisors(Object bean) {
        List<Advisor> advisors = new ArrayList<>();
        Object each = bean;
        while (AopUtils.isAopProxy(each)) {
            if (!(each instanceof Advised advised)) {
                return null;
            }
            advisors.addAll(List.of(advised.getAdvisors()));
            if (!advised.getTargetSource().isStatic()) {
                break;
            }
            try {
                each = Objects.requireNonNull(advised.getTargetSource().getTarget());
            } catch (Exception e) {
                throw new IllegalStateException("a static target source has its target", e);
            }
        }
        return advisors;
    }

    private void checkAdvice(
            Class<? extends Annotation> annotation, List<Advisor> advisors, Class<?> type, Method method) {
        Class<?> advice = annotation == Leased.class ? LeasedInterceptor.class : LeaderOnlyInterceptor.class;
        boolean isGuarded = false;
        for (Advisor advisor : advisors) {
            if (advice.isInstance(advisor.getAdvice())) {
                isGuarded = true;
            } else if (isGuarded && isA(advisor, ASYNC) && matches(advisor, type, method)) {
                throw new IllegalArgumentException(
                        "the method runs on another thread, inside of its lease, which would be released while it runs. Give @EnableAsync its"
                                + " default order");
            } else if (!isGuarded && isA(advisor, RETRY) && isKept(type, method) && matches(advisor, type, method)) {
                throw new IllegalArgumentException(
                        "@Retryable calls it again when it has failed, but atLeast keeps the lease from that call, which would be skipped, and"
                                + " the failure would be lost. Use skipped = THROW, or let the method itself repeat its work");
            } else if (!isGuarded && isA(advisor, TRANSACTIONS) && matches(advisor, type, method)) {
                throw new IllegalArgumentException((annotation == Leased.class
                                ? "its transaction begins before the lease is acquired, and commits when the lease was released."
                                : "its transaction begins before it is known whether this process leads, and a stop of the"
                                        + " application steps down without waiting for its commit.")
                        + " Give @EnableTransactionManagement its default order");
            }
        }
        if (!isGuarded) {
            throw new IllegalArgumentException("the bean has no proxy with the advice of @" + annotation.getSimpleName()
                    + ", so the method would run without a lease. Either it was made too early, since a BeanPostProcessor or another"
                    + " part of the infrastructure needs it: inject it there by an ObjectProvider. Or it was registered as an object:"
                    + " define it as a bean. Or proxies are turned off, by spring.aop.auto=false");
        }
    }

    /** Whether a call that has failed keeps the lease from the next one, which is skipped without a word. */
    private boolean isKept(Class<?> type, Method method) {
        Leased leased = AnnotatedMethods.find(Leased.class, type, method);
        return leased != null
                && leased.skipped() == Skipped.SKIP
                && !DurationStyle.detectAndParse(Objects.requireNonNull(beans.resolveEmbeddedValue(leased.atLeast())))
                        .isZero();
    }

    private static boolean isA(Advisor advisor, String advice) {
        for (Class<?> each = advisor.getAdvice().getClass(); each != null; each = each.getSuperclass()) {
            if (each.getName().equals(advice)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(Advisor advisor, Class<?> type, Method method) {
        return !(advisor instanceof PointcutAdvisor pointcut)
                || AopUtils.canApply(pointcut.getPointcut(), type)
                        && pointcut.getPointcut().getMethodMatcher().matches(method, type);
    }

    private static void checkReachable(Object bean, Class<?> type, Method method) {
        if (AopUtils.isJdkDynamicProxy(bean)) {
            if (AnnotatedMethods.implemented(type, method, bean.getClass().getInterfaces())
                    .findAny()
                    .isEmpty()) {
                throw new IllegalArgumentException(
                        "the bean is a proxy of its interfaces, and none of them has the method, so only the object behind the proxy could"
                                + " be called, without a lease. Add the method to an interface, or set spring.aop.proxy-target-class=true");
            }
        } else if (AopUtils.isCglibProxy(bean)
                && !NativeDetector.inNativeImage() // where methods cannot be listed
                && !isDeclared(bean.getClass(), method)) {
            throw new IllegalArgumentException(
                    "the proxy does not override the method, which would run without a lease. Make it public");
        }
    }

    private static boolean isDeclared(Class<?> proxy, Method method) {
        return Stream.of(proxy.getDeclaredMethods())
                .anyMatch(each -> each.getName().equals(method.getName())
                        && List.of(each.getParameterTypes()).equals(List.of(method.getParameterTypes())));
    }

    /** Of Mockito, in tests of applications. */
    private static boolean isMock(Object bean) {
        ClassLoader loader = bean.getClass().getClassLoader();
        if (loader == null || !ClassUtils.isPresent("org.mockito.Mockito", loader)) {
            return false;
        }
        try {
            Object details = ClassUtils.resolveClassName("org.mockito.Mockito", loader)
                    .getMethod("mockingDetails", Object.class)
                    .invoke(null, bean);
            return Boolean.TRUE.equals(ClassUtils.resolveClassName("org.mockito.MockingDetails", loader)
                    .getMethod("isMock")
                    .invoke(details));
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            return false;
        }
    }
}
