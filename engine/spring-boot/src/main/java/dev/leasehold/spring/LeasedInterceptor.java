package dev.leasehold.spring;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRefusedException;
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
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** Acquires the lease of a {@link Leased} method, runs the method while it is held, and releases it. */
final class LeasedInterceptor implements MethodInterceptor {

    private static final Logger LOG = LoggerFactory.getLogger(LeasedInterceptor.class);

    private static final boolean HAS_TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.data.mongodb.MongoTransactionManager", LeasedInterceptor.class.getClassLoader());

    private final Supplier<LeaseEngine> engine;
    private final Supplier<@Nullable Object> gatedTransactions;
    private final Supplier<ObservationRegistry> observations;
    private final Supplier<RunningMethods> running;
    private final LeasedCall.PlaceholderResolver placeholders;
    private final Map<Method, LeasedCall> calls = new ConcurrentHashMap<>();

    /**
     * The collaborators come late, since beans that need this one are made before them.
     *
     * @param gatedTransactions a {@link GatedTransactions}, if the application has Spring Data MongoDB; else null
     */
    LeasedInterceptor(
            Supplier<LeaseEngine> engine,
            Supplier<@Nullable Object> gatedTransactions,
            Supplier<ObservationRegistry> observations,
            Supplier<RunningMethods> running,
            LeasedCall.PlaceholderResolver placeholders) {
        this.engine = engine;
        this.gatedTransactions = gatedTransactions;
        this.observations = observations;
        this.running = running;
        this.placeholders = placeholders;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = Objects.requireNonNull(invocation.getThis());
        Method method = AopUtils.getMostSpecificMethod(invocation.getMethod(), target.getClass());
        LeasedCall call = calls.computeIfAbsent(method, this::read);
        if (call.isGated() && TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException("@Leased(gated = true) on " + call
                    + " was called inside of a transaction, which began before the lease was acquired and would not be run again after a"
                    + " conflict. Call it outside of a transaction");
        }
        Observation observation = Observation.createNotStarted("leasehold.leased", observations.get())
                .contextualName("leased " + method.getName())
                .lowCardinalityKeyValue("method", call.toString());
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

    private LeasedCall read(Method method) {
        Leased leased = Objects.requireNonNull(AnnotatedElementUtils.findMergedAnnotation(method, Leased.class));
        return LeasedCall.of(method, leased, placeholders);
    }

    private @Nullable Object observed(
            Observation observation, MethodInvocation invocation, Object target, LeasedCall call) throws Throwable {
        Acquisition answer = engine.get().tryAcquire(call.request(target, arguments(invocation)), call.waitTime());
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
            Object[] arguments = call.withLease(arguments(invocation), lease);
            // A copy for each run: an invocation can proceed once.
            LeaseHolder.Work work = () -> ((ProxyMethodInvocation) invocation)
                    .invocableClone(arguments)
                    .proceed();
            return LeaseHolder.with(lease, call.isGated() ? () -> gated(call, lease, work) : work);
        }
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
