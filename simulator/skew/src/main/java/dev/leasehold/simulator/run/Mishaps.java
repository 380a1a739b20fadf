package dev.leasehold.simulator.run;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Faults;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.world.SimulatedMachine;
import dev.leasehold.simulator.world.Simulation;

/** What befalls machines and the database. */
final class Mishaps {

    private static final int THE_DATABASE = -1;

    private final Stage stage;
    private final Simulation simulation;

    Mishaps(Stage stage) {
        this.stage = stage;
        this.simulation = stage.simulation();
    }

    /** Whether it was such an action. */
    boolean befall(SimulatedMachine simulatedMachine, Action action) {
        return befallMachine(simulatedMachine, action) || befallDatabase(action);
    }

    private boolean befallMachine(SimulatedMachine simulatedMachine, Action action) {
        long nowNanos = simulation.nowNanos();
        if (action instanceof Action.Pause pause) {
            fault(simulatedMachine.number(), Faults.PAUSE, pause.durationNanos());
            simulatedMachine.sleep(nowNanos + pause.durationNanos());
        } else if (action instanceof Action.Migrate migrate) {
            fault(simulatedMachine.number(), Faults.MIGRATE, migrate.durationNanos());
            simulatedMachine.sleep(nowNanos + migrate.durationNanos());
            simulation.after(
                    migrate.durationNanos(),
                    () -> simulatedMachine.clock().setRate(simulation.nowNanos(), migrate.ppbAfter()));
        } else if (action instanceof Action.Suspend suspend) {
            fault(simulatedMachine.number(), Faults.SUSPEND, suspend.durationNanos());
            if (suspend.monotonicStops()) {
                simulatedMachine.clock().stop(nowNanos, nowNanos + suspend.durationNanos());
            }
            simulatedMachine.sleep(nowNanos + suspend.durationNanos());
        } else if (action instanceof Action.Crash crash) {
            stage.crash(simulatedMachine, crash.downNanos(), crash.monotonicNanos());
        } else if (action instanceof Action.WallStep step) {
            fault(simulatedMachine.number(), Faults.WALL_STEP, 0);
            simulatedMachine.clock().stepWall(nowNanos, step.byNanos());
            look(simulatedMachine);
        } else if (action instanceof Action.MonotonicStep step) {
            fault(simulatedMachine.number(), "MONOTONIC_STEP", 0);
            simulatedMachine.clock().setMonotonic(nowNanos, simulatedMachine.monotonicNanos() + step.byNanos());
            look(simulatedMachine);
        } else if (action instanceof Action.CutOff cutOff) {
            fault(simulatedMachine.number(), Faults.CUT_OFF, cutOff.durationNanos());
            simulatedMachine.cutOff(nowNanos + cutOff.durationNanos());
        } else {
            return false;
        }
        return true;
    }

    /** A belief that a step of the clock has ended, ends at that very instant. */
    private void look(SimulatedMachine simulatedMachine) {
        Service service = stage.service(simulatedMachine.number());
        if (service != null) {
            service.simulatedProcess().soon(() -> {});
        }
    }

    private boolean befallDatabase(Action action) {
        if (action instanceof Action.FailOver failOver) {
            fault(THE_DATABASE, Faults.FAIL_OVER, failOver.durationNanos());
            stage.database().failOver(failOver.durationNanos(), failOver.losesUnreplicated());
        } else if (action instanceof Action.Lag lag) {
            fault(THE_DATABASE, Faults.LAG, lag.durationNanos());
            stage.database().lag(lag.durationNanos());
        } else if (action instanceof Action.Stray stray) {
            fault(THE_DATABASE, Faults.STRAY, 0);
            stage.database().stray(Tenures.lease(stray.lease()));
        } else if (action instanceof Action.Storm storm) {
            fault(THE_DATABASE, Faults.STORM, storm.times() * storm.holdNanos());
            stage.database().storm(storm.times(), storm.holdNanos());
        } else if (action instanceof Action.Damage damage) {
            fault(THE_DATABASE, damage.damage().name(), 0);
            stage.database().damage(damage.damage(), Tenures.lease(damage.lease()));
        } else {
            return false;
        }
        return true;
    }

    private void fault(int machine, String name, long forNanos) {
        simulation.record(new Event.Fault(simulation.nowNanos(), machine, name, simulation.nowNanos() + forNanos));
    }
}
