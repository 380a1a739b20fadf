package dev.leasehold.engine;

/**
 * A refusal, thrown for callers who asked for {@link LeaseResult#orElseThrow()}. It has no stack trace, because
 * somebody else holding a lease is no fault of the program.
 */
public final class LeaseRefusedException extends LeaseException {

    private static final long serialVersionUID = 1L;

    /** The answer itself. */
    private final Refusal refusal;

    /**
     * Wraps a refusal.
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

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
