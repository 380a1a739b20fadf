package dev.leasehold.examples.environments;

import com.mongodb.client.ClientSession;
import dev.leasehold.engine.LeaseStatus;

/** The lease of an environment, held. Safe for use by many threads. */
public interface EnvironmentLease extends AutoCloseable {

    /** {@return which environment} */
    String environment();

    /** {@return what it was acquired for} */
    Action action();

    /** {@return how the lease stood before: free, or expired when its holder had not closed it in time} */
    LeaseStatus priorStatus();

    /** {@return whether this instance may still act on it, as far as it knows. Never blocks} */
    boolean isHeld();

    /**
     * Lets the session's transaction commit only if the lease is still held.
     *
     * @param session in a transaction
     * @throws dev.leasehold.assertions.LeaseNotHeldException if it is not; the transaction does not commit
     */
    void requireHeldIn(ClientSession session);

    /** Gives the lease up. Harmless a second time, and when the lease was lost: what others hold by now, they keep. Throws nothing. */
    @Override
    void close();
}
