package dev.leasehold.simulator.run;

import com.mongodb.MongoException;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.RunOnceResult;
import dev.leasehold.engine.internal.mongo.OnceTransaction;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Components;
import dev.leasehold.simulator.store.CallerSession;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Callers' own transactions that assert a tenure, or do an occurrence of the work of a lease. */
final class GatedTransactions {

    private final SimulationRun run;
    private final Service service;

    GatedTransactions(SimulationRun run, Service service) {
        this.run = run;
        this.service = service;
    }

    void run(Action.Gate gate, @Nullable Tenure tenure) {
        if (tenure != null) {
            run(gate, tenure, gate.forgetful() ? null : service.handle(tenure));
        }
    }

    /** The transaction of a job that was acquired by that handle. */
    void once(Lease handle, Action.RunOnce job) {
        var gate = new Action.Gate(new Action.Choice(job.lease(), 0), 0, job.afterNanos(), false, job.occurrence());
        run(gate, handle.tenure(), handle);
    }

    private void run(Action.Gate gate, Tenure tenure, @Nullable Lease handle) {
        Integer number = gate.occurrence();
        String occurrence = number == null ? null : GrantedTenures.occurrence(number);
        Operation operation =
                Components.with(EngineCalls.about(Operation.Kind.GATE, tenure, 0), "forgetful", gate.forgetful());
        service.call(Components.with(operation, "occurrence", occurrence), call -> {
            CallerSession caller = run.database().callerSession(service.process(), call, GrantedTenures.held(tenure));
            try {
                return occurrence == null
                        ? asserted(gate, caller, tenure, handle)
                        : recorded(gate, occurrence, caller, tenure, handle);
            } catch (LeaseNotHeldException e) {
                return Answers.no("NOT_HELD");
            } catch (MongoException e) {
                boolean unknown = e.hasErrorLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL);
                return new Answer(
                        unknown ? Answer.Kind.UNKNOWN : Answer.Kind.NO, null, "MONGO_" + e.getCode(), List.of());
            } finally {
                caller.close();
            }
        });
    }

    private Answer asserted(Action.Gate gate, CallerSession caller, Tenure tenure, @Nullable Lease handle) {
        if (handle != null) {
            return handle.inTransaction(caller.clientSession(), session -> work(gate, caller));
        }
        LeaseAssertion assertion = service.assertion(tenure);
        int[] runs = {0};
        return caller.clientSession().withTransaction(() -> {
            runs[0]++;
            read(gate, caller, assertion);
            if (runs[0] == 1 || !gate.forgetful()) {
                assertion.check(caller.clientSession());
            }
            return work(gate, caller);
        });
    }

    /** By a handle as {@code runOnce} does it; else by the assertion alone, with a snapshot from before the record. */
    private Answer recorded(
            Action.Gate gate, String occurrence, CallerSession caller, Tenure tenure, @Nullable Lease handle) {
        if (handle != null) {
            RunOnceResult<Answer> result = new OnceTransaction(caller::clientSession)
                    .run(handle, occurrence, (lease, session) -> work(gate, caller));
            return result instanceof RunOnceResult.Ran<Answer> ran ? ran.value() : Answers.no(Answer.DONE_BEFORE);
        }
        LeaseAssertion assertion = service.assertion(tenure);
        return caller.clientSession().withTransaction(() -> {
            read(gate, caller, assertion);
            return assertion.once(caller.clientSession(), occurrence).isFirst()
                    ? work(gate, caller)
                    : Answers.no(Answer.DONE_BEFORE);
        });
    }

    private void read(Action.Gate gate, CallerSession caller, LeaseAssertion assertion) {
        caller.read(assertion.tenure().leaseId());
        service.pause(gate.beforeNanos());
    }

    private Answer work(Action.Gate gate, CallerSession caller) {
        caller.write("work-" + service.machine(), run.nextValue());
        if (gate.afterNanos() > 0) {
            service.pause(gate.afterNanos());
        }
        return Answers.DONE;
    }
}
