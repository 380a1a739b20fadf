package dev.leasehold.engine;

/**
 * A refusal, thrown by {@link LeaseEngine#acquire(LeaseRequest)} when the wait of the request is over, and by {@code orElseThrow()}
 * of an {@link Acquisition} or a {@link LeaseResult}. It has no stack trace, because another holder of the lease is no fault of the
 * program.
 */
public final class LeaseRefusedException extends LeaseException {

    private static final long serialVersionUID = 1L;

    /** The answer itself. */
    private final Refusal refusal;

    /**
     * For the engine, and for tests that need one.
     *
     * @param refusal the answer
     */
    public LeaseRefusedException(Refusal refusal) {
        super(refusal.message(), null);
        this.refusal = refusal;
    }

    /** {@return the answer itself} */
    public Refusal refusal() {
        return refusal;
    }

    /** {@return whether a lease that others hold, pin or keep free may become free; false where the tenure itself does not stand} */
    @Override
    public boolean isRetryable() {
        return switch (refusal.reason()) {
            case HELD, HELD_PAST_EXPIRY, NOT_EXPIRED, PINNED, NOT_YET -> true;
            case NO_SUCH_LEASE, VACANT, NOT_THAT_TENURE, SESSION_LEASE -> false;
        };
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
