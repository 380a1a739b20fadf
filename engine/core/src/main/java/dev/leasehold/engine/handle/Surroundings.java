package dev.leasehold.engine.handle;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.commit.PendingOperation;
import dev.leasehold.engine.commit.Reply;
import dev.leasehold.engine.meters.EngineMeters;
import dev.leasehold.engine.meters.Outcome;
import dev.leasehold.engine.protocol.Request;
import dev.leasehold.engine.runtime.EngineRuntime;
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
 * @param agenda of the thread that owns all state
 * @param meters where it is reported
 * @param callbacks runs code of callers
 * @param assertions makes the assertion of a tenure
 */
record Surroundings(
        HandleSettings settings,
        Operations operations,
        EngineRuntime runtime,
        Agenda agenda,
        EngineMeters meters,
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

    /** Takes an operation on; what becomes of it is told on the agenda's thread, never within this call. */
    void submit(PendingOperation operation, BiConsumer<@Nullable Reply, @Nullable Throwable> answered) {
        operation.answer().whenComplete((reply, failure) -> agenda.post(() -> answered.accept(reply, failure)));
        operations.submit(operation);
    }

    /** The same for what is asked for by no caller, and is measured as if it were. */
    void submitMeasured(PendingOperation operation, BiConsumer<@Nullable Reply, @Nullable Throwable> answered) {
        long begunNanos = nowNanos();
        submit(operation, (reply, failure) -> {
            measure(operation, outcome(reply, failure), begunNanos);
            answered.accept(reply, failure);
        });
    }

    /** What an operation has come to for whoever asked for it then. */
    void measure(PendingOperation operation, Outcome outcome, long begunNanos) {
        Request request = operation.request();
        meters.operation(request.kind(), request.name(), outcome, operation.priorStatus(), nowNanos() - begunNanos);
    }

    private static Outcome outcome(@Nullable Reply reply, @Nullable Throwable failure) {
        if (reply == null) {
            return failure instanceof LeaseException known ? Outcome.of(known) : Outcome.FAILED;
        }
        return reply.refusal() == null ? Outcome.GRANTED : Outcome.REFUSED;
    }

    /** How long to pause after so many failures in a row. */
    long pauseNanos(int failures) {
        return runtime.randomNanos(Pauses.windowNanos(failures));
    }
}
