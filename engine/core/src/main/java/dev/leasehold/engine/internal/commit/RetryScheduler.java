package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.runtime.Backoff;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.runtime.EngineThread;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * When operations whose transaction was not carried out go again, and with how many others. Used by the engine's own
 * thread alone.
 *
 * <p>After a conflict, operations that share a transaction learn what it is about: if it is the clock, they wait together,
 * as long as the {@link ContentionBackoff} asks for; if it is a lease, they are halved at once, until it delays nobody but its own operation.
 */
final class RetryScheduler {

    private final EngineRuntime runtime;
    private final EngineThread thread;
    private final Runnable nextRound;
    private final ContentionBackoff contentionBackoff = new ContentionBackoff();

    RetryScheduler(EngineRuntime runtime, EngineThread thread, Runnable nextRound) {
        this.runtime = runtime;
        this.thread = thread;
        this.nextRound = nextRound;
    }

    /** The first miss is the price of a view that is old; only when it happens again are others at work. */
    void afterMiss(List<PendingOperation> operations) {
        for (PendingOperation operation : operations) {
            operation
                    .retryState()
                    .failed(new LeaseContentionException(
                            operation.request().describe() + ": another engine wrote the lease first", null));
            operation.retryState().requireRead();
        }
        park(
                operations.stream()
                        .filter(operation -> operation.retryState().failures() > 1)
                        .toList(),
                Backoff::windowNanos);
    }

    /** One statement that is refused fails the transaction and does not say which. The others must not suffer for it. */
    void afterRefusal(List<PendingOperation> operations, LeaseException cause) {
        if (operations.size() == 1) {
            operations.get(0).fail(cause);
        } else {
            operations.forEach(operation -> operation.retryState().alone(cause));
        }
    }

    /** It may be about the clock: then smaller transactions would only be more of them. */
    void afterConflict(List<PendingOperation> operations, LeaseException conflict) {
        contentionBackoff.conflicted();
        operations.forEach(operation -> operation.retryState().conflicted(conflict));
        park(operations, contentionBackoff::windowNanos);
    }

    /** Somebody else is writing one of the leases. It is found by halving, at once, so that it delays only itself. */
    void afterLeaseConflict(List<PendingOperation> operations, LeaseException conflict) {
        if (operations.size() == 1) {
            operations.forEach(operation -> operation.retryState().conflicted(conflict));
            park(operations, Backoff::windowNanos);
        } else {
            operations.forEach(operation -> operation.retryState().halved(conflict, operations.size()));
        }
    }

    /** It goes away by itself: an outage, or a commit that turned out not to have happened. */
    void afterOutage(List<PendingOperation> operations, LeaseException trouble) {
        operations.forEach(operation -> operation.retryState().failed(trouble));
        park(operations, Backoff::windowNanos);
    }

    /** A transaction was committed. */
    void committed() {
        contentionBackoff.committed();
    }

    /** All wake up together, so that they can share the next transaction as they shared the last. */
    private void park(List<PendingOperation> operations, IntToLongFunction windowNanos) {
        List<RetryState> tries =
                operations.stream().map(PendingOperation::retryState).toList();
        tries.forEach(RetryState::park);
        tries.stream()
                .mapToInt(RetryState::failures)
                .max()
                .ifPresent(
                        failures -> thread.executeAfter(runtime.randomNanos(windowNanos.applyAsLong(failures)), () -> {
                            tries.forEach(RetryState::unpark);
                            // Behind the others that are due by now, so that all of them share one.
                            thread.execute(nextRound);
                        }));
    }
}
