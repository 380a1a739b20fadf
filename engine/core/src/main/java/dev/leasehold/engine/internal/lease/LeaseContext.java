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
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What all parts of the handles work with.
 *
 * @param settings of the engine
 * @param operations what the engine below does
 * @param runtime waits and chance
 * @param loop of the thread that owns all state
 * @param metrics where it is reported
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

    /** So long from now, or the end of time. */
    long inNanos(long nanos) {
        return sum(nowNanos(), nanos);
    }

    /** The sum of an instant and a length, or the end of time. */
    static long sum(long atNanos, long nanos) {
        long sum = atNanos + nanos;
        return sum < atNanos ? Long.MAX_VALUE : sum;
    }

    /** When an operation that begins now is over at the latest. */
    long budgetEndNanos() {
        return inNanos(settings.operationBudgetNanos());
    }

    PendingOperation operation(Request request, long deadlineNanos) {
        return new PendingOperation(settings.namespace(), request, deadlineNanos);
    }

    /** Runs a task of the loop that is about to ask something of a lease, on the thread that will send it if that is idle. */
    void postFor(String lease, Runnable task) {
        loop.post(task, drain -> operations.executeIfIdle(lease, drain));
    }

    /**
     * Takes an operation on. What becomes of it is a task of the loop, never run within this call. The thread that has the answer runs
     * that task, unless it has those of many others to give: it would be late for what is to be sent next.
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

    /** The same for what is asked for by no caller, and is measured as if it were. */
    void submitMeasured(
            PendingOperation operation, BiConsumer<@Nullable OperationResult, @Nullable Throwable> answered) {
        long begunNanos = nowNanos();
        submit(operation, (result, failure) -> {
            measure(operation, outcome(result, failure), begunNanos);
            answered.accept(result, failure);
        });
    }

    /** What an operation has come to for whoever asked for it then. */
    void measure(PendingOperation operation, OperationOutcome operationOutcome, long begunNanos) {
        Request request = operation.request();
        metrics.record(new OperationEnded(
                request.kind(), request.name(), operationOutcome, operation.priorStatus(), nowNanos() - begunNanos));
    }

    private static OperationOutcome outcome(@Nullable OperationResult result, @Nullable Throwable failure) {
        if (result == null) {
            return failure instanceof LeaseException known ? OperationOutcome.of(known) : OperationOutcome.FAILED;
        }
        return result.refusal() == null ? OperationOutcome.GRANTED : OperationOutcome.REFUSED;
    }

    /** How long to pause after so many failures in a row. */
    long backoffNanos(int failures) {
        return runtime.randomNanos(LongBackoff.windowNanos(failures));
    }
}
