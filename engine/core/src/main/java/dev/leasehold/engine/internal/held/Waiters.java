package dev.leasehold.engine.internal.held;

import dev.leasehold.engine.internal.commit.OperationResult;
import dev.leasehold.engine.internal.commit.ReleaseOutcome;
import dev.leasehold.engine.internal.rules.HandOver;
import org.jspecify.annotations.Nullable;

/** The waiters for the leases that are held here, as a release needs them. Event loop only. */
public interface Waiters {

    /**
     * For which waiters a release may begin the next tenure; null if this engine takes no part in the queues.
     *
     * @param readFirst whether the release reads the queue before it is decided
     * @param instance the instance that is preferred; null for none
     * @param withdrawing whether closed tickets are taken out with it, which a corrupt queue may prevent in a transaction
     */
    @Nullable HandOver handOver(String name, boolean readFirst, @Nullable String instance, boolean withdrawing);

    /** A release for these was answered, and applied or not. */
    void onAnswered(HandOver handOver, boolean applied);

    /**
     * A release is over.
     *
     * @param nanos how long it has taken
     */
    void onReleased(String name, ReleaseOutcome outcome, OperationResult result, long nanos);
}
