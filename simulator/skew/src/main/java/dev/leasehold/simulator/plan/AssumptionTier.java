package dev.leasehold.simulator.plan;

import dev.leasehold.simulator.clock.Machine;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether a plan is inside the assumptions under which everything is guaranteed. */
final class AssumptionTier {

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
            String why = command.action().whyOutside(boundPpb);
            if (why != null) {
                return why;
            }
        }
        return whyHidden(commands);
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
