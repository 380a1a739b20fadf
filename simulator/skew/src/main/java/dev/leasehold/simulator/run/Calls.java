package dev.leasehold.simulator.run;

import dev.leasehold.engine.Granted;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.world.SimulatedProcess;
import dev.leasehold.simulator.world.Simulation;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes down what engines are asked and what they answer. */
final class Calls {

    private final Simulation simulation;
    private int calls;
    private int open;

    Calls(Simulation simulation) {
        this.simulation = simulation;
    }

    /** What a service asks of an engine. */
    interface Question {
        Answer ask(int call) throws InterruptedException;
    }

    /** How many have not returned, apart from those whose machine crashed. */
    int open() {
        return open;
    }

    /** Asks, on a thread of the program. */
    Answer call(Service service, Operation operation, Question question) {
        SimulatedProcess simulatedProcess = service.simulatedProcess();
        simulatedProcess.requireAlive();
        int call = calls++;
        open++;
        simulation.record(new Event.Called(
                simulation.nowNanos(),
                call,
                simulatedProcess.simulatedMachine().number(),
                simulatedProcess.incarnation(),
                operation));
        try {
            Answer answer = answer(service, operation, call, question);
            simulation.record(new Event.Answered(simulation.nowNanos(), call, answer));
            return answer;
        } finally {
            open--;
        }
    }

    private Answer answer(Service service, Operation operation, int call, Question question) {
        try {
            return question.ask(call);
        } catch (LeaseOutcomeUnknownException e) {
            e.resolution().whenComplete((answer, failure) -> resolved(service, operation, call, answer, failure));
            return Answers.of(e);
        } catch (LeaseException e) {
            return Answers.of(e);
        } catch (RuntimeException e) {
            simulation.record(new Event.Broken(
                    simulation.nowNanos(),
                    service.simulatedProcess().simulatedMachine().number(),
                    e.toString()));
            return Answers.of(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts in this world", e);
        }
    }

    private void resolved(
            Service service, Operation operation, int call, @Nullable LeaseResult answer, @Nullable Throwable failure) {
        if (service.simulatedProcess().isAlive()) {
            Answer told = answer == null
                    ? Answers.ofResolution(Objects.requireNonNull(failure))
                    : Answers.of(answer, service::trueTimeOf);
            simulation.record(new Event.Resolved(simulation.nowNanos(), call, told));
            // That it began is no reason to believe in it any more: it is looked whether the engine does, and others go
            // on with it, unless
            // it is the engine's to give up.
            if (answer instanceof Granted granted && operation.kind() == Operation.Kind.ACQUIRE) {
                service.watch(granted.tenure(), null);
            } else if (answer instanceof Granted granted && mayBegin(operation)) {
                service.granted(granted.tenure());
            }
        }
    }

    private static boolean mayBegin(Operation operation) {
        return switch (operation.kind()) {
            case CLAIM, TAKE_OVER, EXTEND -> true;
            default -> false;
        };
    }

    static Answer nothing(String reason) {
        return new Answer(Answer.Kind.NO, null, reason, List.of());
    }
}
