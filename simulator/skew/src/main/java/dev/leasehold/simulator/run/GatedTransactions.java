package dev.leasehold.simulator.run;

import com.mongodb.MongoException;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Lease;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Components;
import dev.leasehold.simulator.store.CallerSession;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Callers' own transactions that assert a tenure. */
final class GatedTransactions {

    private final SimulationRun run;
    private final Service service;

    GatedTransactions(SimulationRun run, Service service) {
        this.run = run;
        this.service = service;
    }

    void run(Action.Gate gate, @Nullable Tenure tenure) {
        if (tenure != null) {
            Operation operation = EngineCalls.about(Operation.Kind.GATE, tenure, 0);
            service.call(Components.with(operation, "forgetful", gate.forgetful()), call -> ask(gate, tenure, call));
        }
    }

    private Answer ask(Action.Gate gate, Tenure tenure, int call) {
        CallerSession caller = run.database().callerSession(service.process(), call, GrantedTenures.held(tenure));
        try {
            Lease handle = service.handle(tenure);
            if (handle != null && !gate.forgetful()) {
                handle.inTransaction(caller.clientSession(), session -> {
                    work(gate, caller);
                    return Answers.DONE;
                });
            } else {
                withAssertion(gate, caller, service.assertion(tenure));
            }
            return Answers.DONE;
        } catch (LeaseNotHeldException e) {
            return Answers.no("NOT_HELD");
        } catch (MongoException e) {
            boolean unknown = e.hasErrorLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL);
            return new Answer(unknown ? Answer.Kind.UNKNOWN : Answer.Kind.NO, null, "MONGO_" + e.getCode(), List.of());
        } finally {
            caller.close();
        }
    }

    private void withAssertion(Action.Gate gate, CallerSession caller, LeaseAssertion assertion) {
        int[] runs = {0};
        caller.clientSession().withTransaction(() -> {
            runs[0]++;
            caller.read(assertion.tenure().leaseId());
            service.pause(gate.beforeNanos());
            if (runs[0] == 1 || !gate.forgetful()) {
                assertion.check(caller.clientSession());
            }
            work(gate, caller);
            return null;
        });
    }

    private void work(Action.Gate gate, CallerSession caller) {
        caller.write("work-" + service.machine(), run.nextValue());
        if (gate.afterNanos() > 0) {
            service.pause(gate.afterNanos());
        }
    }
}
