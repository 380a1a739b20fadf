package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.Acquisition;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The future of an asynchronous acquire. It completes on a callback thread. If the caller completes or cancels it before, the acquire is
 * cancelled, and no lease stays held for it.
 *
 * @param <T> the value of the future
 */
final class AsyncAcquire<T> {

    private final CompletableFuture<T> future = new CompletableFuture<>();
    private final Function<Acquisition, T> mapper;
    private final Runnable cancel;
    /** Whether this class completes the future, not the caller. */
    private volatile boolean delivering;

    private AsyncAcquire(Function<Acquisition, T> mapper, Runnable cancel) {
        this.mapper = mapper;
        this.cancel = cancel;
    }

    /**
     * Makes the future of an acquire.
     *
     * @param mapper maps the result to the value; may throw
     * @param cancel cancels the acquire, or releases its lease; no effect if there is neither
     */
    static <T> CompletableFuture<T> of(
            PendingAcquire acquire, Executor callbacks, Function<Acquisition, T> mapper, Runnable cancel) {
        AsyncAcquire<T> asyncAcquire = new AsyncAcquire<>(mapper, cancel);
        asyncAcquire.future.whenComplete((value, failure) -> asyncAcquire.cancelUnlessDelivered());
        acquire.result().whenComplete((acquisition, failure) -> asyncAcquire.dispatch(acquisition, failure, callbacks));
        return asyncAcquire.future;
    }

    private void cancelUnlessDelivered() {
        if (!delivering) {
            cancel.run();
        }
    }

    /** If no callback thread accepts the task, the future fails on this thread, and the lease is released. */
    private void dispatch(@Nullable Acquisition acquisition, @Nullable Throwable failure, Executor callbacks) {
        try {
            callbacks.execute(() -> deliver(acquisition, failure));
        } catch (RuntimeException | Error e) {
            // Thrown on, it would be lost: it would end up in the future that whenComplete returned.
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
            value = mapper.apply(acquisition);
        } catch (RuntimeException e) {
            return future.completeExceptionally(e);
        }
        return future.complete(value);
    }

    private static Throwable cause(@Nullable Throwable failure) {
        return failure == null ? new IllegalStateException("neither a result nor a failure") : failure;
    }
}
