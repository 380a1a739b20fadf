package dev.leasehold.simulator.run;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Operation.Kind;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Action.Aim;
import dev.leasehold.simulator.plan.Action.Choice;
import dev.leasehold.simulator.plan.Action.Move;
import dev.leasehold.simulator.world.SimulatedMachine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Acts at the very nanosecond at which something becomes legal, just before, or just after. */
final class Aims {

    private static final long NEVER = Long.MAX_VALUE;
    /** Of a claim in the same instant the first look may see nothing yet. */
    private static final int LOOKS_MAX = 3;

    private final Stage stage;
    private final Requests requests;
    private final Gates gates;

    Aims(Stage stage, Requests requests, Gates gates) {
        this.stage = stage;
        this.requests = requests;
        this.gates = gates;
    }

    /** Aims and acts, on a thread of the service's program. */
    void run(Service service, LeaseEngine engine, Aim aim) {
        Tenure newest = stage.tenures().chosen(new Choice(aim.lease(), 0));
        long untilNanos = aim.move() == Move.CHECK || aim.move() == Move.EXTEND
                ? endOfBelief(engine, newest)
                : firstLegal(service, engine, aim.lease());
        if (untilNanos == NEVER || untilNanos + aim.offsetNanos() <= 0) {
            return;
        }
        service.pause(untilNanos + aim.offsetNanos());
        SimulatedMachine simulatedMachine = service.simulatedProcess().simulatedMachine();
        simulatedMachine.beginExpress();
        try {
            act(service, engine, aim, newest);
        } finally {
            simulatedMachine.endExpress();
        }
    }

    /** For how long the engine's own belief lasts, so that at its end it is over. */
    private static long endOfBelief(LeaseEngine engine, @Nullable Tenure tenure) {
        if (tenure == null) {
            return NEVER;
        }
        long leftNanos = engine.tenures().remaining(tenure).toNanos();
        return leftNanos == 0 ? NEVER : leftNanos;
    }

    /** How far away, on the engine's own clock, the first instant is at which others may act. */
    private long firstLegal(Service service, LeaseEngine engine, int lease) {
        try {
            for (int look = 1; look <= LOOKS_MAX; look++) {
                List<LeaseState> states = engine.refresh(List.of(Tenures.lease(lease)));
                if (states.get(0) instanceof LeaseState.Held held && held.latestExpiry() != null) {
                    return service.runtime().untilLocalNanos(Answers.nanos(held.latestExpiry()) + 1);
                }
            }
            return NEVER;
        } catch (LeaseException e) {
            service.requireSetback(e);
            return NEVER;
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts in this world", e);
        }
    }

    private void act(Service service, LeaseEngine engine, Aim aim, @Nullable Tenure newest) {
        switch (aim.move()) {
            case EXPIRE -> requests.expire(service, engine, aim.lease());
            case TAKE_OVER -> requests.takeOver(service, engine, aim.lease(), aim.holder(), aim.durationNanos());
            case ACQUIRE ->
                requests.acquire(service, engine, new Action.Acquire(aim.lease(), null, null, 0, aim.durationNanos()));
            case EXTEND -> requests.extend(service, engine, newest, aim.durationNanos());
            case CHECK -> check(service, engine, newest);
            case GATE -> gates.run(service, engine, new Action.Gate(new Choice(aim.lease(), 0), 0, 0, false), newest);
        }
        stage.simulation()
                .record(new Event.Reached(
                        stage.simulation().nowNanos(),
                        service.simulatedProcess().simulatedMachine().number(),
                        "AIMED_" + aim.move() + offset(aim.offsetNanos())));
    }

    private static String offset(long nanos) {
        if (nanos < -1 || nanos > 1) {
            return "_NEAR";
        }
        return nanos == 0 ? "_AT" : nanos < 0 ? "_BEFORE" : "_AFTER";
    }

    private static void check(Service service, LeaseEngine engine, @Nullable Tenure tenure) {
        if (tenure != null) {
            service.call(
                    Requests.about(Kind.CHECK, tenure, 0),
                    call -> engine.tenures().isHeld(tenure)
                            ? Answers.DONE
                            : new Answer(Answer.Kind.NO, null, "NOT_HELD", List.of()));
        }
    }
}
