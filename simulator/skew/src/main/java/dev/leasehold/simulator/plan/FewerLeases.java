package dev.leasehold.simulator.plan;

import java.util.List;
import java.util.function.Predicate;

/** Leaves out the last lease; what was done to it is done to another one. */
final class FewerLeases implements Shrinking {

    @Override
    public void shrink(Plan plan, Predicate<Plan> accept) {
        Plan best = plan;
        for (int gone = plan.setting().leases() - 1; gone > 0; gone--) {
            for (int heir = 0; heir < gone && best.setting().leases() == gone + 1; heir++) {
                Plan candidate = merged(best, gone, heir);
                best = accept.test(candidate) ? candidate : best;
            }
        }
    }

    private static Plan merged(Plan plan, int gone, int heir) {
        List<Command> commands = plan.commands().stream()
                .map(command ->
                        new Command(command.atNanos(), command.machine(), command.seed(), command.fault(), (Action)
                                Components.mapped(
                                        (Record) command.action(),
                                        "lease",
                                        lease -> lease.equals(gone) ? heir : lease)))
                .toList();
        return plan.with(plan.setting().withLeases(gone)).with(commands);
    }
}
