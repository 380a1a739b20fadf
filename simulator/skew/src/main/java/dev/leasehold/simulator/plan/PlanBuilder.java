package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MICRO;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;

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

    private static final int HOLDERS = 3;
    private static final int STRIPES = 4;
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
    private final int[] stripesByLease;
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
        this.stripesByLease = new int[setting.leases()];
        if (random.oneIn(6)) {
            for (int lease = 0; lease < stripesByLease.length; lease++) {
                stripesByLease[lease] = random.coin() ? 0 : 1 + random.pick(STRIPES);
            }
        }
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

    // ---- which machine, lease and holder ----

    /** A machine on which commands run. The last one is the observer's. */
    int machine() {
        return random.pick(machines.size() - 1);
    }

    /** Another one than that, if there is one. */
    int otherThan(int machine) {
        int working = machines.size() - 1;
        return working == 1 ? machine : (machine + 1 + random.pick(working - 1)) % working;
    }

    /** The machine whose clock runs slowest at the beginning. */
    int slowest() {
        return working(Comparator.naturalOrder(), -1);
    }

    /** The machine whose clock runs fastest at the beginning, and not the slowest one. */
    int fastest() {
        return working(Comparator.reverseOrder(), slowest());
    }

    private int working(Comparator<Long> first, int butNot) {
        return IntStream.range(0, machines.size() - 1)
                .filter(machine -> machine != butNot)
                .boxed()
                .min(Comparator.comparing(
                        machine -> machines.get(machine).rates().get(0).ppb(), first))
                .orElseThrow();
    }

    int lease() {
        return random.pick(setting.leases());
    }

    /** Mostly the machine's own one. */
    int holder(int machine) {
        return random.oneIn(4) ? random.pick(HOLDERS) : machine;
    }

    /** A name, or none. */
    @Nullable Integer holderOrNone(int machine) {
        return random.coin() ? null : (Integer) holder(machine);
    }

    static Action.Choice newest(int lease) {
        return new Action.Choice(lease, 0);
    }

    /** Mostly the newest tenure. */
    Action.Choice tenure(int lease) {
        return new Action.Choice(lease, random.oneIn(5) ? 1 + random.pick(2) : 0);
    }

    // ---- when, and for how long ----

    long instant() {
        return random.upTo(setting.lengthNanos());
    }

    /** An instant that leaves room for what takes so long, if there is any. */
    long instantBefore(long nanos) {
        return random.upTo(Math.max(setting.lengthNanos() / 4, setting.lengthNanos() - nanos));
    }

    /** At once, or within what messages take. */
    long moment() {
        return random.oneIn(3) ? random.upTo(10) : random.spread(MICRO, 100 * MILLI);
    }

    /** From one statement of a transaction to the next. */
    long thinking() {
        return random.oneIn(4) ? 0 : random.spread(MICRO, SECOND);
    }

    /** The term of a lease: mostly a few seconds. */
    long term() {
        if (workload.exact()) {
            // So that its stretch by the drift is a whole number of nanoseconds, on either clock and in true time.
            long nanos = random.between(SECOND, 6 * SECOND);
            return nanos - nanos % (1_000_000 - setting.driftPpm());
        }
        return random.oneIn(8)
                ? random.spread(MILLI, SECOND)
                : random.between(SECOND, random.coin() ? 5 * SECOND : 15 * SECOND);
    }

    /** Longer than the budget of an operation, as handles want it. */
    long handleTerm() {
        return setting.operationNanos() + random.between(MILLI, random.coin() ? 4 * SECOND : 10 * SECOND);
    }

    @Nullable Long handleTermOneIn(int count) {
        return random.oneIn(count) ? (Long) handleTerm() : null;
    }

    /** How long others wait on their clocks before they take a lease of that term. */
    long stretched(long termNanos) {
        return termNanos / (1_000_000 - setting.driftPpm()) * (1_000_000 + setting.driftPpm());
    }

    long waiting() {
        return random.oneIn(3) ? 0 : random.spread(10 * MILLI, 20 * SECOND);
    }

    long keeping() {
        return random.oneIn(4) ? PlanRules.NEVER_NANOS : random.spread(MILLI, random.coin() ? 5 * SECOND : 30 * SECOND);
    }

    /** For how long a fault lasts. */
    long outage() {
        return random.oneIn(3) ? random.between(SECOND, 15 * SECOND) : random.spread(MILLI, 4 * SECOND);
    }

    /** Off the instant that is aimed at. */
    long offset() {
        return random.oneIn(8) ? random.between(-MILLI, MILLI) : random.between(-1, 1);
    }

    // ---- what ----

    Action aim(Action.Move move, int lease, int machine) {
        return new Action.Aim(move, lease, holder(machine), offset(), term());
    }

    Action gate(Action.Choice tenure) {
        return new Action.Gate(tenure, thinking(), thinking(), false);
    }

    Action.Acquire acquire(int lease, int machine) {
        return acquire(lease, machine, waiting(), keeping());
    }

    Action.Acquire acquire(int lease, int machine, long waitNanos, long keepNanos) {
        return new Action.Acquire(lease, holderOrNone(machine), handleTermOneIn(3), waitNanos, keepNanos);
    }

    /** A candidate of a leader election. */
    Action.Acquire candidate(int lease, long keepNanos) {
        return new Action.Acquire(lease, null, handleTermOneIn(3), 0, keepNanos).with("elects", true);
    }

    /** What keeps a machine from the database for so long. */
    Action silence(long nanos) {
        return switch (random.pick(4)) {
            case 0 -> new Action.Pause(nanos);
            case 1 -> suspend(nanos);
            case 2 -> new Action.Crash(nanos, MachineGenerator.origin(random));
            default -> new Action.CutOff(nanos);
        };
    }

    Action suspend(long nanos) {
        return new Action.Suspend(nanos, suspendsStopClocks && !random.oneIn(4));
    }

    /** A step of a wall clock; not back where a suspend may stop the monotonic clock, which that would hide. */
    Action wallStep(long byNanos) {
        return new Action.WallStep(suspendsStopClocks ? Math.abs(byNanos) : byNanos);
    }

    void claim(long atNanos, int machine, int lease, long termNanos) {
        add(atNanos, machine, new Action.Claim(lease, machine, termNanos));
    }

    void extend(long atNanos, int machine, int lease, long termNanos) {
        add(atNanos, machine, new Action.Extend(newest(lease), termNanos));
    }

    void release(long atNanos, int machine, int lease) {
        add(atNanos, machine, new Action.Release(newest(lease)));
    }

    /** Does it, with a fault of its own if this history has some. What comes after the end is left out. */
    void add(long atNanos, int machine, Action action) {
        MessageFault fault =
                random.chance(faultPpm) ? fault(faults.get(random.pick(faults.size())), machine, atNanos) : null;
        add(atNanos, machine, fault, action);
    }

    /** A fault of that kind, which leaves enough of the history after it. */
    private MessageFault fault(Kind kind, int machine, long atNanos) {
        long leftNanos = Math.max(1, (setting.lengthNanos() - atNanos) / 2);
        boolean forEver = kind.isCrash() && machine != 0 && random.oneIn(16);
        long delayNanos = forEver ? PlanRules.NEVER_NANOS : Math.min(leftNanos, random.spread(MICRO, 10 * SECOND));
        return new MessageFault(kind, random.pick(5), kind.hasDelay() ? delayNanos : 0);
    }

    /**
     * Does it with that fault of a message of its machine, or none. What was to come before the beginning comes at the beginning; a fault
     * that would last longer than the history ends with it.
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
        if (component == null || action instanceof Action.Crash crash && crash.downNanos() == PlanRules.NEVER_NANOS) {
            return action;
        }
        Record record = (Record) action;
        return (Action) Components.mapped(record, component, nanos -> Math.min((Long) nanos, leftNanos));
    }

    /** What this history has of options, where the scenario asks for nothing else. */
    private Action.Acquire withOptions(Action.Acquire acquire) {
        Action.Acquire all = acquire;
        int stripes = stripesByLease[acquire.lease()];
        if (acquire.stripes() == null && stripes > 0 && !random.oneIn(4)) {
            all = all.with("stripes", random.oneIn(4) ? 1 + random.pick(STRIPES) : stripes);
        }
        if (acquire.atLeastNanos() == null && keepsFree && random.oneIn(6)) {
            all = all.with("atLeastNanos", random.spread(MILLI, 5 * SECOND));
        }
        if (cancels && !acquire.campaigns() && random.oneIn(3)) {
            long afterNanos =
                    random.coin() ? random.spread(MICRO, 300 * MILLI) : random.upTo(acquire.waitNanos() + SECOND);
            all = all.with("cancelNanos", afterNanos);
        }
        return all;
    }
}
