package dev.leasehold.simulator.plan;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.conditions.DamageKind;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether a plan is inside the assumptions under which everything is guaranteed. */
final class AssumptionTier {

    /** Actions that no guarantee about time covers. */
    private static final Map<Class<? extends Action>, String> OUTSIDE = Map.of(
            Action.CloneWriter.class, "a machine is cloned, and two engines write under one name",
            Action.MonotonicStep.class, "a monotonic clock steps");

    private AssumptionTier() {}

    /** What leaves them; null if nothing does. */
    static @Nullable String whyOutside(long driftPpm, List<Machine> machines, List<Command> commands) {
        long boundPpb = driftPpm * 1_000;
        for (Machine machine : machines) {
            for (Machine.Rate rate : machine.rates()) {
                if (Math.abs(rate.ppb()) > boundPpb) {
                    return "a clock runs at a rate of " + rate.ppb() + " ppb";
                }
            }
        }
        for (Command command : commands) {
            String why = whyOutside(command.action(), boundPpb);
            if (why != null) {
                return why;
            }
        }
        return whyHidden(commands);
    }

    private static @Nullable String whyOutside(Action action, long boundPpb) {
        if (action instanceof Action.Migrate migrate && Math.abs(migrate.ppbAfter()) > boundPpb) {
            return "a clock runs at a rate of " + migrate.ppbAfter() + " ppb";
        }
        if (action instanceof Action.Damage damage && damage.damage() == DamageKind.REMOVE_LEASE) {
            return "a lease document is removed, and with it the token that it kept";
        }
        return OUTSIDE.get(action.getClass());
    }

    /**
     * A tenure may be as old as the longest lease, so a step back may hide a suspend that comes long before or after it. Machines that
     * have both are taken to be outside.
     */
    private static @Nullable String whyHidden(List<Command> commands) {
        Set<Integer> stopped = new HashSet<>();
        Set<Integer> setBack = new HashSet<>();
        for (Command command : commands) {
            if (command.action() instanceof Action.Suspend suspend && suspend.monotonicStops()) {
                stopped.add(command.machine());
            } else if (command.action() instanceof Action.WallStep step && step.byNanos() < 0) {
                setBack.add(command.machine());
            }
        }
        stopped.retainAll(setBack);
        return stopped.isEmpty()
                ? null
                : "a wall clock is set back on machine " + stopped.iterator().next()
                        + ", which hides that its monotonic clock stood still";
    }
}
