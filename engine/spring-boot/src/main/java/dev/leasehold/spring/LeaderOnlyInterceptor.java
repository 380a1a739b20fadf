package dev.leasehold.spring;

import dev.leasehold.engine.Lease;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
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
        Method method = AopUtils.getMostSpecificMethod(
                invocation.getMethod(),
                Objects.requireNonNull(invocation.getThis()).getClass());
        LeaderOnly only = Objects.requireNonNull(AnnotatedElementUtils.findMergedAnnotation(method, LeaderOnly.class));
        // Before it is known whether this process leads: from here on the election waits for this call.
        try (RunningMethods.Call call = running.get().begin(ClassUtils.getQualifiedMethodName(method))) {
            Optional<Lease> lease =
                    call == null ? Optional.empty() : elections.get().lease(placeholders.resolve(only.value()));
            if (lease.isEmpty()) {
                return method.getReturnType() == Optional.class ? Optional.empty() : null;
            }
            return LeaseHolder.with(lease.get(), invocation::proceed);
        }
    }
}
