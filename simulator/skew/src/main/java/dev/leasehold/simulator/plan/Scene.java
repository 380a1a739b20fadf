package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MICRO;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;
import static dev.leasehold.simulator.plan.PlanRules.NEVER_NANOS;

import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.conditions.SeededRandom;
import org.jspecify.annotations.Nullable;

/** What a scenario is told with: the lease and the machines that it is about, instants, durations, and what is done. */
abstract class Scene {

    private static final int HOLDERS = 3;

    final SeededRandom random;
    final Setting setting;
    final int lease;
    final int machine;
    final int other;
    private final PlanBuilder plan;

    Scene(PlanBuilder plan) {
        this.plan = plan;
        this.random = plan.random();
        this.setting = plan.setting();
        this.lease = lease();
        this.machine = machine();
        this.other = otherThan(machine);
    }

    // ---- which machine, lease and holder ----

    int machine() {
        return random.pick(plan.working());
    }

    /** Another one than that, if there is one. */
    int otherThan(int machine) {
        return plan.working() == 1 ? machine : (machine + 1 + random.pick(plan.working() - 1)) % plan.working();
    }

    /** The machine whose clock runs slowest at the beginning. */
    int slowest() {
        return plan.bySpeed(0);
    }

    /** The machine whose clock runs fastest at the beginning. */
    int fastest() {
        return plan.bySpeed(plan.working() - 1);
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

    Action.Choice newest() {
        return new Action.Choice(lease, 0);
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
        if (plan.isExact()) {
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
        return random.oneIn(4) ? NEVER_NANOS : random.spread(MILLI, random.coin() ? 5 * SECOND : 30 * SECOND);
    }

    /** For how long a fault lasts. */
    long outage() {
        return random.oneIn(3) ? random.between(SECOND, 15 * SECOND) : random.spread(MILLI, 4 * SECOND);
    }

    // ---- what ----

    Action aim(Action.Move move, int machine) {
        long offsetNanos = random.oneIn(8) ? random.between(-MILLI, MILLI) : random.between(-1, 1);
        return new Action.Aim(move, lease, holder(machine), offsetNanos, term());
    }

    Action.Acquire acquire(int machine) {
        return acquire(machine, waiting(), keeping());
    }

    Action.Acquire acquire(int machine, long waitNanos, long keepNanos) {
        return new Action.Acquire(lease, holderOrNone(machine), handleTermOneIn(3), waitNanos, keepNanos);
    }

    /** A candidate of a leader election. */
    Action.Acquire candidate(long keepNanos) {
        return new Action.Acquire(lease, null, handleTermOneIn(3), 0, keepNanos).with("elects", true);
    }

    /** What keeps a machine from the database for so long. */
    Action silence(long nanos) {
        return switch (random.pick(4)) {
            case 0 -> new Action.Pause(nanos);
            case 1 -> suspend(nanos);
            case 2 -> new Action.Crash(nanos, ConditionGenerator.origin(random));
            default -> new Action.CutOff(nanos);
        };
    }

    Action suspend(long nanos) {
        return new Action.Suspend(nanos, plan.suspendsStopClocks() && !random.oneIn(4));
    }

    /** A step of a wall clock; not back where a suspend may stop the monotonic clock, which that would hide. */
    Action wallStep(long byNanos) {
        return new Action.WallStep(plan.suspendsStopClocks() ? Math.abs(byNanos) : byNanos);
    }

    void claim(long atNanos, int machine, long termNanos) {
        add(atNanos, machine, new Action.Claim(lease, machine, termNanos));
    }

    void takeOver(long atNanos, int machine) {
        add(atNanos, machine, new Action.TakeOver(lease, machine, term()));
    }

    void extend(long atNanos, int machine, long termNanos) {
        add(atNanos, machine, new Action.Extend(newest(), termNanos));
    }

    void release(long atNanos, int machine) {
        add(atNanos, machine, new Action.Release(newest()));
    }

    /** Does it, with a fault of its own if this history has some. */
    void add(long atNanos, int machine, Action action) {
        plan.add(atNanos, machine, plan.faultOrNone(machine, atNanos), action);
    }

    /** Does it with that fault of a message of its machine, or none. */
    void add(long atNanos, int machine, @Nullable MessageFault fault, Action action) {
        plan.add(atNanos, machine, fault, action);
    }
}
