package dev.leasehold.simulator.run;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Action.Aim;
import dev.leasehold.simulator.plan.Action.Choice;
import dev.leasehold.simulator.plan.Action.Move;
import dev.leasehold.simulator.world.SimulatedMachine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Acts at the very nanosecond at which something becomes legal, just before, or just after. */
final class BoundaryProbe {

    private static final long NEVER = Long.MAX_VALUE;
    /** The first read may miss a claim of the same instant. */
    private static final int READS_MAX = 3;

    private final SimulationRun run;
    private final Service service;
    private final EngineCalls calls;
    private final GatedTransactions gates;

    BoundaryProbe(SimulationRun run, Service service, EngineCalls calls, GatedTransactions gates) {
        this.run = run;
        this.service = service;
        this.calls = calls;
        this.gates = gates;
    }

    void aim(Aim aim) {
        Tenure newest = run.tenures().chosen(new Choice(aim.lease(), 0));
        long untilNanos =
                aim.move() == Move.CHECK || aim.move() == Move.EXTEND ? endOfValidity(newest) : firstLegal(aim.lease());
        if (untilNanos == NEVER || untilNanos + aim.offsetNanos() <= 0) {
            return;
        }
        service.pause(untilNanos + aim.offsetNanos());
        SimulatedMachine machine = service.process().simulatedMachine();
        machine.beginFaultFree();
        try {
            act(aim, newest);
        } finally {
            machine.endFaultFree();
        }
    }

    /** For how long the engine itself holds the tenure. */
    private long endOfValidity(@Nullable Tenure tenure) {
        long leftNanos =
                tenure == null ? 0 : service.tenures().remaining(tenure).toNanos();
        return leftNanos == 0 ? NEVER : leftNanos;
    }

    /** How far away, on the engine's own clock, the first instant is at which others may act. */
    private long firstLegal(int lease) {
        try {
            for (int read = 1; read <= READS_MAX; read++) {
                List<LeaseState> states = service.engine().refresh(List.of(GrantedTenures.lease(lease)));
                if (states.get(0) instanceof LeaseState.Held held && held.latestExpiry() != null) {
                    return service.runtime().untilLocalNanos(Answers.nanos(held.latestExpiry()) + 1);
                }
            }
            return NEVER;
        } catch (LeaseException e) {
            service.requireExpected(e);
            return NEVER;
        } catch (InterruptedException e) {
            throw new IllegalStateException("no thread of a simulation is interrupted", e);
        }
    }

    private void act(Aim aim, @Nullable Tenure newest) {
        switch (aim.move()) {
            case EXPIRE -> calls.expire(aim.lease());
            case TAKE_OVER -> calls.grant(Operation.Kind.TAKE_OVER, aim.lease(), aim.holder(), aim.durationNanos());
            case ACQUIRE -> calls.acquire(new Action.Acquire(aim.lease(), null, null, 0, aim.durationNanos()));
            case EXTEND -> calls.extend(newest, aim.durationNanos());
            case CHECK -> check(newest);
            case GATE -> gates.run(new Action.Gate(new Choice(aim.lease(), 0), 0, 0, false), newest);
        }
        String mark = "AIMED_" + aim.move() + offset(aim.offsetNanos());
        run.record(nowNanos -> new Event.Reached(nowNanos, service.machine(), mark));
    }

    private static String offset(long nanos) {
        if (nanos < -1 || nanos > 1) {
            return "_NEAR";
        }
        return nanos == 0 ? "_AT" : nanos < 0 ? "_BEFORE" : "_AFTER";
    }

    private void check(@Nullable Tenure tenure) {
        if (tenure != null) {
            service.call(
                    EngineCalls.about(Operation.Kind.CHECK, tenure, 0),
                    call -> service.tenures().isHeld(tenure) ? Answers.DONE : Answers.no("NOT_HELD"));
        }
    }
}
