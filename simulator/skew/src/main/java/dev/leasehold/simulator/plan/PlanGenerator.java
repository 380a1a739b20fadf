package dev.leasehold.simulator.plan;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.conditions.SeededRandom;
import dev.leasehold.simulator.plan.Deed.Group;
import dev.leasehold.simulator.plan.Mix.Fates;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Draws plans. The same profile, seed and drift give the same plan, on every JVM.
 *
 * <p>The last machine of a plan is the observer's: no command is for it, so that its engine is there at the end to try for every
 * lease. The first machine never dies for good.
 */
public final class PlanGenerator {

    private static final Deed[] DEEDS = Deed.values();
    private static final MessageFault.Kind[] FATES = MessageFault.Kind.values();
    private static final int OUTSIDE_ONE_IN = 16;
    private static final int PARTED_ONE_IN = 8;
    private static final int LATE_ONE_IN = 4;
    private static final int CHANGING_ONE_IN = 4;
    private static final int SESSION_PERCENT_MIN = 40;
    private static final int SESSION_PERCENT_MAX = 250;
    private static final long LATE_NANOS_MAX = 20_000_000;
    private static final int OUTSIDE_TIMES = 6;
    private static final int COMMANDS_MIN = 10;
    private static final int COMMANDS_MAX = 46;
    /** Stories about one lease that follow each other closely would be in each other's way. */
    private static final int EXACT_COMMANDS_MAX = 24;

    private static final int MANY_FATES_PPM = 300_000;

    private final SeededRandom seededRandom;
    /** Of its own, so that a plan is else the same whether its leases have one clock document or several. */
    private final SeededRandom partitionDraws;
    /** The same for threads that are late. */
    private final SeededRandom latenessDraws;
    /** The same for how several leases are written. */
    private final SeededRandom writesDraws;
    /** The same for sessions of different lengths. */
    private final SeededRandom sessionDraws;

    private final Profile profile;
    private final Mix mix;

    private PlanGenerator(Profile profile, long seed) {
        this.seededRandom =
                new SeededRandom(new SeededRandom(seed).next() + profile.name().hashCode());
        this.partitionDraws =
                new SeededRandom(new SeededRandom(~seed).next() + profile.name().hashCode());
        this.latenessDraws = new SeededRandom(
                new SeededRandom(Long.reverse(seed)).next() + profile.name().hashCode());
        this.writesDraws = new SeededRandom(
                new SeededRandom(Long.reverse(~seed)).next() + profile.name().hashCode());
        this.sessionDraws = new SeededRandom(new SeededRandom(Long.rotateLeft(seed, 32)).next()
                + profile.name().hashCode());
        this.profile = profile;
        this.mix = profile.mix();
    }

    /**
     * Draws a plan.
     *
     * @param profile what kind of history
     * @param seed which one
     * @param driftPpm the drift bound, 0 to 999,999
     */
    public static Plan draw(Profile profile, long seed, long driftPpm) {
        return new PlanGenerator(profile, seed).plan(seed, driftPpm);
    }

    private Plan plan(long seed, long driftPpm) {
        Setting setting = new SettingDraw(seededRandom, mix)
                .setting(driftPpm)
                .withPartitions(partitions())
                .withLateness(threadLateNanos())
                .withSingleWrites(singleWritesMax());
        List<Machine> machines = withSessions(
                setting, new MachineDraw(seededRandom, setting, mix.rates()).machines(seededRandom.oneIn(8) ? 2 : 3));
        int[] weights = weights();
        Draft draft = new Draft(
                seededRandom, mix, setting, machines, fates(), fatePpm(), stripes(seed, setting), cancels(seed));
        fill(draft, weights);
        List<Command> commands = draft.commands();
        boolean inside = Tier.whyOutside(driftPpm, machines, commands) == null;
        Setting fitting = hasClone(commands) ? setting.withPartitions(1) : setting;
        return new Plan(profile.word(), seed, inside ? fitting : fitting.outside(), machines, commands);
    }

    /** Two engines of one writer's name in different partitions would be no clones of each other, but look like one writer. */
    private static boolean hasClone(List<Command> commands) {
        for (Command command : commands) {
            if (command.action() instanceof Action.CloneWriter) {
                return true;
            }
        }
        return false;
    }

    private int partitions() {
        return partitionDraws.oneIn(PARTED_ONE_IN) ? 2 + partitionDraws.pick(2) : 1;
    }

    /** In some histories a change of the length of sessions has come to some machines only. */
    private List<Machine> withSessions(Setting setting, List<Machine> machines) {
        if (!sessionDraws.oneIn(CHANGING_ONE_IN)) {
            return machines;
        }
        long leastPercent = (setting.operationNanos() + 1) / (setting.sessionNanos() / 100) + 1;
        List<Machine> changed = new ArrayList<>(machines.size());
        for (Machine machine : machines) {
            changed.add(
                    sessionDraws.oneIn(3)
                            ? machine
                            : machine.withSessions((int) sessionDraws.between(
                                    Math.max(leastPercent, SESSION_PERCENT_MIN), SESSION_PERCENT_MAX)));
        }
        return changed;
    }

    private @Nullable Long threadLateNanos() {
        return latenessDraws.oneIn(LATE_ONE_IN) ? latenessDraws.spread(1_000, LATE_NANOS_MAX) : null;
    }

    private @Nullable Integer singleWritesMax() {
        return writesDraws.coin() ? PlanRules.SINGLE_WRITES_MAX : null;
    }

    private StripeDraw stripes(long seed, Setting setting) {
        return new StripeDraw(
                new SeededRandom(new SeededRandom(~seed).next() + profile.name().hashCode()), setting.leases());
    }

    private CancelDraw cancels(long seed) {
        return new CancelDraw(new SeededRandom(new SeededRandom(Long.rotateLeft(~seed, 32)).next()
                + profile.name().hashCode()));
    }

    /** Which deeds exist in this history, and how often they come. */
    private int[] weights() {
        int[] weights = new int[DEEDS.length];
        boolean[] groups = groups();
        boolean outside = profile == Profile.SWARM && seededRandom.oneIn(OUTSIDE_ONE_IN);
        for (Deed deed : DEEDS) {
            if (outside && deed.group() == Group.OUTSIDE) {
                weights[deed.ordinal()] = OUTSIDE_TIMES * deed.weight();
            } else if (mix.isAlways(deed) || groups[deed.group().ordinal()]) {
                weights[deed.ordinal()] = mix.weight(deed) * times(deed);
            }
        }
        return weights;
    }

    /** Faults come or stay away by whole groups first. */
    private boolean[] groups() {
        Group[] all = Group.values();
        boolean[] groups = new boolean[all.length];
        for (Group group : all) {
            groups[group.ordinal()] =
                    group != Group.RARE && (!profile.isSwarm() || !group.isFault() || !seededRandom.oneIn(3));
        }
        return groups;
    }

    /** Nothing in some histories, and more or less in the others. */
    private int times(Deed deed) {
        if (!profile.isSwarm()) {
            return 1;
        }
        boolean missing = seededRandom.oneIn(deed.group().isFault() ? 2 : 4);
        return missing && !mix.isAlways(deed) ? 0 : 1 + seededRandom.pick(4);
    }

    private List<MessageFault.Kind> fates() {
        List<MessageFault.Kind> kinds = new ArrayList<>(FATES.length);
        for (MessageFault.Kind kind : FATES) {
            if (mix.fates() == Fates.MANY || seededRandom.oneIn(3)) {
                kinds.add(kind);
            }
        }
        return kinds;
    }

    private int fatePpm() {
        return switch (mix.fates()) {
            case NONE -> 0;
            case MIXED -> seededRandom.coin() ? 0 : (int) seededRandom.upTo(MANY_FATES_PPM);
            case MANY -> MANY_FATES_PPM;
        };
    }

    private void fill(Draft draft, int[] weights) {
        int total = 0;
        for (int weight : weights) {
            total += weight;
        }
        long wanted = seededRandom.between(COMMANDS_MIN, mix.exact() ? EXACT_COMMANDS_MAX : COMMANDS_MAX);
        // A history that may do nothing at all would be empty; one whose stories come too late is shorter than wanted.
        for (int tries = 0; draft.size() < wanted && tries < 2 * COMMANDS_MAX; tries++) {
            (total == 0 ? Deed.CLAIM : pick(weights, total)).addTo(draft);
        }
    }

    private Deed pick(int[] weights, int total) {
        long left = seededRandom.pick(total);
        int found = 0;
        while (left >= weights[found]) {
            left -= weights[found];
            found++;
        }
        return DEEDS[found];
    }
}
