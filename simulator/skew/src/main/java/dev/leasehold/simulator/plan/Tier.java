package dev.leasehold.simulator.plan;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.conditions.DamageKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether the conditions hold under which everything is promised. */
final class Tier {

    private Tier() {}

    /** What breaks them; null if they hold. */
    static @Nullable String whyOutside(long driftPpm, List<Machine> machines, List<Command> commands) {
        long boundPpb = driftPpm * 1_000;
        for (Machine machine : machines) {
            for (Machine.Rate rate : machine.rates()) {
                if (Math.abs(rate.ppb()) > boundPpb) {
                    return beyond(rate.ppb(), driftPpm);
                }
            }
        }
        for (Command command : commands) {
            String why = whyOutside(command, driftPpm, boundPpb);
            if (why != null) {
                return why;
            }
        }
        return whyHidden(machines.size(), commands);
    }

    private static @Nullable String whyOutside(Command command, long driftPpm, long boundPpb) {
        Action action = command.action();
        if (action instanceof Action.MonotonicStep) {
            return "a monotonic clock steps";
        }
        if (action instanceof Action.CloneWriter) {
            return "a machine is cloned, and two engines write under one name";
        }
        if (action instanceof Action.Damage damage && damage.damage() == DamageKind.REMOVE_LEASE) {
            return "a lease document is removed, and with it the token that it kept";
        }
        if (action instanceof Action.Migrate migrate && Math.abs(migrate.ppbAfter()) > boundPpb) {
            return beyond(migrate.ppbAfter(), driftPpm);
        }
        return null;
    }

    private static String beyond(long ppb, long driftPpm) {
        return "a clock runs at a rate of " + ppb + " ppb, beyond the drift bound of " + driftPpm + " ppm";
    }

    /**
     * A belief is as old as the longest lease, so a step back may hide a suspend that comes long before or after it. Machines that
     * have both are taken to be outside.
     */
    private static @Nullable String whyHidden(int machines, List<Command> commands) {
        boolean[] suspended = new boolean[machines];
        boolean[] setBack = new boolean[machines];
        for (Command command : commands) {
            if (command.action() instanceof Action.Suspend suspend && suspend.monotonicStops()) {
                suspended[command.machine()] = true;
            } else if (command.action() instanceof Action.WallStep step && step.byNanos() < 0) {
                setBack[command.machine()] = true;
            }
        }
        for (int i = 0; i < machines; i++) {
            if (suspended[i] && setBack[i]) {
                return "a wall clock is set back on machine " + i
                        + ", which hides that its monotonic clock stood still";
            }
        }
        return null;
    }
}
