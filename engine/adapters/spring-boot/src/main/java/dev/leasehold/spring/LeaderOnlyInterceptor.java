package dev.leasehold.spring;

import dev.leasehold.engine.Lease;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/** Lets a {@link LeaderOnly} method run on the leader alone. */
final class LeaderOnlyInterceptor implements MethodInterceptor {

    private final Supplier<LeaderElections> elections;
    private final Supplier<RunningMethods> running;
    private final LeasedCall.PlaceholderResolver placeholders;

    LeaderOnlyInterceptor(
            Supplier<LeaderElections> elections,
            Supplier<RunningMethods> running,
            LeasedCall.PlaceholderResolver placeholders) {
        this.elections = elections;
        this.running = running;
        this.placeholders = placeholders;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Class<?> type = ClassUtils.getUserClass(Objects.requireNonNull(invocation.getThis()));
        Method method = AopUtils.getMostSpecificMethod(invocation.getMethod(), type);
        LeaderOnly only = Objects.requireNonNull(AnnotatedMethods.find(LeaderOnly.class, type, method));
        String election = placeholders.resolve(only.value());
        String place = ClassUtils.getQualifiedMethodName(method);
        ResultKind kind = ResultKind.of(type, method);
        return switch (kind) {
            case DIRECT -> {
                Call call = new Call(invocation, election, place);
                GuardedCall.Hold hold = call.take(call.ask());
                if (hold == null) {
                    yield kind.nothing(type, method);
                }
                try {
                    yield call.proceed(hold);
                } finally {
                    hold.end();
                }
            }
            case STAGE -> GuardedStage.of(new Call(invocation, election, place));
            case MONO, FLUX -> GuardedPublisher.of(kind, around -> new Call(invocation, election, place));
        };
    }

    /** One call. There is nothing to wait for: it is known whether this process leads. */
    private final class Call implements GuardedCall<Boolean> {

        private final MethodInvocation invocation;
        private final String election;
        private final String place;

        Call(MethodInvocation invocation, String election, String place) {
            this.invocation = invocation;
            this.election = election;
            this.place = place;
        }

        @Override
        public Boolean ask() {
            return true;
        }

        @Override
        public CompletableFuture<Boolean> askAsync() {
            return CompletableFuture.completedFuture(true);
        }

        /** Begins before it is known whether this process leads: from here on the election waits for this call. */
        @Override
        public @Nullable Hold take(Boolean answer) {
            RunningMethods.Call begun = running.get().begin(place);
            if (begun == null) {
                return null;
            }
            Optional<Lease> lease = elections.get().lease(election);
            if (lease.isEmpty()) {
                begun.close();
                return null;
            }
            return new Hold(SharedLease.borrowed(lease.get()), begun);
        }

        @Override
        public CompletableFuture<?> giveBack(Boolean answer) {
            return CompletableFuture.completedFuture(true);
        }

        @Override
        public @Nullable Object proceed(Hold hold) throws Throwable {
            return LeaseHolder.with(
                    hold.lease(),
                    null,
                    LeasedInterceptor.proceeding(invocation, LeasedInterceptor.arguments(invocation)));
        }

        @Override
        public Map<Object, Object> attributes() {
            return Map.of();
        }

        @Override
        public void ended(@Nullable Throwable failure) {}
    }
}
