package dev.leasehold.engine.internal.operations;

import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.internal.commit.OperationResult;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.rules.Request;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/** Submits callers' operations and reads, each with the operation budget. Throws once the engine is closed. */
public final class OperationCalls {

    private final PartitionRouter router;
    private final long budgetNanos;
    private final CallerWait wait;
    private volatile boolean closed;

    public OperationCalls(PartitionRouter router, long budgetNanos, CallerWait wait) {
        this.router = router;
        this.budgetNanos = budgetNanos;
        this.wait = wait;
    }

    /** Submits an operation on a tenure and waits for the answer. */
    LeaseResult call(Request request) throws InterruptedException {
        return result(request).toAnswer();
    }

    /** Submits an operation and waits for the answer. */
    OperationResult result(Request request) throws InterruptedException {
        return wait.reply(submit(request));
    }

    /** Submits an operation without waiting. */
    PendingOperation submit(Request request) {
        checkOpen();
        PendingOperation operation = new PendingOperation(router.namespace(), request, deadlineNanos());
        try {
            router.of(request.name()).commitLoop().submit(operation);
        } catch (RuntimeException | Error e) {
            // The engine may have accepted it all the same, and would carry it out without a caller.
            operation.cancel();
            throw e;
        }
        return operation;
    }

    OperationResult await(PendingOperation operation) throws InterruptedException {
        return wait.reply(operation);
    }

    /**
     * Starts a read and waits for it.
     *
     * @param read starts it, with its deadline
     * @param what its name, for the message
     */
    <T> T read(LongFunction<CompletableFuture<T>> read, String what) throws InterruptedException {
        checkOpen();
        long untilNanos = deadlineNanos();
        return wait.read(read.apply(untilNanos), untilNanos, what);
    }

    public void checkOpen() {
        if (closed) {
            throw new LeaseEngineClosedException(
                    "the engine of namespace '" + router.namespace() + "' is closed", null);
        }
    }

    public void close() {
        closed = true;
    }

    private long deadlineNanos() {
        return Math.addExact(router.clock().nowNanos(), budgetNanos);
    }
}
