package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.LeaseRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A caller's request after validation.
 *
 * @param name the lease
 * @param holder the holder; null for a generated one
 * @param comment the comment; null for none
 * @param termNanos the term; null for a session lease
 * @param renewalNanos the renewal period; 0 without a term
 * @param stripes the least number of gate stripes
 * @param supersede whether it may be taken from the same holder in another engine
 * @param atLeastNanos how long after the grant the lease must not be taken again, released or not; 0 for no time
 */
record AcquireSpec(
        String name,
        @Nullable String holder,
        @Nullable String comment,
        @Nullable Long termNanos,
        long renewalNanos,
        int stripes,
        boolean supersede,
        long atLeastNanos) {

    /** The longest term, and the longest wait. */
    static final Duration LONGEST = Duration.ofDays(36_500);

    private static final Duration SHORTEST_PERIOD = Duration.ofMillis(1);
    private static final int RENEWALS_PER_TERM = 3;

    /**
     * Validates a request.
     *
     * @param budgetNanos the engine's operation budget
     * @param nowNanos on the engine's clock
     */
    static AcquireSpec of(@Nullable LeaseRequest request, long budgetNanos, long nowNanos) {
        if (request == null) {
            throw new IllegalArgumentException("request null is refused: it must say which lease is wanted");
        }
        Duration term = request.term().orElse(null);
        String holder = request.holder().orElse(null);
        if (request.supersede() && holder == null) {
            throw new IllegalArgumentException("supersede without a holder is refused for lease '" + request.name()
                    + "': name the holder whose other incarnation it is to be taken from");
        }
        String comment = request.comment().orElse(null);
        long atLeastNanos = atLeastNanos(request.atLeast().orElse(null), nowNanos);
        if (term == null) {
            return new AcquireSpec(
                    request.name(), holder, comment, null, 0, request.gateStripes(), request.supersede(), atLeastNanos);
        }
        long termNanos = termNanos(term, budgetNanos, nowNanos);
        return new AcquireSpec(
                request.name(),
                holder,
                comment,
                termNanos,
                renewalNanos(request.renewalPeriod().orElse(null), term, termNanos),
                request.gateStripes(),
                request.supersede(),
                atLeastNanos);
    }

    /** A wait in nanoseconds. */
    static long waitNanos(@Nullable Duration wait) {
        if (wait == null || wait.isNegative() || wait.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "wait " + wait + " is refused: it must be " + Duration.ZERO + " to " + LONGEST);
        }
        return wait.toNanos();
    }

    private static long atLeastNanos(@Nullable Duration atLeast, long nowNanos) {
        if (atLeast == null) {
            return 0;
        }
        if (atLeast.compareTo(SHORTEST_PERIOD) < 0 || atLeast.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "at least " + atLeast + " is refused: it must be " + SHORTEST_PERIOD + " to " + LONGEST);
        }
        if (nowNanos + atLeast.toNanos() < nowNanos) {
            throw new IllegalArgumentException("at least " + atLeast + " is refused: overflow: counted from " + nowNanos
                    + " ns it does not fit into an int64 of nanoseconds");
        }
        return atLeast.toNanos();
    }

    private static long termNanos(Duration term, long budgetNanos, long nowNanos) {
        Duration budget = Duration.ofNanos(budgetNanos);
        if (term.compareTo(budget) <= 0 || term.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "term " + term + " is refused: it must be longer than the operation budget, which is " + budget
                            + ", and at most " + LONGEST);
        }
        if (nowNanos + term.toNanos() < nowNanos) {
            throw new IllegalArgumentException("term " + term + " is refused: overflow: counted from " + nowNanos
                    + " ns it does not fit into an int64 of nanoseconds");
        }
        return term.toNanos();
    }

    private static long renewalNanos(@Nullable Duration period, Duration term, long termNanos) {
        if (period == null) {
            return termNanos / RENEWALS_PER_TERM;
        }
        if (period.compareTo(SHORTEST_PERIOD) < 0
                || period.compareTo(term) >= 0
                || period.toNanos() >= termNanos - period.toNanos()) {
            throw new IllegalArgumentException("renewal period " + period + " is refused: it must be " + SHORTEST_PERIOD
                    + " or more, and below half of the term, which is " + term);
        }
        return period.toNanos();
    }
}
