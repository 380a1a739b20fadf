package dev.leasehold.simulator.run;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.world.Program;
import dev.leasehold.simulator.world.World;
import java.util.List;

/** Writes down what engines are asked and what they answer. */
final class Calls {

    private final World world;
    private int calls;
    private int open;

    Calls(World world) {
        this.world = world;
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
    Answer call(Program program, Operation operation, Answers.TrueTime time, Question question) {
        program.requireAlive();
        int call = calls++;
        open++;
        world.record(new Event.Called(
                world.nowNanos(), call, program.host().number(), program.incarnation(), operation));
        try {
            Answer answer = answer(program, call, time, question);
            world.record(new Event.Answered(world.nowNanos(), call, answer));
            return answer;
        } finally {
            open--;
        }
    }

    private Answer answer(Program program, int call, Answers.TrueTime time, Question question) {
        try {
            return question.ask(call);
        } catch (LeaseOutcomeUnknownException e) {
            e.resolution().whenComplete((answer, failure) -> resolved(program, call, answer == null
                    ? Answers.ofResolution(failure)
                    : Answers.of(answer, time)));
            return Answers.of(e);
        } catch (LeaseException e) {
            return Answers.of(e);
        } catch (RuntimeException e) {
            world.record(new Event.Broken(world.nowNanos(), program.host().number(), e.toString()));
            return Answers.of(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts in this world", e);
        }
    }

    private void resolved(Program program, int call, Answer answer) {
        if (program.isAlive()) {
            world.record(new Event.Resolved(world.nowNanos(), call, answer));
        }
    }

    static Answer nothing(String reason) {
        return new Answer(Answer.Kind.NO, null, reason, List.of());
    }
}
