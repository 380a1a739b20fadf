package dev.leasehold.spring;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * What the caller of a method gets that returns a stage: it is completed as that one, when the lease has been released. Cancelling it
 * cancels that one, if that can be cancelled; the lease is released when that has ended.
 */
final class GuardedStage extends CompletableFuture<@Nullable Object> {

    private final CompletionStage<?> work;

    private GuardedStage(CompletionStage<?> work) {
        this.work = work;
    }

    /**
     * Runs a method up to the end of its stage. What keeps it from running becomes the failure of the stage; what the method itself throws
     * is thrown.
     *
     * @return null if the method did; completed with null if the call is skipped
     */
    static <A> @Nullable CompletionStage<?> of(GuardedCall<A> call) throws Throwable {
        GuardedCall.Hold hold;
        try {
            hold = call.take(call.ask());
        } catch (RuntimeException e) {
            return failed(call, e);
        }
        if (hold == null) {
            call.ended(null);
            return CompletableFuture.completedFuture(null);
        }
        CompletionStage<?> work;
        try {
            work = (CompletionStage<?>) call.proceed(hold);
        } catch (Throwable e) {
            hold.end();
            call.ended(e);
            throw e;
        }
        if (work == null) {
            hold.end();
            call.ended(null);
            return null;
        }
        return new GuardedStage(work).until(hold, call);
    }

    private static CompletionStage<?> failed(GuardedCall<?> call, Exception failure) {
        call.ended(failure);
        return CompletableFuture.failedFuture(failure);
    }

    private GuardedStage until(GuardedCall.Hold hold, GuardedCall<?> call) {
        hold.running().goOn(this::cancelWork);
        work.whenComplete((value, failure) -> {
            try {
                call.ended(failure);
            } finally {
                hold.endAsync().whenComplete((isFree, never) -> tell(value, failure));
            }
        });
        return this;
    }

    private void tell(@Nullable Object value, @Nullable Throwable failure) {
        if (failure == null) {
            complete(value);
        } else {
            completeExceptionally(failure);
        }
    }

    private void cancelWork() {
        if (work instanceof Future<?> future) {
            try {
                future.cancel(true);
            } catch (UnsupportedOperationException e) {
                // As of a minimal stage: it ends by itself, as one that is no future does.
            }
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean isCancelled = super.cancel(mayInterruptIfRunning);
        cancelWork();
        return isCancelled;
    }
}
