package dev.leasehold.engine.internal.operations;

import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.commit.OperationResult;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Blocks a caller's thread for an answer of the engine, up to a deadline, and handles its interrupts. */
public final class CallerWait {

    private final String namespace;
    private final EngineRuntime runtime;
    private final StampClock clock;
    private final OperationTimer meter;

    public CallerWait(String namespace, EngineRuntime runtime, StampClock clock, OperationTimer meter) {
        this.namespace = namespace;
        this.runtime = runtime;
        this.clock = clock;
        this.meter = meter;
    }

    /**
     * Waits for an operation. An interrupt ends the wait at once if the operation can still be cancelled; otherwise the wait goes on to the
     * outcome, and the thread keeps its interrupt flag.
     */
    OperationResult reply(PendingOperation operation) throws InterruptedException {
        return meter.around(operation, this::replyTo);
    }

    private OperationResult replyTo(PendingOperation operation) throws InterruptedException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (!await(operation.answer(), operation.deadlineNanos())) {
                        cancelOrDetach(operation);
                    }
                    return result(operation.answer());
                } catch (InterruptedException e) {
                    if (operation.cancel()) {
                        throw e;
                    }
                    interrupted = true;
                } catch (Error e) {
                    // The caller would never get what it is granted.
                    operation.cancel();
                    throw e;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The deadline has passed. Throws, unless the answer has arrived meanwhile. */
    private void cancelOrDetach(PendingOperation operation) {
        if (operation.cancel()) {
            throw operation.outOfTime();
        }
        if (operation.detach()) {
            throw operation.unknownLogged(null);
        }
    }

    /** Waits for a read, which needs no cancellation. */
    <T> T read(CompletableFuture<T> future, long deadlineNanos, String what) throws InterruptedException {
        if (!await(future, deadlineNanos)) {
            throw new LeaseUnavailableException(
                    what + " in namespace '" + namespace + "' did not end within its time budget", null);
        }
        return result(future);
    }

    private boolean await(CompletableFuture<?> future, long deadlineNanos) throws InterruptedException {
        return runtime.await(future, Math.max(0, deadlineNanos - clock.nowNanos()));
    }

    private static <T> T result(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
