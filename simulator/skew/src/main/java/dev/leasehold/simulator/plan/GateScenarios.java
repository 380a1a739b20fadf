package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;
import static dev.leasehold.simulator.plan.PlanBuilder.newest;

import dev.leasehold.simulator.conditions.SeededRandom;
import dev.leasehold.simulator.plan.Action.Acquire;

/** What callers do in transactions of their own. */
final class GateScenarios {

    private GateScenarios() {}

    /** One transaction; or two that conflict, of which one may forget to assert when it is run again, and the tenure ends meanwhile. */
    static void gate(PlanBuilder plan) {
        SeededRandom random = plan.random();
        int lease = plan.lease();
        if (!random.oneIn(3)) {
            plan.add(
                    plan.instant(),
                    plan.machine(),
                    new Action.Gate(plan.tenure(lease), plan.thinking(), plan.thinking(), false));
            return;
        }
        int machine = plan.machine();
        long atNanos = plan.instantBefore(2 * SECOND);
        plan.add(atNanos, machine, new Action.Claim(lease, machine, plan.term()));
        long gateNanos = atNanos + random.spread(MILLI, SECOND);
        plan.add(gateNanos, machine, new Action.Gate(newest(lease), 0, random.spread(MILLI, SECOND), false));
        plan.add(
                gateNanos + plan.moment(),
                plan.machine(),
                new Action.Gate(newest(lease), random.spread(MILLI, SECOND), plan.thinking(), random.coin()));
        Action end = random.coin() ? new Action.Release(newest(lease)) : new Action.ForceExpire(lease);
        plan.add(gateNanos + random.upTo(SECOND), machine, end);
    }

    /** A transaction begins before the end of the lease and commits after it, while somebody takes the lease. */
    static void straddle(PlanBuilder plan) {
        SeededRandom random = plan.random();
        int lease = plan.lease();
        int machine = plan.machine();
        int other = plan.otherThan(machine);
        long termNanos = plan.term();
        long atNanos = plan.instantBefore(2 * termNanos);
        plan.add(atNanos, machine, new Action.Claim(lease, machine, termNanos));
        long beforeNanos = random.spread(MILLI, SECOND);
        long afterNanos = random.spread(MILLI, SECOND);
        long gateNanos = atNanos + termNanos - random.upTo(beforeNanos + afterNanos);
        plan.add(
                Math.max(atNanos, gateNanos),
                machine,
                new Action.Gate(newest(lease), beforeNanos, afterNanos, random.oneIn(8)));
        int taker = random.oneIn(3) ? machine : other;
        plan.add(
                atNanos + plan.moment(),
                other,
                new Action.Aim(Action.Move.TAKE_OVER, lease, taker, plan.offset(), termNanos));
    }

    /**
     * Transactions of one holder spread over gate stripes, while its tenure ends in one way or another and the next one begins. Some of
     * them go on asserting the tenure of before.
     */
    static void striped(PlanBuilder plan) {
        SeededRandom random = plan.random();
        int lease = plan.lease();
        int machine = plan.machine();
        int stripes = 1 + random.pick(4);
        Integer holder = plan.holderOrNone(machine);
        long atNanos = plan.instantBefore(8 * SECOND);
        long keptNanos = random.spread(100 * MILLI, 2 * SECOND);
        plan.add(atNanos, machine, new Acquire(lease, holder, null, SECOND, keptNanos).with("stripes", stripes));
        gates(plan, machine, lease, atNanos, keptNanos);
        if (random.coin()) {
            plan.add(atNanos + random.upTo(keptNanos), plan.otherThan(machine), new Action.ForceExpire(lease));
        }
        int next = random.coin() ? machine : plan.otherThan(machine);
        plan.add(
                atNanos + keptNanos + plan.moment(),
                next,
                new Acquire(
                                lease,
                                next == machine ? holder : null,
                                null,
                                4 * SECOND,
                                random.spread(100 * MILLI, 3 * SECOND))
                        .with("stripes", random.coin() ? null : random.pick(stripes)));
        gates(plan, machine, lease, atNanos + keptNanos - SECOND / 2, 2 * SECOND);
    }

    /** Several transactions on one machine within a time, beside each other or not. */
    private static void gates(PlanBuilder plan, int machine, int lease, long fromNanos, long withinNanos) {
        for (int i = 2 + plan.random().pick(3); i > 0; i--) {
            Action.Choice tenure = new Action.Choice(lease, plan.random().pick(2));
            plan.add(
                    fromNanos + plan.random().upTo(withinNanos),
                    machine,
                    new Action.Gate(tenure, plan.thinking(), plan.thinking(), false));
        }
    }
}
