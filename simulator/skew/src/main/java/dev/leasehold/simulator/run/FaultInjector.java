package dev.leasehold.simulator.run;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Faults;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.world.SimulatedMachine;

/** Faults of machines, their clocks and the database. */
final class FaultInjector {

    private static final int DATABASE = -1;

    private final SimulationRun run;
    private final ActionTable<SimulatedMachine> table;

    FaultInjector(SimulationRun run) {
        this.run = run;
        this.table = new ActionTable<SimulatedMachine>()
                .on(Action.Pause.class, (machine, it) -> sleep(machine, Faults.PAUSE, it.durationNanos()))
                .on(Action.Migrate.class, this::migrate)
                .on(Action.Suspend.class, this::suspend)
                .on(Action.Crash.class, (machine, it) -> run.crash(machine, it.downNanos(), it.monotonicNanos()))
                .on(Action.WallStep.class, this::stepWall)
                .on(Action.MonotonicStep.class, this::stepMonotonic)
                .on(Action.CutOff.class, this::cutOff)
                .on(Action.FailOver.class, (machine, it) -> {
                    fault(DATABASE, Faults.FAIL_OVER, it.durationNanos());
                    run.database().failOver(it.durationNanos(), it.losesUnreplicated());
                })
                .on(Action.Lag.class, (machine, it) -> {
                    fault(DATABASE, Faults.LAG, it.durationNanos());
                    run.database().lag(it.durationNanos());
                })
                .on(Action.Stray.class, (machine, it) -> {
                    fault(DATABASE, Faults.STRAY, 0);
                    run.database().stray(GrantedTenures.lease(it.lease()));
                })
                .on(Action.Storm.class, (machine, it) -> {
                    fault(DATABASE, Faults.STORM, it.times() * it.holdNanos());
                    run.database().storm(it.times(), it.holdNanos());
                })
                .on(Action.Damage.class, (machine, it) -> {
                    fault(DATABASE, it.damage().name(), 0);
                    run.database().damage(it.damage(), GrantedTenures.lease(it.lease()));
                });
    }

    /** What is done for each kind of fault, to the machine of the command. */
    ActionTable<SimulatedMachine> table() {
        return table;
    }

    private void fault(int machine, String name, long durationNanos) {
        run.record(nowNanos -> new Event.Fault(nowNanos, machine, name, nowNanos + durationNanos));
    }

    private void sleep(SimulatedMachine machine, String name, long durationNanos) {
        fault(machine.number(), name, durationNanos);
        machine.sleep(run.nowNanos() + durationNanos);
    }

    private void migrate(SimulatedMachine machine, Action.Migrate migrate) {
        sleep(machine, Faults.MIGRATE, migrate.durationNanos());
        run.simulation()
                .after(migrate.durationNanos(), () -> machine.clock().setRate(run.nowNanos(), migrate.ppbAfter()));
    }

    private void suspend(SimulatedMachine machine, Action.Suspend suspend) {
        if (suspend.monotonicStops()) {
            machine.clock().stop(run.nowNanos(), run.nowNanos() + suspend.durationNanos());
        }
        sleep(machine, Faults.SUSPEND, suspend.durationNanos());
    }

    private void stepWall(SimulatedMachine machine, Action.WallStep step) {
        fault(machine.number(), Faults.WALL_STEP, 0);
        machine.clock().stepWall(run.nowNanos(), step.byNanos());
        askForValidity(machine);
    }

    private void stepMonotonic(SimulatedMachine machine, Action.MonotonicStep step) {
        fault(machine.number(), "MONOTONIC_STEP", 0);
        machine.clock().setMonotonic(run.nowNanos(), machine.monotonicNanos() + step.byNanos());
        askForValidity(machine);
    }

    /** A validity that a step of the clock has ended, ends at that very instant. */
    private void askForValidity(SimulatedMachine machine) {
        Service service = run.service(machine.number());
        if (service != null) {
            service.process().soon(() -> {});
        }
    }

    private void cutOff(SimulatedMachine machine, Action.CutOff cutOff) {
        fault(machine.number(), Faults.CUT_OFF, cutOff.durationNanos());
        machine.cutOff(run.nowNanos() + cutOff.durationNanos());
    }
}
