package dev.leasehold.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The answer of the database was lost: the operation may have been carried out, or may yet be.
 *
 * <p>Do not act as holder: {@code isHeld()} does not become true by this operation, now or later. A gated transaction
 * is safe in any case, since the database decides on the assertion. The engine goes on finding out, and writes nothing
 * else before it knows; see {@link #resolution()}.
 */
public final class LeaseOutcomeUnknownException extends LeaseException {

    private static final long serialVersionUID = 1L;

    /** Null where this was read from a stream. */
    private final transient @Nullable CompletableFuture<LeaseResult> resolution;

    /**
     * For the engine, for a command whose sender finds out itself, and for tests that need one.
     *
     * @param message what is not known
     * @param cause what it was caused by
     */
    public LeaseOutcomeUnknownException(String message, @Nullable Throwable cause) {
        this(message, cause, notLookedInto());
    }

    /**
     * For the engine, and for tests that need one.
     *
     * @param message what is not known
     * @param cause what it was caused by
     * @param resolution completes when it is known
     */
    public LeaseOutcomeUnknownException(
            String message, @Nullable Throwable cause, CompletableFuture<LeaseResult> resolution) {
        super(message, cause);
        this.resolution = resolution;
    }

    /**
     * Completes with the answer once it is known, on the engine's own thread, which must not be blocked. Even a yes tells
     * only what was. It completes with a {@link LeaseUnavailableException} or {@link LeaseContentionException} if the
     * operation was not carried out and never will be, and with a {@link LeaseStoreException} if the outcome can no longer
     * be known: the engine was closed, the trace in the clock document is gone, or the lease document is damaged. That of
     * {@link LeaseEngine#housekeeping()}, {@link LeaseAdmin#pin}, {@link LeaseAdmin#unpin} and {@link
     * LeaseAdmin#forgetOccurrence}, which are harmless to repeat, and of a deserialized exception is never looked into.
     *
     * @return the answer to come
     */
    public CompletionStage<LeaseResult> resolution() {
        return (resolution == null ? notLookedInto() : resolution).minimalCompletionStage();
    }

    /**
     * An acquisition may simply be repeated. Any other operation may have been carried out already, so that its
     * repetition may be refused, such as a second claim because of the first: see {@link #resolution()}.
     *
     * @return true
     */
    @Override
    public boolean isRetryable() {
        return true;
    }

    private static CompletableFuture<LeaseResult> notLookedInto() {
        return CompletableFuture.failedFuture(new LeaseStoreException("not looked into by itself", null));
    }
}
