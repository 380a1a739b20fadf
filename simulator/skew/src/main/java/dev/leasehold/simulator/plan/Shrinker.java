package dev.leasehold.simulator.plan;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.Machine.Rate;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes a plan small and plain that fails. Commands are left out, in halves, quarters and one by one; machines and leases are merged;
 * what is left gets plain values. All of it again, until nothing can be made any simpler.
 */
public final class Shrinker {

    /** What a plan is about stays as it is. Machines and leases are merged instead. */
    private static final Set<String> KEPT =
            Set.of("profile", "Plan.seed", "inside", "driftPpm", "leases", "watches", "machine", "lease", "from");

    /** What the components of such records are when they are plain. Others are 0, false, or absent then. */
    private static final Map<Class<? extends Record>, Record> PLAIN = Map.of(
            Setting.class, Setting.PLAIN,
            Machine.class, new Machine(0, PlanRules.PLAIN_WALL_NANOS, 1, List.of(new Rate(0, 0))),
            DatabaseConditions.class, DatabaseConditions.PLAIN);

    private final Predicate<Plan> stillFails;
    private int triesLeft;
    private Plan best;

    private Shrinker(Plan plan, Predicate<Plan> stillFails, int triesMax) {
        this.best = plan;
        this.stillFails = stillFails;
        this.triesLeft = triesMax;
    }

    /**
     * Shrinks a plan.
     *
     * @param plan a valid plan that fails
     * @param stillFails whether a plan fails in the way that is of interest; only asked about valid plans. The same answer for the
     *     same plan
     * @param triesMax how often it may be asked
     * @return the simplest plan found, which fails; the plan itself if it does not fail. If the tries were enough, then shrinking it
     *     again changes nothing
     */
    public static Plan shrink(Plan plan, Predicate<Plan> stillFails, int triesMax) {
        Shrinker shrinker = new Shrinker(plan, stillFails, triesMax);
        if (triesMax > 0 && shrinker.fails(plan)) {
            Plan before;
            do {
                before = shrinker.best;
                shrinker.fewerCommands();
                shrinker.fewerMachines();
                shrinker.fewerLeases();
                plainRecord(shrinker.best, shrinker::accept);
            } while (shrinker.triesLeft > 0 && !before.equals(shrinker.best));
        }
        return shrinker.best;
    }

    /** Goes on from that plan if it fails too. */
    private boolean accept(Plan candidate) {
        if (triesLeft <= 0 || candidate.equals(best) || !PlanRules.isKept(candidate) || !fails(candidate)) {
            return false;
        }
        best = candidate;
        return true;
    }

    private boolean fails(Plan candidate) {
        triesLeft--;
        return stillFails.test(candidate);
    }

    /** Large parts first, from the end, then smaller ones, then single ones. */
    private void fewerCommands() {
        for (int part = Math.max(1, (best.commands().size() + 1) / 2);
                part >= 1;
                part = part == 1 ? 0 : (part + 1) / 2) {
            for (int end = best.commands().size(); end > 0; end -= part) {
                List<Command> commands = new ArrayList<>(best.commands());
                commands.subList(Math.max(0, end - part), Math.min(end, commands.size()))
                        .clear();
                accept(best.with("commands", commands));
            }
        }
    }

    /** What was done on a machine that is left out is done on another one. The observer's stays. */
    private void fewerMachines() {
        for (int gone = best.machines().size() - 2; gone >= 0 && best.machines().size() > 2; gone--) {
            for (int heir = best.machines().size() - 2; heir >= 0; heir--) {
                if (heir != gone && accept(withoutMachine(gone, heir))) {
                    break;
                }
            }
        }
    }

    private Plan withoutMachine(int gone, int heir) {
        List<Machine> machines = new ArrayList<>(best.machines());
        machines.remove(gone);
        UnaryOperator<Object> renumbered = number -> {
            int kept = number.equals(gone) ? heir : (Integer) number;
            return kept > gone ? kept - 1 : kept;
        };
        return withNumbers(withNumbers(best, "machine", renumbered), "from", renumbered)
                .with("machines", machines);
    }

    /** What was done to the last lease is done to another one. */
    private void fewerLeases() {
        for (int heir = 0; heir < best.setting().leases() - 1; heir++) {
            int last = best.setting().leases() - 1;
            int other = heir;
            Plan merged = withNumbers(best, "lease", lease -> lease.equals(last) ? other : lease);
            if (accept(merged.with("setting", best.setting().with("leases", last)))) {
                heir = -1;
            }
        }
    }

    private static Plan withNumbers(Plan plan, String component, UnaryOperator<Object> renumbered) {
        return plan.with(
                "commands",
                plan.commands().stream()
                        .map(command -> Components.mapped(command, component, renumbered))
                        .toList());
    }

    // ---- plain values ----

    private static <R extends Record> R plainRecord(R record, Predicate<R> accepts) {
        R best = record;
        Record plain = PLAIN.get(record.getClass());
        for (RecordComponent component : Components.of(record)) {
            String name = component.getName();
            Object value = Components.get(best, component);
            if (value != null
                    && !KEPT.contains(name)
                    && !KEPT.contains(record.getClass().getSimpleName() + '.' + name)) {
                R before = best;
                Predicate<@Nullable Object> acceptsValue = part -> accepts.test(Components.with(before, name, part));
                Object wanted = plain == null ? null : Components.get(plain, component);
                boolean isWanted = value.equals(wanted)
                        || (wanted != null || Components.isOptional(component)) && acceptsValue.test(wanted);
                best = Components.with(before, name, isWanted ? wanted : plain(value, acceptsValue));
            }
        }
        return best;
    }

    private static Object plain(Object value, Predicate<@Nullable Object> accepts) {
        if (value instanceof Record record) {
            return plainRecord(record, accepts::test);
        }
        if (value instanceof List<?> list) {
            return plainList(list, accepts);
        }
        if (value instanceof Long number) {
            return plainNumber(number, accepts::test);
        }
        if (value instanceof Integer number) {
            return plainNumber(number, candidate -> accepts.test(candidate.intValue()))
                    .intValue();
        }
        return Boolean.TRUE.equals(value) && accepts.test(false) ? Boolean.FALSE : value;
    }

    private static List<?> plainList(List<?> list, Predicate<@Nullable Object> accepts) {
        List<Object> best = new ArrayList<>(list);
        for (int i = 0; i < best.size(); i++) {
            int index = i;
            best.set(i, plainRecord((Record) best.get(i), part -> {
                List<Object> candidate = new ArrayList<>(best);
                candidate.set(index, part);
                return accepts.test(candidate);
            }));
        }
        return best;
    }

    /** 0, or as few digits that are not 0 as possible. */
    private static Long plainNumber(long number, Predicate<Long> accepts) {
        if (number == 0 || accepts.test(0L)) {
            return 0L;
        }
        long unit = 1;
        while (number / unit / 10 != 0) {
            unit *= 10;
        }
        long least = Long.signum(number) * unit;
        if (least == number || accepts.test(least)) {
            return least;
        }
        for (; unit > 1; unit /= 10) {
            long rounded = number / unit * unit;
            if (rounded == number || accepts.test(rounded)) {
                return rounded;
            }
        }
        return number;
    }
}
