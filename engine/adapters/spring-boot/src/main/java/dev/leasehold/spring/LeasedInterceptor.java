package dev.leasehold.spring;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRefusedException;
import dev.leasehold.engine.LeaseRequest;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** Acquires the lease of a {@link Leased} method, runs the method while it is held, and releases it. */
final class LeasedInterceptor implements MethodInterceptor {

    private static final Logger LOG = LoggerFactory.getLogger(LeasedInterceptor.class);

    private static final boolean HAS_TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.data.mongodb.MongoTransactionManager", LeasedInterceptor.class.getClassLoader());

    /** The key by which subscribers pass the observation around on. */
    private static final String OBSERVATION = ObservationThreadLocalAccessor.KEY;

    private final BeanFactory beans;
    private final Supplier<LeaseEngine> engine;
    private final Supplier<@Nullable Object> gatedTransactions;
    private final Supplier<ObservationRegistry> observations;
    private final Supplier<RunningMethods> running;
    private final LeasedCall.PlaceholderResolver placeholders;
    private final Map<Target, LeasedCall> calls = new ConcurrentHashMap<>();

    /** A method as a class has it, which may have inherited it. */
    record Target(Class<?> type, Method method) {

        static Target of(MethodInvocation invocation) {
            Class<?> type = ClassUtils.getUserClass(Objects.requireNonNull(invocation.getThis()));
            return new Target(type, AopUtils.getMostSpecificMethod(invocation.getMethod(), type));
        }
    }

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
        LeasedCall call = calls.computeIfAbsent(Target.of(invocation), this::read);
        if (call.isGated() && TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException("@Leased with " + call.gating() + " on " + call
                    + " was called inside of a transaction, which began before the lease was acquired and would not be run again after a"
                    + " conflict. Call it outside of a transaction");
        }
        if (call.result() == ResultKind.MONO || call.result() == ResultKind.FLUX) {
            return GuardedPublisher.of(call.result(), around -> new Run(call, invocation, target, around));
        }
        Run run = new Run(call, invocation, target, GuardedCall.Around.THREAD);
        return call.result() == ResultKind.STAGE ? GuardedStage.of(run) : direct(run, call);
    }

    private static @Nullable Object direct(Run run, LeasedCall call) throws Throwable {
        Throwable failure = null;
        try {
            GuardedCall.Hold hold = run.take(run.ask());
            if (hold == null) {
                return call.nothing();
            }
            try {
                return run.proceed(hold);
            } finally {
                hold.end();
            }
        } catch (Throwable e) {
            failure = e;
            throw e;
        } finally {
            run.ended(failure);
        }
    }

    private LeasedCall read(Target target) {
        Leased leased = Objects.requireNonNull(AnnotatedMethods.find(Leased.class, target.type(), target.method()));
        return LeasedCall.of(target.type(), target.method(), leased, beans, placeholders);
    }

    /**
     * One call, with its observation. It asks for an {@link Acquisition}, or runs under the {@link SharedLease} of a call around, or finds
     * the {@link OccurrenceRecord} of what it was to do.
     */
    private final class Run implements GuardedCall<Object> {

        private final LeasedCall call;
        private final MethodInvocation invocation;
        private final Object target;
        private final Around around;
        private final Observation observation;
        private boolean isObserved;
        /** Set by the ask. */
        private @Nullable String occurrence;

        Run(LeasedCall call, MethodInvocation invocation, Object target, Around around) {
            this.call = call;
            this.invocation = invocation;
            this.target = target;
            this.around = around;
            this.observation = Observation.createNotStarted("leasehold.leased", observations.get())
                    .contextualName("leased " + invocation.getMethod().getName())
                    .lowCardinalityKeyValue("method", call.toString())
                    .parentObservation((Observation) around.attribute(OBSERVATION));
        }

        /** When the wait is over: a call that waits for another one does not run, and its wait is no time of the method. */
        private void observe() {
            if (!isObserved) {
                isObserved = true;
                observation.start();
                // Until it is known: all meters of one name have the same tags. What runs has none yet.
                observation.lowCardinalityKeyValue("outcome", "failed");
            }
        }

        private @Nullable Object inScope(LeaseHolder.Work work) throws Throwable {
            Observation.Scope scope = observation.openScope();
            try {
                return work.run();
            } finally {
                scope.close();
            }
        }

        private LeaseRequest request() {
            return call.request(target, arguments(invocation));
        }

        /** That of a call around, which does not end before this one from now on. */
        private @Nullable SharedLease joined(String lease) {
            SharedLease outer = around.lease(engine.get(), lease);
            return outer != null && outer.join() ? outer : null;
        }

        @Override
        public Object ask() {
            LeaseRequest request = request();
            try {
                return ask(request);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(
                        call + " does not run: the thread was interrupted before it had lease "
                                + LeaseNames.quote(request.name()),
                        e);
            }
        }

        private Object ask(LeaseRequest request) throws InterruptedException {
            occurrence = call.occurrence(target, arguments(invocation));
            if (occurrence != null) {
                Optional<OccurrenceRecord> done = engine.get().findOccurrence(request.name(), occurrence);
                if (done.isPresent()) {
                    return done.get();
                }
            }
            SharedLease outer = joined(request.name());
            return outer != null
                    ? outer
                    : Answered.by("tryAcquire", engine.get().tryAcquire(request.waitAtMost(call.waitTime())));
        }

        @Override
        public CompletableFuture<?> askAsync() {
            LeaseRequest request = request();
            SharedLease outer = joined(request.name());
            return outer != null
                    ? CompletableFuture.completedFuture(outer)
                    : Answered.by("tryAcquireAsync", engine.get().tryAcquireAsync(request.waitAtMost(call.waitTime())))
                            .toCompletableFuture();
        }

        @Override
        public @Nullable Hold take(Object answer) {
            observe();
            if (answer instanceof OccurrenceRecord record) {
                doneBefore(record);
                return null;
            }
            if (answer instanceof SharedLease outer) {
                return inside(outer);
            }
            Acquisition acquisition = (Acquisition) answer;
            if (acquisition instanceof Acquisition.NotAcquired no) {
                observation.lowCardinalityKeyValue("outcome", "skipped");
                if (call.isThrowing()) {
                    throw new LeaseRefusedException(no.refusal());
                }
                LOG.debug("{} is skipped: {}", call, no.refusal().message());
                return null;
            }
            SharedLease lease = SharedLease.of(acquisition.orElseThrow());
            RunningMethods.Call begun = null;
            try {
                begun = running.get().begin(call.toString());
            } finally {
                if (begun == null) {
                    lease.leaveAsync();
                }
            }
            if (begun == null) {
                observation.lowCardinalityKeyValue("outcome", "skipped");
                if (call.isThrowing()) {
                    throw new IllegalStateException(call + " does not run: the application is stopping");
                }
                return null;
            }
            return new Hold(lease, begun);
        }

        /** The call is skipped, and has no effect. */
        private void doneBefore(OccurrenceRecord record) {
            observation.lowCardinalityKeyValue("outcome", "done-before");
            if (call.isThrowing()) {
                throw new OccurrenceDoneException(record);
            }
            LOG.debug("{} is skipped: occurrence {} was done before, at {}", call, record.occurrence(), record.done());
        }

        private Hold inside(SharedLease outer) {
            try {
                outer.lease().requireHeld();
            } catch (LeaseNotHeldException e) {
                outer.leaveAsync();
                throw e;
            }
            return new Hold(outer, running.get().beginInside(call.toString()));
        }

        @Override
        public CompletableFuture<?> giveBack(Object answer) {
            if (answer instanceof SharedLease outer) {
                return outer.leaveAsync();
            }
            return ((Acquisition) answer)
                    .asOptional()
                    .map(lease -> SharedLease.of(lease).leaveAsync())
                    .orElseGet(() -> CompletableFuture.completedFuture(true));
        }

        @Override
        public @Nullable Object proceed(Hold hold) throws Throwable {
            Lease lease = hold.lease().lease();
            LeaseHolder.Work method =
                    proceeding(invocation, call.withLease(arguments(invocation), lease), call.result());
            LeaseHolder.Work work = () -> {
                observation.lowCardinalityKeyValue("outcome", "ran");
                return method.run();
            };
            return inScope(
                    () -> LeaseHolder.with(hold.lease(), occurrence, call.isGated() ? () -> gated(lease, work) : work));
        }

        private @Nullable Object gated(Lease lease, LeaseHolder.Work work) throws Throwable {
            if (!HAS_TRANSACTIONS || !(gatedTransactions.get() instanceof GatedTransactions transactions)) {
                throw new IllegalStateException(
                        "@Leased with " + call.gating() + " on " + call
                                + " needs Spring Data MongoDB and a LeaseTransactionManager, and there is none: has the application one MongoDatabaseFactory?");
            }
            if (occurrence == null) {
                return transactions.callThrowing(lease, work);
            }
            try {
                return transactions.callOnce(engine.get(), lease, occurrence, work);
            } catch (DoneBefore e) {
                doneBefore(e.record());
                return call.nothing();
            }
        }

        @Override
        public Map<Object, Object> attributes() {
            return Map.of(OBSERVATION, observation);
        }

        @Override
        public void ended(@Nullable Throwable failure) {
            observe();
            if (failure != null) {
                observation.error(failure);
            }
            observation.stop();
        }
    }

    /**
     * The rest of an invocation, which may be run many times and on any thread: an invocation can proceed once, and advice of AspectJ looks
     * for it on the thread.
     */
    static LeaseHolder.Work proceeding(MethodInvocation invocation, Object[] arguments, ResultKind kind) {
        return () -> kind.checked(
                invocation.getMethod(),
                ExposeInvocationInterceptor.INSTANCE.invoke(
                        ((ProxyMethodInvocation) invocation).invocableClone(arguments)));
    }

    /** Some may be null. Compilers after that of JDK 17 read that in Spring's classes, and would ask for another type than that one. */
    @SuppressWarnings("NullAway")
    static Object[] arguments(MethodInvocation invocation) {
        return invocation.getArguments();
    }
}
