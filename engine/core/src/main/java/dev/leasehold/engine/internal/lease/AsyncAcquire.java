package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.Acquisition;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a caller gets who does not wait. Completes on a thread for callbacks; if the caller ends it before, the acquisition is
 * withdrawn, and nothing stays held for it.
 *
 * @param <T> what the caller wants of the acquisition
 */
final class AsyncAcquire<T> {

    private final CompletableFuture<T> future = new CompletableFuture<>();
    private final Function<Acquisition, T> wanted;
    private final Runnable cancel;
    /** Whether it is this that completes the future, and not the caller. */
    private volatile boolean delivering;

    private AsyncAcquire(Function<Acquisition, T> wanted, Runnable withdraw) {
        this.wanted = wanted;
        this.cancel = withdraw;
    }

    /**
     * Promises the result of an acquisition.
     *
     * @param wanted what the caller wants of it; may throw instead
     * @param withdraw gives the acquisition up, or back; harmless when there is nothing to give
     */
    static <T> CompletableFuture<T> of(
            PendingAcquire acquire, Executor callbacks, Function<Acquisition, T> wanted, Runnable withdraw) {
        AsyncAcquire<T> asyncAcquire = new AsyncAcquire<>(wanted, withdraw);
        asyncAcquire.future.whenComplete((value, failure) -> asyncAcquire.cancelUnlessDelivered());
        acquire.result().whenComplete((acquisition, failure) -> asyncAcquire.dispatch(acquisition, failure, callbacks));
        return asyncAcquire.future;
    }

    private void cancelUnlessDelivered() {
        if (!delivering) {
            cancel.run();
        }
    }

    /** Where that is not possible the caller is told here and now, and what was acquired is given back. */
    private void dispatch(@Nullable Acquisition acquisition, @Nullable Throwable failure, Executor callbacks) {
        try {
            callbacks.execute(() -> deliver(acquisition, failure));
        } catch (RuntimeException | Error e) {
            // Nobody else would hear of either: a future keeps what the actions on it throw.
            future.completeExceptionally(e);
        }
    }

    private void deliver(@Nullable Acquisition acquisition, @Nullable Throwable failure) {
        delivering = true;
        boolean delivered = acquisition == null ? future.completeExceptionally(cause(failure)) : complete(acquisition);
        if (!delivered) {
            cancel.run();
        }
    }

    private boolean complete(Acquisition acquisition) {
        T value;
        try {
            value = wanted.apply(acquisition);
        } catch (RuntimeException e) {
            return future.completeExceptionally(e);
        }
        return future.complete(value);
    }

    private static Throwable cause(@Nullable Throwable failure) {
        return failure == null ? new IllegalStateException("neither a result nor a failure") : failure;
    }
}
