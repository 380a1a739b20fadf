package dev.leasehold.simulator.plan;

import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.conditions.SeededRandom;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Changes plans that are kept, a few things at random in each: numbers and switches of the setting, the machines and the commands; and
 * whole commands, which are left out, repeated, moved, or taken from another plan. What breaks an invariant is rare, and more often near
 * to what broke one before than anywhere else.
 */
public final class PlanVariation {

    private static final int CHANGES_MAX = 6;
    /** One that breaks a rule of plans is drawn anew, so often. */
    private static final int TRIES = 64;

    private static final int COMMAND_CHANGE_ONE_IN = 3;
    private static final int TAKEN_COMMANDS_MAX = 8;
    private static final long MOVED_NANOS_MAX = 20 * Nanos.SECOND;
    private static final long STEP_NANOS_MAX = 10 * Nanos.SECOND;
    private static final long STEP_RATE_MAX = 100_000;
    private static final long STEP_MAX = 8;
    private static final long NEW_MAX = 1_000;
    private static final long PERCENT = 100;

    private final List<Plan> plans;
    private final SeededRandom random;
    private Plan plan;

    private PlanVariation(List<Plan> plans, long seed) {
        this.plans = plans;
        this.random = new SeededRandom(seed);
        this.plan = random(plans);
    }

    /**
     * Draws a changed plan. The same plans and the same seed give the same one, on every JVM.
     *
     * @param plans valid ones, at least one
     * @param seed which change; the drawn plan has it as its own
     * @return a valid plan; in the rare case that no change was valid, one of the plans, unchanged but for the seed
     */
    public static Plan draw(List<Plan> plans, long seed) {
        PlanVariation variation = new PlanVariation(plans, seed);
        Plan kept = variation.plan;
        for (int i = 0; i < TRIES; i++) {
            variation.plan = kept;
            variation.change();
            variation.plan = variation.plan.with("seed", seed);
            if (PlanRules.isKept(variation.plan)) {
                return variation.plan;
            }
        }
        return kept.with("seed", seed);
    }

    private void change() {
        for (long left = random.between(1, CHANGES_MAX); left > 0; left--) {
            if (random.oneIn(COMMAND_CHANGE_ONE_IN)) {
                changeCommands();
            } else {
                changeValue();
            }
        }
        List<Command> inOrder = new ArrayList<>(plan.commands());
        inOrder.sort(Comparator.comparingLong(Command::atNanos));
        Setting setting = plan.setting().with("inside", true);
        plan = PlanGenerator.checkable(plan.with("setting", setting).with("commands", inOrder));
    }

    private <T> T random(List<T> list) {
        return list.get(random.pick(list.size()));
    }

    // ---- whole commands ----

    private void changeCommands() {
        List<Command> commands = new ArrayList<>(plan.commands());
        if (commands.isEmpty() || random.oneIn(4)) {
            commands.addAll(taken());
        } else {
            int index = random.pick(commands.size());
            Command command = commands.get(index);
            switch (random.pick(3)) {
                case 0 -> commands.remove(index);
                case 1 -> commands.add(later(command).with("seed", random.next()));
                default -> commands.set(index, later(command));
            }
        }
        plan = plan.with("commands", commands);
    }

    private Command later(Command command) {
        long byNanos = random.spread(1, MOVED_NANOS_MAX);
        return command.with("atNanos", inside(command.atNanos() + (random.oneIn(4) ? -byNanos : byNanos)));
    }

    private long inside(long atNanos) {
        return Math.max(0, Math.min(plan.setting().lengthNanos(), atNanos));
    }

    /** Some commands of any of the plans that follow each other, with the times between them. */
    private List<Command> taken() {
        List<Command> all = random(plans).commands();
        if (all.isEmpty()) {
            return List.of();
        }
        int first = random.pick(all.size());
        int end = (int) Math.min(all.size(), first + random.between(1, TAKEN_COMMANDS_MAX));
        long byNanos =
                random.upTo(plan.setting().lengthNanos()) - all.get(first).atNanos();
        return all.subList(first, end).stream()
                .map(command -> fitted(command, byNanos))
                .toList();
    }

    private Command fitted(Command command, long byNanos) {
        UnaryOperator<Object> machine =
                number -> (Integer) number % (plan.machines().size() - 1);
        Command fitted = command.with("atNanos", inside(command.atNanos() + byNanos));
        for (String component : List.of("machine", "to", "from")) {
            fitted = Components.mapped(fitted, component, machine);
        }
        return Components.mapped(
                fitted,
                "lease",
                number -> (Integer) number % Math.max(1, plan.setting().leases()));
    }

    // ---- single values ----

    /** Every value is as likely as any other; so most changes are changes of commands. */
    private void changeValue() {
        Visit count = new Visit(-1);
        count.of(plan);
        plan = new Visit(random.pick(count.visited)).of(plan);
    }

    /** Goes through all values of a plan, and changes the one with this index. */
    private final class Visit {

        private final int index;
        private int visited;

        Visit(int index) {
            this.index = index;
        }

        <R extends Record> R of(R record) {
            R changed = record;
            for (RecordComponent component : Components.of(record)) {
                Object before = Components.get(record, component);
                Object after = of(component, before);
                if (after != before) {
                    changed = Components.with(changed, component.getName(), after);
                }
            }
            return changed;
        }

        private @Nullable Object of(RecordComponent component, @Nullable Object value) {
            if (value instanceof List<?> list) {
                List<Object> changed = new ArrayList<>();
                list.forEach(each -> changed.add(of((Record) each)));
                return changed;
            }
            boolean isValue = !(value instanceof Record) || Components.isOptional(component);
            if (isValue && visited++ == index) {
                return changed(component, value);
            }
            return value instanceof Record record ? of(record) : value;
        }
    }

    private @Nullable Object changed(RecordComponent component, @Nullable Object value) {
        if (value != null && Components.isOptional(component) && random.oneIn(4)) {
            return null;
        }
        Class<?> type = component.getType();
        if (type == MessageFault.class) {
            return fault();
        }
        if (type == boolean.class || type == Boolean.class) {
            return value == null ? random.coin() : !(Boolean) value;
        }
        if (type == int.class || type == Integer.class) {
            return value == null ? (int) random.spread(1, NEW_MAX) : (int) number(component.getName(), (Integer) value);
        }
        if (type == long.class || type == Long.class) {
            return value == null ? random.spread(1, STEP_NANOS_MAX) : number(component.getName(), (Long) value);
        }
        return type.isEnum() ? random(List.of(type.getEnumConstants())) : value;
    }

    private MessageFault fault() {
        MessageFault.Kind kind = random(List.of(MessageFault.Kind.values()));
        return new MessageFault(
                kind, random.pick((int) STEP_MAX), kind.hasDelay() ? random.spread(1, STEP_NANOS_MAX) : 0);
    }

    private long number(String name, long value) {
        if (name.equals("seed")) {
            return random.next();
        }
        boolean isTime = name.endsWith("Nanos");
        boolean isRate = name.endsWith("Ppm") || name.startsWith("ppb");
        long step = random.spread(1, isTime ? STEP_NANOS_MAX : isRate ? STEP_RATE_MAX : STEP_MAX);
        return switch (random.pick(4)) {
            case 0 -> value + step;
            case 1 -> value - step;
            case 2 -> Math.round(value * (random.between(PERCENT / 2, 2 * PERCENT) / (double) PERCENT));
            // To the nanosecond, or to one beside it: that is where the bounds are.
            default -> isTime ? random(times()) + random.between(-1, 1) : random.upTo(STEP_MAX);
        };
    }

    /** What the setting and the actions name; and where the commands begin. */
    private List<Long> times() {
        List<Long> times = new ArrayList<>();
        addTimes(plan.setting(), times);
        plan.commands().forEach(command -> addTimes(command, times));
        return times;
    }

    private static void addTimes(Record record, List<Long> times) {
        for (RecordComponent component : Components.of(record)) {
            Object value = Components.get(record, component);
            if (value instanceof Record inner) {
                addTimes(inner, times);
            } else if (value instanceof Long nanos && component.getName().endsWith("Nanos")) {
                times.add(nanos);
            }
        }
    }
}
