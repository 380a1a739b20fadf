package dev.leasehold.engine.internal.eventloop;

import dev.leasehold.engine.internal.commit.OperationResult;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.eventloop.EventLoop.Timer;
import dev.leasehold.engine.internal.rules.Request;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An operation that the event loop submits, and the only way in which it does. The answer is a task of the loop too, never run within
 * {@link #send}. It comes by the deadline, even if the database does not answer: then the operation times out, which is an answer too.
 * Event loop only.
 *
 * <p>Sent; then over, once, by the answer, by {@link #cancel} or by {@link #leave}.
 */
public final class Submission {

    /** An answer that is being delivered at the deadline arrives long before, unless its delivery failed. */
    private static final long ANSWER_POLL_NANOS = 1_000_000_000;

    private final LeaseContext context;
    private final PendingOperation operation;
    private final BiConsumer<@Nullable OperationResult, @Nullable Throwable> answered;
    private Timer deadline;
    private boolean over;

    /** Not sent yet. */
    public Submission(
            LeaseContext context,
            Request request,
            long deadlineNanos,
            BiConsumer<@Nullable OperationResult, @Nullable Throwable> answered) {
        this.context = context;
        this.operation = new PendingOperation(context.settings().namespace(), request, deadlineNanos);
        this.answered = answered;
        this.deadline = context.loop().at(deadlineNanos, this::onDeadline);
    }

    /**
     * Submits the operation. The thread that receives the answer runs the task for it, unless it has answers for several operations: then
     * it would be late to send the next ones.
     */
    public void send() {
        operation
                .answer()
                .whenComplete((result, failure) -> context.runInFuture(() -> {
                    Runnable task = () -> answered(result, failure);
                    if (operation.sharesRound()) {
                        context.loop().post(task);
                    } else {
                        context.loop().runHere(task);
                    }
                }));
        context.operations().submit(operation);
    }

    public PendingOperation operation() {
        return operation;
    }

    /** Cancels it if it cannot have taken effect: it is not answered. */
    public boolean cancel() {
        if (operation.cancel() || operation.isCancelled()) {
            end();
            return true;
        }
        return false;
    }

    /** Cancels it, or lets its commit go on with an outcome that is of no interest: it is not answered. */
    public void leave() {
        end();
        if (!operation.cancel()) {
            operation.detach();
        }
    }

    private void onDeadline() {
        operation.timeOut();
        deadline = context.after(ANSWER_POLL_NANOS, this::pollAnswer);
    }

    private void pollAnswer() {
        if (operation.answer().isDone()) {
            operation.answer().whenComplete(this::answered);
        } else {
            onDeadline();
        }
    }

    private void answered(@Nullable OperationResult result, @Nullable Throwable failure) {
        if (!over) {
            end();
            answered.accept(result, failure);
        }
    }

    private void end() {
        over = true;
        context.loop().cancel(deadline);
    }
}
