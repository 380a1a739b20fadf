package dev.leasehold.mergequeue.store;

/**
 * From where on tokens are counted. Those of leases begin with the time of the database, microsecond by microsecond, and do so again when
 * their namespace is made anew, as after a loss of their collection. Tokens of this service count the tenures between, so that they stay
 * small; where the tenures leap, the next era begins above all tokens of the one before.
 *
 * @param firstTenure the token of a lease at which the era begins
 * @param base below all tokens of the era
 */
public record TokenEra(long firstTenure, long base) {

    /** So many tokens may be given under one tenure of a lease. */
    public static final long TOKENS_PER_TENURE = 1_000_000;

    /** Far more than leases have in a lifetime, and less than a quarter of an hour of microseconds. */
    private static final long TENURES_MAX = 500_000_000;

    /** Refuses what the service never stores, and what would leave no room for tokens. */
    public TokenEra {
        if (firstTenure < 1 || base < 0 || base > Long.MAX_VALUE / 2) {
            throw new IllegalArgumentException("an era with the first tenure " + firstTenure + " and the base " + base
                    + " is refused: the tenure must be 1 or more, and the base 0 to " + Long.MAX_VALUE / 2);
        }
    }

    boolean has(long tenure) {
        return tenure - firstTenure <= TENURES_MAX;
    }

    /** The era that begins with a tenure which this one does not have. */
    TokenEra next(long tenure) {
        return new TokenEra(tenure, Math.addExact(base, (TENURES_MAX + 1) * TOKENS_PER_TENURE));
    }

    /**
     * Below all tokens of a tenure, and not below any of an earlier one.
     *
     * @param tenure the token of the lease
     * @return the number
     */
    public long below(long tenure) {
        return base + Math.max(0, tenure - firstTenure) * TOKENS_PER_TENURE;
    }
}
