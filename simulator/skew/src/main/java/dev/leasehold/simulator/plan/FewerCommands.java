package dev.leasehold.simulator.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Leaves out commands: large parts first, from the end, then smaller ones, then single ones. */
final class FewerCommands implements Shrinking {

    @Override
    public void shrink(Plan plan, Predicate<Plan> accept) {
        Plan best = plan;
        for (int part = Math.max(1, (plan.commands().size() + 1) / 2);
                part >= 1;
                part = part == 1 ? 0 : (part + 1) / 2) {
            for (int end = best.commands().size(); end > 0; end -= part) {
                Plan candidate = without(
                        best,
                        Math.max(0, end - part),
                        Math.min(end, best.commands().size()));
                best = accept.test(candidate) ? candidate : best;
            }
        }
    }

    private static Plan without(Plan plan, int from, int to) {
        List<Command> commands = new ArrayList<>(plan.commands());
        commands.subList(from, to).clear();
        return plan.with(commands);
    }
}
