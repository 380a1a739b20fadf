package dev.leasehold.simulator.plan;

import dev.leasehold.simulator.clock.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Leaves out a machine; what was done on it is done on another one. The observer's stays. */
final class FewerMachines implements Shrinking {

    @Override
    public void shrink(Plan plan, Predicate<Plan> accept) {
        Plan best = plan;
        for (int gone = plan.machines().size() - 2; gone >= 0; gone--) {
            for (int heir = 0; heir < best.machines().size() - 1; heir++) {
                Plan candidate = best.machines().size() > 2 && heir != gone ? merged(best, gone, heir) : best;
                if (accept.test(candidate)) {
                    best = candidate;
                    break;
                }
            }
        }
    }

    private static Plan merged(Plan plan, int gone, int heir) {
        List<Machine> machines = new ArrayList<>(plan.machines());
        machines.remove(gone);
        List<Command> commands = plan.commands().stream()
                .map(command -> new Command(
                        command.atNanos(),
                        renumbered(command.machine(), gone, heir),
                        command.seed(),
                        command.fault(),
                        command.action() instanceof Action.CloneWriter clone
                                ? new Action.CloneWriter(renumbered(clone.from(), gone, heir))
                                : command.action()))
                .toList();
        return plan.withMachines(machines).with(commands);
    }

    private static int renumbered(int machine, int gone, int heir) {
        int kept = machine == gone ? heir : machine;
        return kept > gone ? kept - 1 : kept;
    }
}
