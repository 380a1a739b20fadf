package dev.leasehold.spring;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseRequest;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** What one method with {@link Leased} asks for, read once: names, durations, and where the lease goes among the arguments. */
final class LeasedCall {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final Method method;
    private final Leased leased;
    private final Expression name;
    private final Duration wait;
    private final Duration atLeast;
    private final List<Integer> leaseParameters;

    private LeasedCall(Method method, Leased leased, Expression name, Duration wait, Duration atLeast) {
        this.method = method;
        this.leased = leased;
        this.name = name;
        this.wait = wait;
        this.atLeast = atLeast;
        this.leaseParameters = new ArrayList<>();
        for (int i = 0; i < method.getParameterCount(); i++) {
            if (method.getParameterTypes()[i] == Lease.class) {
                leaseParameters.add(i);
            }
        }
    }

    /**
     * Reads the annotation of a method.
     *
     * @param resolver replaces properties
     * @throws IllegalArgumentException if an attribute cannot be read, with its value
     */
    static LeasedCall of(Method method, Leased leased, PlaceholderResolver resolver) {
        if (leased.skipped() == Skipped.SKIP
                && method.getReturnType().isPrimitive()
                && !method.getReturnType().equals(void.class)) {
            throw new IllegalArgumentException(
                    "@Leased on " + place(method) + " is refused: it returns " + method.getReturnType()
                            + ", so a call that is skipped has nothing to return. Use skipped = THROW");
        }
        String text = leased.name().isEmpty()
                ? method.getDeclaringClass().getSimpleName() + "." + method.getName()
                : resolver.resolve(leased.name());
        return new LeasedCall(
                method,
                leased,
                PARSER.parseExpression(text, new TemplateParserContext()),
                duration(method, "waitTime", resolver.resolve(leased.waitTime())),
                duration(method, "atLeast", resolver.resolve(leased.atLeast())));
    }

    /** Replaces {@code ${...}}; of the application's {@link EmbeddedValueResolver}, without its expressions. */
    interface PlaceholderResolver {
        String resolve(String text);
    }

    private static Duration duration(Method method, String attribute, String text) {
        try {
            return DurationStyle.detectAndParse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "@Leased on " + place(method) + ": " + attribute + " " + LeaseNames.quote(text)
                            + " is refused: it has to be a duration such as 10s",
                    e);
        }
    }

    private static String place(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }

    LeaseRequest request(Object target, Object[] arguments) {
        Object value = name.getValue(new MethodBasedEvaluationContext(target, method, arguments, NAMES));
        if (value == null) {
            throw new IllegalArgumentException(
                    "@Leased on " + place(method) + ": name " + LeaseNames.quote(leased.name()) + " comes to null");
        }
        LeaseRequest request =
                LeaseRequest.of(value.toString()).comment(place(method)).gateStripes(leased.gateStripes());
        return atLeast.isZero() ? request : request.atLeast(atLeast);
    }

    Duration waitTime() {
        return wait;
    }

    boolean isGated() {
        return leased.gated();
    }

    boolean isThrowing() {
        return leased.skipped() == Skipped.THROW;
    }

    /** What a call returns that was skipped. */
    @Nullable Object nothing() {
        return method.getReturnType() == Optional.class ? Optional.empty() : null;
    }

    Object[] withLease(Object[] arguments, Lease lease) {
        Object[] filled = arguments.clone();
        for (int i : leaseParameters) {
            if (filled[i] == null) {
                filled[i] = lease;
            }
        }
        return filled;
    }

    @Override
    public String toString() {
        return place(method);
    }
}
