package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.DAY;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;
import static dev.leasehold.simulator.plan.Nanos.YEAR;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.conditions.DamageKind;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What makes a plan one that can be played and checked. The settings are such that engines accept them; the last machine is the
 * observer's, for which there is no command; and a plan is only called inside if nothing in it leaves the assumptions.
 */
public final class PlanRules {

    /** Longer than any history: what takes so long never ends. */
    public static final long NEVER_NANOS = 7_200 * SECOND;

    /** The beginning of 2026. */
    public static final long PLAIN_WALL_NANOS = 1_767_225_600 * SECOND;

    static final long WALL_MIN_NANOS = DAY;
    static final long WALL_MAX_NANOS = 230 * YEAR;
    /** The coarsest clocks that there are tick 64 times in a second. */
    static final long WALL_PRECISION_NANOS_MAX = SECOND / 64;
    /** As in services. */
    static final int SINGLE_WRITES_MAX = 8;

    private static final long HOUR = 3_600 * SECOND;
    private static final int PPM_MAX = 1_000_000;

    private record Range(long min, long max) {}

    private static final Range TERM = new Range(MILLI, 10 * YEAR);
    private static final Range SPAN = new Range(0, NEVER_NANOS);
    private static final Range BUDGET = new Range(SECOND / 10, HOUR);
    private static final Range COUNT = new Range(0, Integer.MAX_VALUE);
    private static final Range HOLDER = new Range(0, 1_000);
    private static final Range PPB = new Range(-SECOND + 1, SECOND);
    private static final Range ANY = new Range(Long.MIN_VALUE, Long.MAX_VALUE);

    /** The other components with numbers are spans of time, or a part of a million. */
    private static final Map<String, Range> RANGES = Map.ofEntries(
            Map.entry("retentionNanos", TERM),
            Map.entry("leases", new Range(1, 1_000)),
            Map.entry("partitions", new Range(1, 64)),
            Map.entry("lengthNanos", new Range(0, HOUR)),
            Map.entry("threadLateNanos", new Range(1, 100_000_000)),
            Map.entry("singleWritesMax", new Range(1, SINGLE_WRITES_MAX)),
            Map.entry("closeNanos", BUDGET),
            Map.entry("lifetimeNanos", BUDGET),
            Map.entry("sweepNanos", new Range(MILLI, HOUR)),
            Map.entry("wallNanos", new Range(WALL_MIN_NANOS, WALL_MAX_NANOS)),
            Map.entry("wallPrecisionNanos", new Range(1, WALL_PRECISION_NANOS_MAX)),
            Map.entry("sessionPercent", new Range(1, 1_000)),
            Map.entry("ppb", PPB),
            Map.entry("ppbAfter", PPB),
            Map.entry("holder", HOLDER),
            Map.entry("entity", HOLDER),
            Map.entry("occurrence", HOLDER),
            Map.entry("age", COUNT),
            Map.entry("afterMessages", COUNT),
            Map.entry("stripes", new Range(0, 64)),
            Map.entry("times", new Range(1, 1_000)),
            Map.entry("atLeastNanos", TERM),
            Map.entry("offsetNanos", new Range(-HOUR, HOUR)),
            Map.entry("driftPpm", new Range(0, PPM_MAX - 1)),
            Map.entry("priority", new Range(Integer.MIN_VALUE, Integer.MAX_VALUE)),
            Map.entry("seed", ANY),
            Map.entry("monotonicNanos", ANY),
            Map.entry("byNanos", ANY),
            Map.entry("Claim.durationNanos", TERM),
            Map.entry("TakeOver.durationNanos", TERM),
            Map.entry("Extend.durationNanos", TERM),
            Map.entry("Aim.durationNanos", TERM));

    /** Actions that no guarantee about time covers. */
    private static final Map<Class<? extends Action>, String> OUTSIDE = Map.of(
            Action.CloneWriter.class, "a machine is cloned, and two engines write under one name",
            Action.MonotonicStep.class, "a monotonic clock steps");

    private final Plan plan;
    private final Setting setting;
    private final Map<String, Range> ranges = new HashMap<>(RANGES);

    private PlanRules(Plan plan) {
        this.plan = plan;
        this.setting = given("setting", plan.setting());
        ranges.put("commandNanos", BUDGET);
        ranges.put("operationNanos", new Range(setting.commandNanos(), BUDGET.max()));
        ranges.put("sessionNanos", new Range(setting.operationNanos() + 1, DAY));
        ranges.put("heartbeatNanos", heartbeat(setting.sessionNanos()));
        ranges.put("termNanos", new Range(setting.operationNanos() + 1, TERM.max()));
        ranges.put("lease", new Range(0, setting.leases() - 1));
        ranges.put("machine", new Range(0, plan.machines().size() - 2));
        ranges.put("to", new Range(0, plan.machines().size() - 2));
        ranges.put("from", new Range(0, plan.machines().size() - 2));
    }

    /**
     * Checks a plan.
     *
     * @throws IllegalArgumentException if it breaks a rule; the message begins with the place
     */
    public static void check(Plan plan) {
        given("profile", plan.profile());
        PlanRules rules = new PlanRules(plan);
        rules.components("setting", plan.setting());
        rules.machines();
        rules.commands();
        String why = plan.setting().inside()
                ? whyOutside(plan.setting().driftPpm(), plan.machines(), plan.commands())
                : null;
        require(why == null, "setting.inside: true is refused: " + why);
    }

    /** Whether {@link #check} would pass. */
    static boolean isKept(Plan plan) {
        try {
            check(plan);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The nearest time of day that a wall clock may show. */
    static long nearestWallNanos(long wallNanos) {
        return Math.max(WALL_MIN_NANOS, Math.min(WALL_MAX_NANOS, wallNanos));
    }

    private static Range heartbeat(long sessionNanos) {
        return new Range(10 * MILLI, sessionNanos / 2 - 1);
    }

    private void machines() {
        range("machines: their number", plan.machines().size(), new Range(2, 100));
        for (int i = 0; i < plan.machines().size(); i++) {
            String place = "machines[" + i + "]";
            Machine machine = plan.machines().get(i);
            components(place, machine);
            if (machine.sessionPercent() != null) {
                String configured = place + ".sessionPercent: the ";
                long sessionNanos = machine.own(setting.sessionNanos());
                range(configured + "session", sessionNanos, ranges.getOrDefault("sessionNanos", ANY));
                range(configured + "heartbeat", machine.own(setting.heartbeatNanos()), heartbeat(sessionNanos));
            }
            range(place + ".rates: their number", machine.rates().size(), new Range(1, COUNT.max()));
            Range next = new Range(0, 0);
            for (int rate = 0; rate < machine.rates().size(); rate++) {
                long fromNanos = machine.rates().get(rate).fromNanos();
                range(place + ".rates[" + rate + "].fromNanos", fromNanos, next);
                next = new Range(fromNanos + 1, Long.MAX_VALUE);
            }
        }
    }

    private void commands() {
        long[] wallNanos =
                plan.machines().stream().mapToLong(Machine::wallNanos).toArray();
        long beforeNanos = 0;
        for (int i = 0; i < plan.commands().size(); i++) {
            String place = "commands[" + i + "]";
            Command command = plan.commands().get(i);
            components(place, command);
            range(place + ".atNanos", command.atNanos(), new Range(beforeNanos, setting.lengthNanos()));
            beforeNanos = command.atNanos();
            if (command.action() instanceof Action.WallStep step) {
                wallNanos[command.machine()] += step.byNanos();
                range(
                        place + ".action.byNanos: the wall clock after it",
                        wallNanos[command.machine()],
                        new Range(WALL_MIN_NANOS, WALL_MAX_NANOS));
            } else if (command.action() instanceof Action.CloneWriter clone) {
                require(
                        clone.from() != command.machine(),
                        place + ".action.from: " + clone.from() + " is refused: it must be another machine");
            } else if (command.action() instanceof Action.Acquire acquire) {
                require(
                        !acquire.supersedes() || acquire.holder() != null,
                        place + ".action.supersede: true is refused: it needs a holder");
            }
        }
    }

    /** Every component, and all that is in it. */
    private void components(String place, Record record) {
        for (RecordComponent component : Components.of(record)) {
            String name = component.getName();
            Object value = Components.get(record, component);
            if (value instanceof Number number) {
                String own = record.getClass().getSimpleName() + '.' + name;
                Range unlessNamed = name.endsWith("Ppm") ? new Range(0, PPM_MAX) : SPAN;
                range(
                        place + '.' + name,
                        number.longValue(),
                        ranges.getOrDefault(own, ranges.getOrDefault(name, unlessNamed)));
            } else if (value instanceof Record inner) {
                components(place + '.' + name, inner);
            } else if (value instanceof List<?> list) {
                for (int i = 0; i < list.size(); i++) {
                    components(place + '.' + name + '[' + i + ']', (Record) list.get(i));
                }
            } else if (!Components.isOptional(component)) {
                given(place + '.' + name, value);
            }
        }
    }

    private static void range(String place, long value, Range range) {
        require(
                value >= range.min() && value <= range.max(),
                place + ": " + value + " is refused: it must be " + range.min() + " to " + range.max());
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    private static <T> T given(String place, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException(place + ": nothing is refused: it must be there");
        }
        return value;
    }

    // ---- whether a plan is inside the assumptions under which everything is guaranteed ----

    /** What leaves the assumptions; null if nothing does. */
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
