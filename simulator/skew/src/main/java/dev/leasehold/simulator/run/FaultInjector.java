package dev.leasehold.simulator.run;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Faults;
import dev.leasehold.simulator.history.Handlers;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.world.SimulatedMachine;

/** Faults of machines, their clocks and the database. */
final class FaultInjector {

    private static final int DATABASE = -1;

    private final SimulationRun run;
    private final SimulatedMachine machine;

    FaultInjector(SimulationRun run, SimulatedMachine machine) {
        this.run = run;
        this.machine = machine;
    }

    /** What is done for each kind of fault. */
    Handlers<Action> handlers() {
        return new Handlers<Action>()
                .on(Action.Pause.class, it -> sleep(Faults.PAUSE, it.durationNanos()))
                .on(Action.Migrate.class, this::migrate)
                .on(Action.Suspend.class, this::suspend)
                .on(Action.Crash.class, it -> run.crash(machine, it.downNanos(), it.monotonicNanos()))
                .on(Action.WallStep.class, this::stepWall)
                .on(Action.MonotonicStep.class, this::stepMonotonic)
                .on(Action.CutOff.class, this::cutOff)
                .on(Action.FailOver.class, it -> {
                    fault(DATABASE, Faults.FAIL_OVER, it.durationNanos());
                    run.database().failOver(it.durationNanos(), it.losesUnreplicated());
                })
                .on(Action.Lag.class, it -> {
                    fault(DATABASE, Faults.LAG, it.durationNanos());
                    run.database().lag(it.durationNanos());
                })
                .on(Action.Stray.class, it -> {
                    fault(DATABASE, Faults.STRAY, 0);
                    run.database().stray(GrantedTenures.lease(it.lease()));
                })
                .on(Action.Storm.class, it -> {
                    fault(DATABASE, Faults.STORM, it.times() * it.holdNanos());
                    run.database().storm(it.times(), it.holdNanos());
                })
                .on(Action.Damage.class, it -> {
                    fault(DATABASE, it.damage().name(), 0);
                    run.database().damage(it.damage(), GrantedTenures.lease(it.lease()));
                });
    }

    private void fault(int number, String name, long durationNanos) {
        run.record(nowNanos -> new Event.Fault(nowNanos, number, name, nowNanos + durationNanos));
    }

    private void sleep(String name, long durationNanos) {
        fault(machine.number(), name, durationNanos);
        machine.sleep(run.nowNanos() + durationNanos);
    }

    private void migrate(Action.Migrate migrate) {
        sleep(Faults.MIGRATE, migrate.durationNanos());
        run.simulation()
                .after(migrate.durationNanos(), () -> machine.clock().setRate(run.nowNanos(), migrate.ppbAfter()));
    }

    private void suspend(Action.Suspend suspend) {
        if (suspend.monotonicStops()) {
            machine.clock().stop(run.nowNanos(), run.nowNanos() + suspend.durationNanos());
        }
        sleep(Faults.SUSPEND, suspend.durationNanos());
    }

    private void stepWall(Action.WallStep step) {
        fault(machine.number(), Faults.WALL_STEP, 0);
        machine.clock().stepWall(run.nowNanos(), step.byNanos());
        askForValidity();
    }

    private void stepMonotonic(Action.MonotonicStep step) {
        fault(machine.number(), "MONOTONIC_STEP", 0);
        machine.clock().setMonotonic(run.nowNanos(), machine.monotonicNanos() + step.byNanos());
        askForValidity();
    }

    /** A validity that a step of the clock has ended, ends at that very instant. */
    private void askForValidity() {
        Service service = run.service(machine.number());
        if (service != null) {
            service.process().soon(() -> {});
        }
    }

    private void cutOff(Action.CutOff cutOff) {
        fault(machine.number(), Faults.CUT_OFF, cutOff.durationNanos());
        machine.cutOff(run.nowNanos() + cutOff.durationNanos());
    }
}
