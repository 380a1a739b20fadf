package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MICRO;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;
import static dev.leasehold.simulator.plan.PlanRules.NEVER_NANOS;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.conditions.MessageFault.Kind;
import dev.leasehold.simulator.conditions.SeededRandom;
import dev.leasehold.simulator.plan.Workload.MessageFaults;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A plan in the making: scenarios add their commands in any order of time. What a history has of each kind is drawn first. */
final class PlanBuilder {

    private static final int STRIPES = 4;
    private static final int PRIORITIES = 3;
    private static final int MANY_FAULTS_PPM = 300_000;

    /** Faults that end with the history at the latest, and the component that says when. */
    private static final Map<Class<? extends Action>, String> ENDING = Map.of(
            Action.Pause.class, "durationNanos",
            Action.Migrate.class, "durationNanos",
            Action.Suspend.class, "durationNanos",
            Action.CutOff.class, "durationNanos",
            Action.FailOver.class, "durationNanos",
            Action.Lag.class, "durationNanos",
            Action.Crash.class, "downNanos");

    private final SeededRandom random;
    private final Workload workload;
    private final Setting setting;
    private final List<Machine> machines;
    private final List<Kind> faults;
    private final int faultPpm;
    private final boolean suspendsStopClocks;
    private final boolean cancels;
    private final boolean keepsFree;
    private final boolean stripes;
    private final boolean priorities;
    private final List<Command> commands = new ArrayList<>(64);

    PlanBuilder(SeededRandom random, Workload workload, Setting setting, List<Machine> machines) {
        this.random = random;
        this.workload = workload;
        this.setting = setting;
        this.machines = machines;
        this.faults = Stream.of(Kind.values())
                .filter(kind -> workload.faults() == MessageFaults.MANY || random.oneIn(3))
                .toList();
        this.faultPpm = faults.isEmpty() ? 0 : faultPpm();
        this.suspendsStopClocks = random.coin();
        this.cancels = random.oneIn(4);
        this.keepsFree = random.oneIn(4);
        this.stripes = random.oneIn(6);
        this.priorities = random.oneIn(4);
    }

    private int faultPpm() {
        return switch (workload.faults()) {
            case NONE -> 0;
            case SOME -> random.coin() ? 0 : (int) random.upTo(MANY_FAULTS_PPM);
            case MANY -> MANY_FAULTS_PPM;
        };
    }

    SeededRandom random() {
        return random;
    }

    Setting setting() {
        return setting;
    }

    boolean isExact() {
        return workload.exact();
    }

    /** Whether the monotonic clock stands still in most suspends of this history. */
    boolean suspendsStopClocks() {
        return suspendsStopClocks;
    }

    /** On so many machines commands run. The last one is the observer's. */
    int working() {
        return machines.size() - 1;
    }

    /** The machine with so many slower ones, by the rates at the beginning. */
    int bySpeed(int slower) {
        return IntStream.range(0, working())
                .boxed()
                .sorted(Comparator.comparingLong(
                        machine -> machines.get(machine).rates().get(0).ppb()))
                .toList()
                .get(slower);
    }

    int size() {
        return commands.size();
    }

    /** What was added, in the order of its instants; what was to be at the same instant in the order in which it was added. */
    List<Command> commands() {
        commands.sort(Comparator.comparingLong(Command::atNanos));
        long[] wallNanos = machines.stream().mapToLong(Machine::wallNanos).toArray();
        for (int i = 0; i < commands.size(); i++) {
            Command command = commands.get(i);
            if (command.action() instanceof Action.WallStep step) {
                // A step that would lead out of the range ends where the range does.
                long beforeNanos = wallNanos[command.machine()];
                long afterNanos = PlanRules.nearestWallNanos(beforeNanos + step.byNanos());
                wallNanos[command.machine()] = afterNanos;
                commands.set(i, Components.with(command, "action", new Action.WallStep(afterNanos - beforeNanos)));
            }
        }
        return commands;
    }

    /** A fault of this history, which leaves enough of it; mostly none. */
    @Nullable MessageFault faultOrNone(int machine, long atNanos) {
        if (!random.chance(faultPpm)) {
            return null;
        }
        Kind kind = faults.get(random.pick(faults.size()));
        long leftNanos = Math.max(1, (setting.lengthNanos() - atNanos) / 2);
        boolean forEver = kind.isCrash() && machine != 0 && random.oneIn(16);
        long delayNanos = forEver ? NEVER_NANOS : Math.min(leftNanos, random.spread(MICRO, 10 * SECOND));
        return new MessageFault(kind, random.pick(5), kind.hasDelay() ? delayNanos : 0);
    }

    /**
     * Adds a command. What was to come before the beginning comes at the beginning, and what after the end is left out; a fault that would
     * last longer than the history ends with it.
     */
    void add(long atNanos, int machine, @Nullable MessageFault fault, Action action) {
        if (atNanos <= setting.lengthNanos()) {
            long fromNanos = Math.max(0, atNanos);
            Action added = action instanceof Action.Acquire acquire
                    ? withOptions(acquire)
                    : ending(action, Math.max(1, setting.lengthNanos() - fromNanos));
            commands.add(new Command(fromNanos, machine, random.next(), fault, added));
        }
    }

    private static Action ending(Action action, long leftNanos) {
        String component = ENDING.get(action.getClass());
        if (component == null || action instanceof Action.Crash crash && crash.downNanos() == NEVER_NANOS) {
            return action;
        }
        Record record = (Record) action;
        return (Action) Components.mapped(record, component, nanos -> Math.min((Long) nanos, leftNanos));
    }

    /** What this history has of options, where the scenario asks for nothing else. */
    private Action.Acquire withOptions(Action.Acquire acquire) {
        Action.Acquire all = acquire;
        if (acquire.stripes() == null && stripes && !random.oneIn(4)) {
            // Mostly as many as others ask for of the same lease.
            all = all.with("stripes", random.oneIn(4) ? 1 + random.pick(STRIPES) : 1 + acquire.lease() % STRIPES);
        }
        if (acquire.atLeastNanos() == null && keepsFree && random.oneIn(6)) {
            all = all.with("atLeastNanos", random.spread(MILLI, 5 * SECOND));
        }
        if (acquire.priority() == null && priorities && random.oneIn(3)) {
            all = all.with("priority", random.pick(PRIORITIES) - 1);
        }
        if (cancels && !acquire.campaigns() && random.oneIn(3)) {
            long afterNanos =
                    random.coin() ? random.spread(MICRO, 300 * MILLI) : random.upTo(acquire.waitNanos() + SECOND);
            all = all.with("cancelNanos", afterNanos);
        }
        return all;
    }
}
