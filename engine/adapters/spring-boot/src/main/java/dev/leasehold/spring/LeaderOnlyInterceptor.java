package dev.leasehold.spring;

import dev.leasehold.engine.Lease;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Lets a {@link LeaderOnly} method run on the leader alone. */
final class LeaderOnlyInterceptor implements MethodInterceptor {

    private final Supplier<LeaderElections> elections;
    private final Supplier<RunningMethods> running;
    private final LeasedCall.PlaceholderResolver placeholders;
    private final Map<LeasedInterceptor.Target, Guarded> methods = new ConcurrentHashMap<>();

    /** What is known of a method before it is called. */
    private record Guarded(String election, String place, ResultKind kind) {}

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
        Guarded method = methods.computeIfAbsent(LeasedInterceptor.Target.of(invocation), this::read);
        return switch (method.kind()) {
            case DIRECT, ANYTHING, OPTIONAL -> {
                Call call = new Call(invocation, method);
                GuardedCall.Hold hold = call.take(call.ask());
                if (hold == null) {
                    yield method.kind().nothing();
                }
                try {
                    yield call.proceed(hold);
                } finally {
                    hold.end();
                }
            }
            case STAGE -> GuardedStage.of(new Call(invocation, method));
            case MONO, FLUX -> GuardedPublisher.of(method.kind(), around -> new Call(invocation, method));
        };
    }

    private Guarded read(LeasedInterceptor.Target target) {
        LeaderOnly only =
                Objects.requireNonNull(AnnotatedMethods.find(LeaderOnly.class, target.type(), target.method()));
        return new Guarded(
                LeaderElections.name(only, placeholders),
                ClassUtils.getQualifiedMethodName(target.method()),
                ResultKind.of(target.type(), target.method()));
    }

    /** One call. There is nothing to wait for: it is known whether this process leads. */
    private final class Call implements GuardedCall<Boolean> {

        private final MethodInvocation invocation;
        private final Guarded method;

        Call(MethodInvocation invocation, Guarded method) {
            this.invocation = invocation;
            this.method = method;
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
            RunningMethods.Call begun = running.get().begin(method.place());
            if (begun == null) {
                return null;
            }
            Optional<Lease> lease = elections.get().lease(method.election());
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
                    LeasedInterceptor.proceeding(invocation, LeasedInterceptor.arguments(invocation), method.kind()));
        }

        @Override
        public Map<Object, Object> attributes() {
            return Map.of();
        }

        @Override
        public void ended(@Nullable Throwable failure) {}
    }
}
