package dev.leasehold.simulator.run;

import dev.leasehold.engine.Granted;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Operation;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records what engines are asked and what they answer. */
final class CallRecorder {

    private final SimulationRun run;
    private int calls;
    private int open;

    CallRecorder(SimulationRun run) {
        this.run = run;
    }

    /** A call of an engine, with its number in the history. */
    interface EngineCall {
        Answer ask(int call) throws InterruptedException;
    }

    /** How many have not returned, apart from those whose machine crashed. */
    int open() {
        return open;
    }

    /** Calls, on a thread of the service's process. */
    Answer call(Service service, Operation operation, EngineCall engineCall) {
        int call = begin(service, operation);
        open++;
        try {
            Answer answer = answer(service, operation, call, engineCall);
            end(call, answer);
            return answer;
        } finally {
            open--;
        }
    }

    /** Begins a call that does not block its caller; its number. */
    int begin(Service service, Operation operation) {
        service.process().requireAlive();
        int call = calls++;
        run.record(nowNanos -> new Event.Called(
                nowNanos, call, service.machine(), service.process().incarnation(), operation));
        return call;
    }

    void end(int call, Answer answer) {
        run.record(nowNanos -> new Event.Answered(nowNanos, call, answer));
    }

    private Answer answer(Service service, Operation operation, int call, EngineCall engineCall) {
        try {
            return engineCall.ask(call);
        } catch (LeaseOutcomeUnknownException e) {
            e.resolution().whenComplete((answer, failure) -> resolved(service, operation, call, answer, failure));
            return Answers.of(e);
        } catch (LeaseException e) {
            return Answers.of(e);
        } catch (RuntimeException e) {
            run.record(nowNanos -> new Event.Broken(nowNanos, service.machine(), e.toString()));
            return Answers.of(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("no thread of a simulation is interrupted", e);
        }
    }

    private void resolved(
            Service service, Operation operation, int call, @Nullable LeaseResult answer, @Nullable Throwable failure) {
        if (!service.process().isAlive()) {
            return;
        }
        Answer resolution = answer == null
                ? Answers.ofResolution(Objects.requireNonNull(failure))
                : Answers.of(answer, service::trueTimeOf);
        run.record(nowNanos -> new Event.Resolved(nowNanos, call, resolution));
        if (answer instanceof Granted granted) {
            switch (operation.kind()) {
                // The engine releases it by itself, so nothing else in the history goes on with it.
                case ACQUIRE -> service.watch(granted.tenure(), null);
                case CLAIM, TAKE_OVER, EXTEND -> service.granted(granted.tenure());
                default -> {}
            }
        }
    }
}
