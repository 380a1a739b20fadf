package dev.leasehold.spring;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/**
 * Finds the methods with {@link LeaderOnly}, on the method of the class, of a super class or of an interface, and takes part in the elections
 * that they name.
 */
final class LeaderOnlyPointcut extends StaticMethodMatcherPointcut {

    private final LeaderElections elections;
    private final LeasedCall.PlaceholderResolver placeholders;

    LeaderOnlyPointcut(LeaderElections elections, LeasedCall.PlaceholderResolver placeholders) {
        this.elections = elections;
        this.placeholders = placeholders;
    }

    @Override
    public boolean matches(Method method, Class<?> type) {
        @Nullable LeaderOnly only = AnnotatedMethods.find(LeaderOnly.class, type, AopUtils.getMostSpecificMethod(method, type));
        if (only != null) {
            join(only);
        }
        return only != null;
    }

    private void join(LeaderOnly only) {
        String election;
        try {
            election = LeaderElections.name(only, placeholders);
        } catch (IllegalArgumentException e) {
            return; // the check of annotations, which comes after the proxy is made, says so with the method
        }
        elections.join(election);
    }
}
