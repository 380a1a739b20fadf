package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MICRO;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.conditions.SeededRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A plan in the making: stories add their commands in any order of time. */
final class Draft {

    private static final int HOLDERS = 3;

    private final SeededRandom seededRandom;
    private final Mix mix;
    private final Setting setting;
    private final List<Machine> machines;
    private final List<MessageFault.Kind> fates;
    private final int fatePpm;
    private final boolean suspendsStopClocks;
    private final StripeDraw stripes;
    private final CancelDraw cancels;
    private final List<Command> commands = new ArrayList<>(64);

    Draft(
            SeededRandom seededRandom,
            Mix mix,
            Setting setting,
            List<Machine> machines,
            List<MessageFault.Kind> fates,
            int fatePpm,
            StripeDraw stripes,
            CancelDraw cancels) {
        this.seededRandom = seededRandom;
        this.mix = mix;
        this.setting = setting;
        this.machines = machines;
        this.fates = fates;
        this.fatePpm = fates.isEmpty() ? 0 : fatePpm;
        this.suspendsStopClocks = seededRandom.coin();
        this.stripes = stripes;
        this.cancels = cancels;
    }

    SeededRandom seededRandom() {
        return seededRandom;
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
        keepWallsInRange();
        return commands;
    }

    /** A step that would lead out of the range ends where the range does. */
    private void keepWallsInRange() {
        long[] wallNanos = new long[machines.size()];
        for (int i = 0; i < wallNanos.length; i++) {
            wallNanos[i] = machines.get(i).wallNanos();
        }
        for (int i = 0; i < commands.size(); i++) {
            Command command = commands.get(i);
            if (command.action() instanceof Action.WallStep step) {
                int machine = command.machine();
                long nextNanos = PlanRules.nearestWallNanos(wallNanos[machine] + step.byNanos());
                Action.WallStep kept = new Action.WallStep(nextNanos - wallNanos[machine]);
                commands.set(i, new Command(command.atNanos(), machine, command.seed(), command.fault(), kept));
                wallNanos[machine] = nextNanos;
            }
        }
    }

    // ---- who, which and when ----

    /** A machine on which commands run. The last one is the observer's. */
    int machine() {
        return seededRandom.pick(machines.size() - 1);
    }

    /** Another one than that, if there is one. */
    int otherThan(int machine) {
        int working = machines.size() - 1;
        return working == 1 ? machine : (machine + 1 + seededRandom.pick(working - 1)) % working;
    }

    /** A machine that may die for good: never the first one. The first one itself if it is alone. */
    int mortal() {
        return otherThan(0);
    }

    /** The machine whose clock runs slowest at the beginning. */
    int slowest() {
        int found = 0;
        for (int i = 1; i < machines.size() - 1; i++) {
            if (ppb(i) < ppb(found)) {
                found = i;
            }
        }
        return found;
    }

    /** The machine whose clock runs fastest at the beginning, and not the slowest one. */
    int fastest() {
        int slowest = slowest();
        int found = otherThan(slowest);
        for (int i = 0; i < machines.size() - 1; i++) {
            if (i != slowest && ppb(i) > ppb(found)) {
                found = i;
            }
        }
        return found;
    }

    private long ppb(int machine) {
        return machines.get(machine).rates().get(0).ppb();
    }

    int lease() {
        return seededRandom.pick(setting.leases());
    }

    /** Mostly the machine's own one. */
    int holder(int machine) {
        return seededRandom.oneIn(4) ? seededRandom.pick(HOLDERS) : machine;
    }

    /** Any instant. */
    long instant() {
        return seededRandom.upTo(setting.lengthNanos());
    }

    /** An instant that leaves room for what takes so long, if there is any. */
    long instantBefore(long nanos) {
        return seededRandom.upTo(Math.max(setting.lengthNanos() / 4, setting.lengthNanos() - nanos));
    }

    /** A moment: at once, or within what messages take. */
    long moment() {
        return seededRandom.oneIn(3) ? seededRandom.upTo(10) : seededRandom.spread(MICRO, 100 * MILLI);
    }

    /** The term of a lease: mostly a few seconds. */
    long term() {
        if (mix.exact()) {
            return exact(seededRandom.between(SECOND, 6 * SECOND));
        }
        return seededRandom.oneIn(8)
                ? seededRandom.spread(MILLI, SECOND)
                : seededRandom.between(SECOND, seededRandom.coin() ? 5 * SECOND : 15 * SECOND);
    }

    /** Rounded down so that its stretch by the drift is a whole number of nanoseconds, on either clock and in true time. */
    private long exact(long nanos) {
        long slowest = 1_000_000 - setting.driftPpm();
        return nanos - nanos % slowest;
    }

    /** How long others wait on their clocks before they take a lease of that term. */
    long stretched(long termNanos) {
        return termNanos / (1_000_000 - setting.driftPpm()) * (1_000_000 + setting.driftPpm());
    }

    /** For how long some trouble lasts. */
    long trouble() {
        return seededRandom.oneIn(3)
                ? seededRandom.between(SECOND, 15 * SECOND)
                : seededRandom.spread(MILLI, 4 * SECOND);
    }

    /** Off the instant that is aimed at. */
    long offset() {
        return seededRandom.oneIn(8) ? seededRandom.between(-MILLI, MILLI) : seededRandom.between(-1, 1);
    }

    /** A rate that keeps to the drift bound, half of the time one of its ends. */
    long ppbWithin() {
        long boundPpb = setting.driftPpm() * 1_000;
        return switch (seededRandom.pick(4)) {
            case 0 -> -boundPpb;
            case 1 -> boundPpb;
            default -> seededRandom.between(-boundPpb, boundPpb);
        };
    }

    /** Whether the monotonic clock stops when a machine is suspended. */
    boolean suspendStops() {
        return suspendsStopClocks && !seededRandom.oneIn(4);
    }

    /** Not in histories where a suspend may stop the monotonic clock: that would hide it, and nothing could be promised. */
    boolean wallMayStepBack() {
        return !suspendsStopClocks;
    }

    Action.Choice newest(int lease) {
        return new Action.Choice(lease, 0);
    }

    /** Mostly the newest tenure. */
    Action.Choice tenure(int lease) {
        return new Action.Choice(lease, seededRandom.oneIn(5) ? 1 + seededRandom.pick(2) : 0);
    }

    // ---- what is done ----

    /** Does it, with a fate of its own if this history has some. What comes after the end is left out. */
    void add(long atNanos, int machine, Action action) {
        add(
                atNanos,
                machine,
                seededRandom.chance(fatePpm)
                        ? fate(fates.get(seededRandom.pick(fates.size())), machine, atNanos)
                        : null,
                action);
    }

    /**
     * Does it, and that befalls a message of its machine. What was to come before the beginning comes at the beginning; what
     * would last longer than the history ends with it.
     */
    void add(long atNanos, int machine, @Nullable MessageFault fault, Action action) {
        if (atNanos <= setting.lengthNanos()) {
            long fromNanos = Math.max(0, atNanos);
            commands.add(new Command(
                    fromNanos,
                    machine,
                    seededRandom.next(),
                    fault,
                    cancels.given(stripes.given(Ending.within(setting.lengthNanos() - fromNanos, action)))));
        }
    }

    /** A fate of that kind, which leaves enough of the history after it. */
    MessageFault fate(MessageFault.Kind kind, int machine, long atNanos) {
        long leftNanos = Math.max(1, (setting.lengthNanos() - atNanos) / 2);
        boolean forEver = kind.isCrash() && machine != 0 && seededRandom.oneIn(16);
        long delayNanos =
                forEver ? PlanRules.NEVER_NANOS : Math.min(leftNanos, seededRandom.spread(MICRO, 10 * SECOND));
        return new MessageFault(kind, seededRandom.pick(5), kind.hasDelay() ? delayNanos : 0);
    }
}
