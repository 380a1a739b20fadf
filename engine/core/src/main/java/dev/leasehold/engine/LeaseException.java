package dev.leasehold.engine;

import org.jspecify.annotations.Nullable;

/**
 * A call could not be answered. Each subtype says what the caller may conclude.
 *
 * <p>After a {@link LeaseOutcomeUnknownException} the operation may have been carried out, or may yet be. After any
 * other one it was not carried out and never will be. Code that catches this type alone has to expect both, and does
 * not hold the lease.
 *
 * <table>
 * <caption>What to do</caption>
 * <tr><th>thrown</th><th>carried out?</th><th>{@link #isRetryable()}</th></tr>
 * <tr><td>{@link LeaseUnavailableException}, {@link LeaseContentionException}</td><td>no</td><td>yes</td></tr>
 * <tr><td>{@link LeaseOutcomeUnknownException}</td><td>perhaps</td><td>yes, with care after anything but an acquisition</td></tr>
 * <tr><td>{@link LeaseRefusedException}</td><td>no</td><td>if the lease may become free</td></tr>
 * <tr><td>{@link LeaseStoreException}, {@link CorruptDocumentException}, {@link ClockAnomalyException}</td><td>no</td>
 *     <td>no: something has to be mended first</td></tr>
 * <tr><td>{@link LeaseEngineClosedException}, {@link UnsupportedDeploymentException}</td><td>no</td><td>no: never through this
 *     engine</td></tr>
 * </table>
 */
public class LeaseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * For subtypes.
     *
     * @param message what went wrong
     * @param cause what it was caused by
     */
    protected LeaseException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * Whether the same call, made again a little later, may succeed without any repair. It does not say whether this
     * call was carried out; the subtype says that.
     *
     * @return false, unless the subtype says otherwise
     */
    public boolean isRetryable() {
        return false;
    }
}
