package dev.leasehold.simulator.run;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Faults;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.world.Host;
import dev.leasehold.simulator.world.World;

/** What befalls machines and the database. */
final class Mishaps {

    private static final int THE_DATABASE = -1;

    private final Stage stage;
    private final World world;

    Mishaps(Stage stage) {
        this.stage = stage;
        this.world = stage.world();
    }

    /** Whether it was such an action. */
    boolean befall(Host host, Action action) {
        return befallMachine(host, action) || befallDatabase(action);
    }

    private boolean befallMachine(Host host, Action action) {
        long nowNanos = world.nowNanos();
        if (action instanceof Action.Pause pause) {
            fault(host.number(), Faults.PAUSE, pause.durationNanos());
            host.sleep(nowNanos + pause.durationNanos());
        } else if (action instanceof Action.Migrate migrate) {
            fault(host.number(), Faults.MIGRATE, migrate.durationNanos());
            host.sleep(nowNanos + migrate.durationNanos());
            world.after(migrate.durationNanos(), () -> host.clock().setRate(world.nowNanos(), migrate.ppbAfter()));
        } else if (action instanceof Action.Suspend suspend) {
            fault(host.number(), Faults.SUSPEND, suspend.durationNanos());
            if (suspend.monotonicStops()) {
                host.clock().stop(nowNanos, nowNanos + suspend.durationNanos());
            }
            host.sleep(nowNanos + suspend.durationNanos());
        } else if (action instanceof Action.Crash crash) {
            stage.crash(host, crash.downNanos(), crash.monotonicNanos());
        } else if (action instanceof Action.WallStep step) {
            fault(host.number(), Faults.WALL_STEP, 0);
            host.clock().stepWall(nowNanos, step.byNanos());
            look(host);
        } else if (action instanceof Action.MonotonicStep step) {
            fault(host.number(), "MONOTONIC_STEP", 0);
            host.clock().setMonotonic(nowNanos, host.monotonicNanos() + step.byNanos());
            look(host);
        } else if (action instanceof Action.CutOff cutOff) {
            fault(host.number(), Faults.CUT_OFF, cutOff.durationNanos());
            host.cutOff(nowNanos + cutOff.durationNanos());
        } else {
            return false;
        }
        return true;
    }

    /** A belief that a step of the clock has ended, ends at that very instant. */
    private void look(Host host) {
        Service service = stage.service(host.number());
        if (service != null) {
            service.program().soon(() -> {});
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
        world.record(new Event.Fault(world.nowNanos(), machine, name, world.nowNanos() + forNanos));
    }
}
