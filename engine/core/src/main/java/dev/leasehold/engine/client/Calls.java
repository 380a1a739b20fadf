package dev.leasehold.engine.client;

import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.commit.PendingOperation;
import dev.leasehold.engine.commit.Reply;
import dev.leasehold.engine.protocol.Request;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/** What callers ask of an engine, each call within the operation budget, and refused once the engine is closed. */
final class Calls {

    private final Partitions partitions;
    private final long budgetNanos;
    private final CallerWait wait;
    private volatile boolean closed;

    Calls(Partitions partitions, long budgetNanos, CallerWait wait) {
        this.partitions = partitions;
        this.budgetNanos = budgetNanos;
        this.wait = wait;
    }

    /** Asks for an operation that is about a tenure, and waits for the answer. */
    LeaseResult answer(Request request) throws InterruptedException {
        return reply(request).toAnswer();
    }

    /** Asks for an operation, and waits for the answer. */
    Reply reply(Request request) throws InterruptedException {
        return wait.reply(submit(request));
    }

    /** Asks for an operation without waiting. */
    PendingOperation submit(Request request) {
        checkOpen();
        PendingOperation operation = new PendingOperation(partitions.namespace(), request, deadlineNanos());
        try {
            partitions.of(request.name()).groupCommit().submit(operation);
        } catch (RuntimeException | Error e) {
            // It may have been taken on all the same, and would be carried out for nobody.
            operation.abandon();
            throw e;
        }
        return operation;
    }

    Reply await(PendingOperation operation) throws InterruptedException {
        return wait.reply(operation);
    }

    /**
     * Asks for something that has no effect, and waits for it.
     *
     * @param read given the instant at which it is to end
     * @param what it is, for the message
     */
    <T> T read(LongFunction<CompletableFuture<T>> read, String what) throws InterruptedException {
        checkOpen();
        long untilNanos = deadlineNanos();
        return wait.read(read.apply(untilNanos), untilNanos, what);
    }

    void checkOpen() {
        if (closed) {
            throw new LeaseEngineClosedException(
                    "the engine of namespace '" + partitions.namespace() + "' is closed", null);
        }
    }

    void close() {
        closed = true;
    }

    private long deadlineNanos() {
        return Math.addExact(partitions.clock().nowNanos(), budgetNanos);
    }
}
