package dev.leasehold.simulator.plan;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.conditions.SeededRandom;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Draws plans. The same profile, seed and drift give the same plan, on every JVM.
 *
 * <p>The last machine of a plan is the observer's: no command is for it, so that its engine is there at the end to try for every
 * lease. The first machine never dies for good.
 */
public final class PlanGenerator {

    private static final int OUTSIDE_ONE_IN = 16;
    private static final int OUTSIDE_WEIGHT = 48;
    /**
     * With 4 to 16 commands a history makes half to seven tenths of the steps, and of 17 mutants 14 are found less often per step: what is
     * rare needs several scenarios about one lease.
     */
    private static final int COMMANDS_MIN = 10;

    private static final int COMMANDS_MAX = 46;
    /** Duels about one lease that follow each other closely would be in each other's way. */
    private static final int EXACT_COMMANDS_MAX = 24;

    private PlanGenerator() {}

    /**
     * Draws a plan.
     *
     * @param profile what kind of history
     * @param seed which one
     * @param driftPpm the drift bound, 0 to 999,999
     */
    public static Plan draw(Profile profile, long seed, long driftPpm) {
        SeededRandom random =
                new SeededRandom(new SeededRandom(seed).next() + profile.name().hashCode());
        Workload workload = profile.workload();
        ConditionGenerator conditions = new ConditionGenerator(random, workload);
        Setting setting = conditions.setting(driftPpm);
        List<Machine> machines = conditions.machines(random.oneIn(8) ? 2 : 3, setting);
        PlanBuilder builder = new PlanBuilder(random, workload, setting, machines);
        fill(builder, weights(profile, random), workload.exact() ? EXACT_COMMANDS_MAX : COMMANDS_MAX);
        return checkable(new Plan(profile.word(), seed, setting, machines, builder.commands()));
    }

    /** The same, marked as outside of the assumptions if anything in it is, and without what cannot be checked then. */
    static Plan checkable(Plan drawn) {
        Setting setting = drawn.setting();
        List<Command> commands = drawn.commands();
        if (PlanRules.whyOutside(setting.driftPpm(), drawn.machines(), commands) != null) {
            setting = setting.with("inside", false);
        }
        if (commands.stream().anyMatch(command -> command.action() instanceof Action.CloneWriter)) {
            // Two engines of one writer's name in different partitions would be no clones of each other, but seem to be
            // one writer. And a lease that a clone wrote looks like the engine's own, which is not superseded.
            setting = setting.with("partitions", 1);
            commands = commands.stream()
                    .map(command -> Components.mapped(command, "supersede", supersede -> false))
                    .toList();
        }
        return drawn.with("setting", setting).with("commands", commands);
    }

    /** Which scenarios exist in this history, and how often they come. */
    private static Map<Scenario, Integer> weights(Profile profile, SeededRandom random) {
        Workload workload = profile.workload();
        Map<Scenario, Integer> weights = new EnumMap<>(Scenario.class);
        workload.weights().forEach((scenario, weight) -> {
            boolean isMissing = profile.isSwarm()
                    && !workload.always().contains(scenario)
                    && random.oneIn(scenario.hasFault() ? 2 : 4);
            if (!isMissing) {
                weights.put(scenario, profile.isSwarm() ? weight * (1 + random.pick(4)) : weight);
            }
        });
        if (profile == Profile.SWARM && random.oneIn(OUTSIDE_ONE_IN)) {
            weights.put(Scenario.OUTSIDE, OUTSIDE_WEIGHT);
        }
        return weights;
    }

    /** A history that may do nothing at all would be empty; one whose scenarios come too late is shorter than wanted. */
    private static void fill(PlanBuilder builder, Map<Scenario, Integer> weights, int most) {
        int total = weights.values().stream().mapToInt(Integer::intValue).sum();
        long wanted = builder.random().between(COMMANDS_MIN, most);
        for (int tries = 0; builder.size() < wanted && tries < 2 * COMMANDS_MAX; tries++) {
            long left = total == 0 ? 0 : builder.random().pick(total);
            Scenario picked = Scenario.TENURE_CALLS;
            for (Map.Entry<Scenario, Integer> entry : weights.entrySet()) {
                if (left >= 0) {
                    picked = entry.getKey();
                }
                left -= entry.getValue();
            }
            picked.addTo(builder);
        }
    }
}
