package dev.leasehold.spring;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseRequest;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.ReflectionUtils;

/** What one method with {@link Leased} asks for, read once: names, durations, and where the lease goes among the arguments. */
final class LeasedCall {

    private final Class<?> type;
    private final Method method;
    private final Leased leased;
    private final TextTemplate name;
    private final @Nullable OncePer oncePer;
    private final Duration wait;
    private final Duration atLeast;
    private final @Nullable Duration atMost;
    private final ResultKind result;
    private final List<Integer> leaseParameters;

    private LeasedCall(
            Class<?> type,
            Method method,
            Leased leased,
            TextTemplate name,
            @Nullable OncePer oncePer,
            Duration wait,
            Duration atLeast,
            @Nullable Duration atMost,
            ResultKind result) {
        this.type = type;
        this.method = method;
        this.leased = leased;
        this.name = name;
        this.oncePer = oncePer;
        this.wait = wait;
        this.atLeast = atLeast;
        this.atMost = atMost;
        this.result = result;
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
     * @param type the class of the bean, of which the method may be inherited
     * @param resolver replaces properties
     * @throws IllegalArgumentException if an attribute cannot be read, with its value
     */
    static LeasedCall of(Class<?> type, Method method, Leased leased, BeanFactory beans, PlaceholderResolver resolver) {
        if (leased.skipped() == Skipped.SKIP) {
            checkResult("@Leased", method, "Use skipped = THROW");
        }
        Duration atLeast = duration("atLeast", resolver.resolve(leased.atLeast()), true);
        Class<?> named = named(type, method);
        LeasedCall call = new LeasedCall(
                named,
                method,
                leased,
                TextTemplate.of(
                        "name",
                        leased.name().isEmpty() ? defaultName(named, method) : leased.name(),
                        method,
                        beans,
                        resolver),
                OncePer.of(leased, method, beans, resolver),
                duration("waitTime", resolver.resolve(leased.waitTime()), true),
                atLeast,
                atMost(resolver.resolve(leased.atMost()), atLeast),
                ResultKind.of(type, method));
        if (call.isGated() && !call.result.isDirect()) {
            throw new IllegalArgumentException(call.gating() + " is refused: the method returns a "
                    + method.getReturnType().getName()
                    + ", so its work would go on outside of the transaction, which is committed when the method has"
                    + " returned. Gate a transaction inside of that work");
        }
        if (leased.catchUp() != CatchUp.NONE && call.leaseParameters.size() < method.getParameterCount()) {
            throw new IllegalArgumentException("catchUp = " + leased.catchUp()
                    + " is refused: the method has parameters, for which the start of the application has no"
                    + " arguments");
        }
        String constant = call.name.constant();
        call.request(constant == null ? "a" : constant);
        return call;
    }

    /** A call that does not run has nothing to return as a number or a boolean. */
    static void checkResult(String annotation, Method method, String remedy) {
        Class<?> result = method.getReturnType();
        if (result.isPrimitive() && result != void.class) {
            throw new IllegalArgumentException(annotation + " is refused: the method returns " + result
                    + ", so a call that is skipped has nothing to return. " + remedy);
        }
    }

    /** The interface where the class is a proxy or a lambda: such a class is made by each process, and has another name in each. */
    private static Class<?> named(Class<?> type, Method method) {
        return Proxy.isProxyClass(type) || type.isHidden()
                ? Stream.<Class<?>>of(type.getInterfaces())
                        .filter(each -> AnnotatedMethods.implemented(type, method, each)
                                .findAny()
                                .isPresent())
                        .findFirst()
                        .orElse(type)
                : type;
    }

    /** The class of the bean, so that subclasses do not share a lease, and the parameters where the name of the method is not enough. */
    private static String defaultName(Class<?> type, Method method) {
        String name = type.getName() + "." + method.getName();
        boolean isOverloaded = Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(type))
                .anyMatch(each -> each.getName().equals(method.getName())
                        && !each.isBridge()
                        && !Arrays.equals(each.getParameterTypes(), method.getParameterTypes())
                        && AnnotatedMethods.find(Leased.class, type, each) != null);
        return isOverloaded
                ? name
                        + Arrays.stream(method.getParameterTypes())
                                .map(Class::getTypeName)
                                .collect(Collectors.joining(",", "(", ")"))
                : name;
    }

    /** Replaces {@code ${...}}; of the application's {@link EmbeddedValueResolver}, without its expressions. */
    interface PlaceholderResolver {
        String resolve(String text);
    }

    private static Duration duration(String attribute, String text, boolean orZero) {
        try {
            Duration duration = DurationStyle.detectAndParse(text);
            return orZero ? DurationRange.checkOrZero(attribute, duration) : DurationRange.check(attribute, duration);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    attribute + " " + LeaseNames.quote(text) + " is refused: it has to be a duration such as 10s, "
                            + (orZero ? DurationRange.RULE_OR_ZERO : DurationRange.RULE),
                    e);
        }
    }

    /** {@return null for no limit} */
    private static @Nullable Duration atMost(String text, Duration atLeast) {
        if (text.isEmpty()) {
            return null;
        }
        Duration atMost = duration("atMost", text, false);
        if (atMost.compareTo(atLeast) < 0) {
            throw new IllegalArgumentException("atMost " + LeaseNames.quote(text)
                    + " is refused: it must not be shorter than atLeast, which is " + atLeast);
        }
        return atMost;
    }

    LeaseRequest request(Object target, Object[] arguments) {
        try {
            return request(name.of(target, arguments));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("@Leased on " + this + ": " + e.getMessage(), e);
        }
    }

    private LeaseRequest request(String leaseName) {
        LeaseRequest request = LeaseRequest.of(leaseName)
                .comment(toString())
                .priority(leased.priority())
                .gateStripes(leased.gateStripes());
        LeaseRequest kept = atLeast.isZero() ? request : request.atLeast(atLeast);
        return atMost == null ? kept : kept.atMost(atMost);
    }

    /** {@return the name if it is the same for all calls; null if it depends on the call} */
    @Nullable String constantName() {
        return name.constant();
    }

    boolean isShared() {
        return leased.shared();
    }

    Duration waitTime() {
        return wait;
    }

    boolean isGated() {
        return leased.gated() || oncePer != null;
    }

    /** What makes it gated, for messages. */
    String gating() {
        return oncePer != null ? "oncePer " + LeaseNames.quote(leased.oncePer()) : "gated = true";
    }

    /** {@return whether the clock names an occurrence that each call does} */
    boolean isOnSchedule() {
        return oncePer != null && oncePer.isSchedule();
    }

    boolean isCaughtUp() {
        return leased.catchUp() == CatchUp.LATEST;
    }

    /** {@return the occurrence that a call does now; null if every call runs} */
    @Nullable String occurrence(Object target, Object[] arguments) {
        if (oncePer == null) {
            return null;
        }
        try {
            return oncePer.occurrence(target, arguments, Instant.now());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("@Leased on " + this + ": " + e.getMessage(), e);
        }
    }

    boolean isThrowing() {
        return leased.skipped() == Skipped.THROW;
    }

    /** What a call returns that was skipped. */
    @Nullable Object nothing() {
        return result.nothing();
    }

    ResultKind result() {
        return result;
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
        return type.getName() + "." + method.getName();
    }
}
