package dev.leasehold.engine.internal.settings;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.internal.rules.Request;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Validates arguments other than single names, before anything is sent. */
public final class Arguments {

    /** The longest term, and the longest wait. */
    public static final Duration LONGEST = Duration.ofDays(36_500);

    public static final Duration SHORTEST = Duration.ofMillis(1);

    private static final int RENEWALS_PER_TERM = 3;

    private Arguments() {}

    /**
     * An argument that must be there.
     *
     * @param rule what it must be, for the message
     */
    public static <T> T given(String what, @Nullable T value, String rule) {
        if (value == null) {
            throw new IllegalArgumentException(what + " null is refused: " + rule);
        }
        return value;
    }

    /**
     * A duration in nanoseconds.
     *
     * @param what which duration it is, for the message
     */
    public static long durationNanos(String what, @Nullable Duration duration) {
        return durationNanos(what, duration, SHORTEST, LONGEST);
    }

    /** A duration in nanoseconds, within a range of its own. */
    public static long durationNanos(String what, @Nullable Duration duration, Duration shortest, Duration longest) {
        if (duration == null || duration.compareTo(shortest) < 0 || duration.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    what + " " + duration + " is refused: it must be " + shortest + " to " + longest);
        }
        return duration.toNanos();
    }

    /** A duration in nanoseconds which, counted from now, ends within the range of the clock. */
    public static long termNanos(String what, @Nullable Duration duration, long nowNanos) {
        long durationNanos = durationNanos(what, duration);
        if (nowNanos + durationNanos < nowNanos) {
            throw new IllegalArgumentException(what + " " + duration + " is refused: overflow: counted from " + nowNanos
                    + " ns it does not fit into an int64 of nanoseconds");
        }
        return durationNanos;
    }

    /** Each different name once, in the order given. */
    public static Set<String> names(@Nullable Collection<String> names) {
        Set<String> checked = new LinkedHashSet<>();
        given("names", names, "it must be a collection of lease names")
                .forEach(name -> checked.add(LeaseNames.checkName(name)));
        return checked;
    }

    /** An operator's reason, which must not be blank. */
    public static String reason(@Nullable String reason) {
        if (reason == null || reason.isBlank()) {
            throw new IllegalArgumentException("reason " + LeaseNames.quote(reason) + " is refused: it must say why");
        }
        return LeaseNames.checkComment(reason);
    }

    /**
     * A request for a lease.
     *
     * @param otherHolder makes the holder, from the name of the lease, if the request names none
     * @param budgetNanos the engine's operation budget
     * @param nowNanos on the engine's clock
     */
    public static Request.Acquire acquire(
            LeaseRequest request, UnaryOperator<String> otherHolder, long budgetNanos, long nowNanos) {
        given("request", request, "it must say which lease is wanted");
        if (request.supersede() && request.holder().isEmpty()) {
            throw new IllegalArgumentException(
                    "supersede without a holder is refused for lease " + LeaseNames.quote(request.name())
                            + ": name the holder whose other incarnation it is to be taken from");
        }
        Duration atLeast = request.atLeast().orElse(null);
        long atLeastNanos = atLeast == null ? 0 : termNanos("at least", atLeast, nowNanos);
        Duration atMost = request.atMost().orElse(null);
        long atMostNanos = atMost == null ? 0 : termNanos("at most", atMost, nowNanos);
        if (atMost != null && atLeast != null && atMost.compareTo(atLeast) < 0) {
            throw new IllegalArgumentException("at most " + atMost + " is refused for lease "
                    + LeaseNames.quote(request.name()) + ": it must not be shorter than at least, which is " + atLeast);
        }
        Duration term = request.term().orElse(null);
        Long termNanos = term == null ? null : (Long) leaseTermNanos(term, budgetNanos, nowNanos);
        long renewalNanos =
                term == null ? 0 : renewalNanos(request.renewalPeriod().orElse(null), term);
        return new Request.Acquire(
                request.name(),
                request.holder().orElseGet(() -> otherHolder.apply(request.name())),
                termNanos,
                request.comment().orElse(null),
                request.gateStripes(),
                request.supersede(),
                renewalNanos,
                atLeastNanos,
                atMostNanos,
                request.payload().orElse(null),
                request.priority(),
                null);
    }

    private static long leaseTermNanos(Duration term, long budgetNanos, long nowNanos) {
        Duration budget = Duration.ofNanos(budgetNanos);
        if (term.compareTo(budget) <= 0 || term.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "term " + term + " is refused: it must be longer than the operation budget, which is " + budget
                            + ", and at most " + LONGEST);
        }
        return termNanos("term", term, nowNanos);
    }

    private static long renewalNanos(@Nullable Duration period, Duration term) {
        if (period == null) {
            return term.toNanos() / RENEWALS_PER_TERM;
        }
        if (period.compareTo(SHORTEST) < 0
                || period.compareTo(term) >= 0
                || period.toNanos() >= term.toNanos() - period.toNanos()) {
            throw new IllegalArgumentException("renewal period " + period + " is refused: it must be " + SHORTEST
                    + " or more, and below half of the term, which is " + term);
        }
        return period.toNanos();
    }
}
