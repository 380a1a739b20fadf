package dev.leasehold.spring;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRefusedException;
import dev.leasehold.engine.LeaseRequest;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** Acquires the lease of a {@link Leased} method, runs the method while it is held, and releases it. */
final class LeasedInterceptor implements MethodInterceptor {

    private static final Logger LOG = LoggerFactory.getLogger(LeasedInterceptor.class);

    private static final boolean HAS_TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.data.mongodb.MongoTransactionManager", LeasedInterceptor.class.getClassLoader());

    private final BeanFactory beans;
    private final Supplier<LeaseEngine> engine;
    private final Supplier<@Nullable Object> gatedTransactions;
    private final Supplier<ObservationRegistry> observations;
    private final Supplier<RunningMethods> running;
    private final LeasedCall.PlaceholderResolver placeholders;
    private final Map<Target, LeasedCall> calls = new ConcurrentHashMap<>();

    /** A method as a class has it, which may have inherited it. */
    private record Target(Class<?> type, Method method) {}

    /**
     * The collaborators come late, since beans that need this one are made before them.
     *
     * @param gatedTransactions a {@link GatedTransactions}, if the application has Spring Data MongoDB; else null
     */
    LeasedInterceptor(
            BeanFactory beans,
            Supplier<LeaseEngine> engine,
            Supplier<@Nullable Object> gatedTransactions,
            Supplier<ObservationRegistry> observations,
            Supplier<RunningMethods> running,
            LeasedCall.PlaceholderResolver placeholders) {
        this.beans = beans;
        this.engine = engine;
        this.gatedTransactions = gatedTransactions;
        this.observations = observations;
        this.running = running;
        this.placeholders = placeholders;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = Objects.requireNonNull(invocation.getThis());
        Class<?> type = ClassUtils.getUserClass(target);
        Method method = AopUtils.getMostSpecificMethod(invocation.getMethod(), type);
        LeasedCall call = calls.computeIfAbsent(new Target(type, method), this::read);
        if (call.isGated() && TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException("@Leased(gated = true) on " + call
                    + " was called inside of a transaction, which began before the lease was acquired and would not be run again after a"
                    + " conflict. Call it outside of a transaction");
        }
        Observation observation = Observation.createNotStarted("leasehold.leased", observations.get())
                .contextualName("leased " + method.getName())
                .lowCardinalityKeyValue("method", call.toString())
                // Until it is known: all meters of one name have the same tags.
                .lowCardinalityKeyValue("outcome", "failed");
        observation.start();
        Observation.Scope scope = observation.openScope();
        try {
            return observed(observation, invocation, target, call);
        } catch (Throwable e) {
            observation.error(e);
            throw e;
        } finally {
            scope.close();
            observation.stop();
        }
    }

    private LeasedCall read(Target target) {
        Leased leased =
                Objects.requireNonNull(AnnotatedElementUtils.findMergedAnnotation(target.method(), Leased.class));
        return LeasedCall.of(target.type(), target.method(), leased, beans, placeholders);
    }

    private @Nullable Object observed(
            Observation observation, MethodInvocation invocation, Object target, LeasedCall call) throws Throwable {
        LeaseRequest request = call.request(target, arguments(invocation));
        Lease outer = LeaseHolder.outer(request.name());
        if (outer != null) {
            observation.lowCardinalityKeyValue("outcome", "ran");
            outer.requireHeld();
            return run(call, outer, invocation);
        }
        Acquisition answer = engine.get().tryAcquire(request, call.waitTime());
        observation.lowCardinalityKeyValue("outcome", answer instanceof Acquisition.Acquired ? "ran" : "skipped");
        if (answer instanceof Acquisition.NotAcquired no) {
            if (call.isThrowing()) {
                throw new LeaseRefusedException(no.refusal());
            }
            LOG.debug("{} is skipped: {}", call, no.refusal().message());
            return call.nothing();
        }
        try (Lease lease = answer.orElseThrow();
                RunningMethods.Call running = this.running.get().begin(call.toString())) {
            if (running == null) {
                if (call.isThrowing()) {
                    throw new IllegalStateException(call + " does not run: the application is stopping");
                }
                return call.nothing();
            }
            return run(call, lease, invocation);
        }
    }

    private @Nullable Object run(LeasedCall call, Lease lease, MethodInvocation invocation) throws Throwable {
        Object[] arguments = call.withLease(arguments(invocation), lease);
        // A copy for each run: an invocation can proceed once.
        LeaseHolder.Work work = () ->
                ((ProxyMethodInvocation) invocation).invocableClone(arguments).proceed();
        return LeaseHolder.with(lease, call.isGated() ? () -> gated(call, lease, work) : work);
    }

    /** Some may be null. Compilers after that of JDK 17 read that in Spring's classes, and would ask for another type than that one. */
    @SuppressWarnings("NullAway")
    private static Object[] arguments(MethodInvocation invocation) {
        return invocation.getArguments();
    }

    private @Nullable Object gated(LeasedCall call, Lease lease, LeaseHolder.Work work) throws Throwable {
        if (HAS_TRANSACTIONS && gatedTransactions.get() instanceof GatedTransactions transactions) {
            return transactions.callThrowing(lease, work);
        }
        throw new IllegalStateException(
                "@Leased(gated = true) on " + call
                        + " needs Spring Data MongoDB and a LeaseTransactionManager, and there is none: has the application one MongoDatabaseFactory?");
    }
}
