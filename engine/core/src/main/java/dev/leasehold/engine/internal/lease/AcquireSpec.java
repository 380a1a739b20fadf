package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.internal.rules.Request;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A caller's request after validation.
 *
 * @param request what is asked of the engine below
 * @param renewalNanos the renewal period; 0 without a term
 * @param atLeastNanos how long after the grant the lease must not be taken again, released or not; 0 for no time
 */
record AcquireSpec(Request.Acquire request, long renewalNanos, long atLeastNanos) {

    private static final int RENEWALS_PER_TERM = 3;

    /**
     * Validates a request.
     *
     * @param otherHolder makes the holder, from the name of the lease, if the request names none
     * @param budgetNanos the engine's operation budget
     * @param nowNanos on the engine's clock
     */
    static AcquireSpec of(
            @Nullable LeaseRequest request, UnaryOperator<String> otherHolder, long budgetNanos, long nowNanos) {
        if (request == null) {
            throw new IllegalArgumentException("request null is refused: it must say which lease is wanted");
        }
        if (request.supersede() && request.holder().isEmpty()) {
            throw new IllegalArgumentException("supersede without a holder is refused for lease '" + request.name()
                    + "': name the holder whose other incarnation it is to be taken from");
        }
        Duration atLeast = request.atLeast().orElse(null);
        long atLeastNanos = atLeast == null ? 0 : Arguments.termNanos("at least", atLeast, nowNanos);
        Duration term = request.term().orElse(null);
        Long termNanos = term == null ? null : (Long) termNanos(term, budgetNanos, nowNanos);
        long renewalNanos =
                term == null ? 0 : renewalNanos(request.renewalPeriod().orElse(null), term);
        Request.Acquire acquire = new Request.Acquire(
                request.name(),
                request.holder().orElseGet(() -> otherHolder.apply(request.name())),
                termNanos,
                request.comment().orElse(null),
                request.gateStripes(),
                request.supersede());
        return new AcquireSpec(acquire, renewalNanos, atLeastNanos);
    }

    private static long termNanos(Duration term, long budgetNanos, long nowNanos) {
        Duration budget = Duration.ofNanos(budgetNanos);
        if (term.compareTo(budget) <= 0 || term.compareTo(Arguments.LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "term " + term + " is refused: it must be longer than the operation budget, which is " + budget
                            + ", and at most " + Arguments.LONGEST);
        }
        return Arguments.termNanos("term", term, nowNanos);
    }

    private static long renewalNanos(@Nullable Duration period, Duration term) {
        if (period == null) {
            return term.toNanos() / RENEWALS_PER_TERM;
        }
        if (period.compareTo(Arguments.SHORTEST) < 0
                || period.compareTo(term) >= 0
                || period.toNanos() >= term.toNanos() - period.toNanos()) {
            throw new IllegalArgumentException("renewal period " + period + " is refused: it must be "
                    + Arguments.SHORTEST + " or more, and below half of the term, which is " + term);
        }
        return period.toNanos();
    }
}
