package dev.leasehold.engine.internal.lease;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.commit.OperationResult;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.metrics.EngineEvent.OperationEnded;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.metrics.OperationOutcome;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.runtime.Backoff;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The collaborators that all classes of this package share.
 *
 * @param settings of the engine
 * @param operations the engine below
 * @param runtime time, waiting and randomness
 * @param loop runs all tasks that own state
 * @param metrics gets what is measured
 * @param callbacks runs code of callers
 * @param assertions makes the assertion of a tenure
 */
record LeaseContext(
        HandleSettings settings,
        LeaseOperations operations,
        EngineRuntime runtime,
        EventLoop loop,
        EngineMetrics metrics,
        Executor callbacks,
        Function<Tenure, LeaseAssertion> assertions) {

    long nowNanos() {
        return operations.clock().nowNanos();
    }

    /** The instant so long from now, saturating. */
    long inNanos(long nanos) {
        return sum(nowNanos(), nanos);
    }

    /** The sum of an instant and a length, saturating. */
    static long sum(long atNanos, long nanos) {
        long sum = atNanos + nanos;
        return sum < atNanos ? Long.MAX_VALUE : sum;
    }

    /** The deadline of an operation that begins now. */
    long budgetEndNanos() {
        return inNanos(settings.operationBudgetNanos());
    }

    PendingOperation operation(Request request, long deadlineNanos) {
        return new PendingOperation(settings.namespace(), request, deadlineNanos);
    }

    /** Posts a task that will submit an operation on a lease: it runs on the thread that sends the operation if that is idle. */
    void postFor(String lease, Runnable task) {
        loop.post(task, drain -> operations.executeIfIdle(lease, drain));
    }

    /**
     * Submits an operation. The answer is handled by a task of the loop, never within this call. The thread that received the answer runs
     * that task, unless it has answers for several operations: then it would be late to send the next ones.
     */
    void submit(PendingOperation operation, BiConsumer<@Nullable OperationResult, @Nullable Throwable> answered) {
        operation.answer().whenComplete((result, failure) -> {
            Runnable task = () -> answered.accept(result, failure);
            if (operation.sharesRound()) {
                loop.post(task);
            } else {
                loop.runHere(task);
            }
        });
        operations.submit(operation);
    }

    /** The same for an operation that no caller asked for, measured as if one had. */
    void submitMeasured(
            PendingOperation operation, BiConsumer<@Nullable OperationResult, @Nullable Throwable> answered) {
        long beganNanos = nowNanos();
        submit(operation, (result, failure) -> {
            measure(operation, outcome(result, failure), beganNanos);
            answered.accept(result, failure);
        });
    }

    /** Measures an operation that began at that instant. */
    void measure(PendingOperation operation, OperationOutcome operationOutcome, long beganNanos) {
        Request request = operation.request();
        metrics.record(new OperationEnded(
                request.kind(), request.name(), operationOutcome, operation.priorStatus(), nowNanos() - beganNanos));
    }

    private static OperationOutcome outcome(@Nullable OperationResult result, @Nullable Throwable failure) {
        if (result == null) {
            return failure instanceof LeaseException known ? OperationOutcome.of(known) : OperationOutcome.FAILED;
        }
        return result.refusal() == null ? OperationOutcome.GRANTED : OperationOutcome.REFUSED;
    }

    /** A random pause after so many failures in a row. */
    long backoffNanos(int failures) {
        return runtime.randomNanos(Backoff.longWindowNanos(failures));
    }
}
