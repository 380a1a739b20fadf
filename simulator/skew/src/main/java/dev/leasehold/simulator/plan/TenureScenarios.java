package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;
import static dev.leasehold.simulator.plan.PlanBuilder.newest;
import static dev.leasehold.simulator.plan.PlanRules.NEVER_NANOS;

import dev.leasehold.simulator.conditions.SeededRandom;
import dev.leasehold.simulator.plan.Action.Acquire;

/** What services do with tenures, and operators with leases. */
final class TenureScenarios {

    private TenureScenarios() {}

    /** A single call. */
    static void calls(PlanBuilder plan) {
        int machine = plan.machine();
        Action call = switch (plan.random().pick(8)) {
            case 0 -> new Action.Refresh();
            case 1 -> new Action.Expire(plan.lease());
            case 2 -> plan.random().coin() ? new Action.Housekeeping() : new Action.ListAll();
            default -> write(plan, plan.lease(), machine);
        };
        plan.add(plan.instant(), machine, call);
    }

    private static Action write(PlanBuilder plan, int lease, int machine) {
        return switch (plan.random().pick(8)) {
            case 0, 1 -> new Action.TakeOver(lease, plan.holder(machine), plan.term());
            case 2, 3 -> new Action.Extend(plan.tenure(lease), plan.term());
            case 4 -> new Action.Release(plan.tenure(lease));
            default -> new Action.Claim(lease, plan.holder(machine), plan.term());
        };
    }

    /** All machines want the same lease at nearly the same instant, or the callers of one engine want several at the same instant. */
    static void contention(PlanBuilder plan) {
        SeededRandom random = plan.random();
        long atNanos = plan.instant();
        int machine = plan.machine();
        int lease = plan.lease();
        boolean isBatch = random.oneIn(3);
        for (int i = 2 + random.pick(3); i > 0; i--) {
            int caller = isBatch ? machine : plan.machine();
            int wanted = isBatch ? plan.lease() : lease;
            plan.add(atNanos + (isBatch ? 0 : random.upTo(5 * MILLI)), caller, write(plan, wanted, plan.machine()));
        }
    }

    /** A holder releases its lease, and claims it again here or elsewhere, while the old tenure is still extended, released, asserted. */
    static void succession(PlanBuilder plan) {
        SeededRandom random = plan.random();
        int lease = plan.lease();
        int machine = plan.machine();
        long atNanos = plan.instantBefore(3 * SECOND);
        plan.claim(atNanos, machine, lease, plan.term());
        long releasedNanos = atNanos + random.spread(MILLI, 2 * SECOND);
        plan.release(releasedNanos, machine, lease);
        long againNanos = releasedNanos + (random.coin() ? plan.moment() : random.spread(MILLI, SECOND));
        int next = random.oneIn(3) ? plan.otherThan(machine) : machine;
        plan.add(againNanos, next, new Action.Claim(lease, machine, plan.term()));
        long oldNanos = releasedNanos + random.between(-50 * MILLI, SECOND);
        Action.Choice old = new Action.Choice(lease, oldNanos < releasedNanos ? 0 : 1);
        Action late = switch (random.pick(4)) {
            case 0 -> new Action.Release(old);
            case 1 -> new Action.Extend(old, plan.term());
            default -> plan.gate(old);
        };
        plan.add(oldNanos, plan.machine(), late);
    }

    /** One holder works through two engines: what the one claims the other extends, and the other way round. */
    static void sharedTenure(PlanBuilder plan) {
        SeededRandom random = plan.random();
        int lease = plan.lease();
        int first = plan.machine();
        int second = plan.otherThan(first);
        long atNanos = plan.instantBefore(10 * SECOND);
        plan.claim(atNanos, first, lease, plan.term());
        for (int i = 1 + random.pick(4); i > 0; i--) {
            atNanos += random.spread(MILLI, 4 * SECOND);
            long forNanos = random.oneIn(3) ? random.between(MILLI, plan.term()) : plan.term();
            plan.extend(atNanos, random.coin() ? first : second, lease, forNanos);
        }
        if (random.oneIn(3)) {
            plan.release(atNanos + plan.moment(), second, lease);
        }
    }

    /**
     * Another engine extends a tenure for long, its own one for a short time, and then that one falls silent until it has lost it. When it
     * can be heard again it extends and releases it, and another one waits for it.
     */
    static void lostShare(PlanBuilder plan) {
        SeededRandom random = plan.random();
        long termNanos = plan.handleTerm();
        long atNanos = plan.instantBefore(3 * termNanos + 3 * SECOND);
        int lease = plan.lease();
        int own = plan.machine();
        int other = plan.otherThan(own);
        plan.add(atNanos, own, new Acquire(lease, plan.holder(own), termNanos, SECOND / 2, NEVER_NANOS));
        long longNanos = atNanos + random.between(SECOND / 2, termNanos);
        plan.extend(longNanos, other, lease, 3 * termNanos);
        long silentNanos = longNanos + random.between(100 * MILLI, SECOND);
        if (random.coin()) {
            plan.extend(silentNanos, own, lease, random.between(SECOND, termNanos));
            silentNanos += random.spread(10 * MILLI, SECOND);
        }
        long forNanos = termNanos * random.between(80, 140) / 100;
        plan.add(silentNanos, own, plan.silence(forNanos));
        if (random.coin()) {
            long heardNanos = silentNanos + forNanos - random.upTo(200 * MILLI);
            plan.extend(heardNanos, own, lease, 3 * termNanos);
            plan.release(heardNanos + plan.moment(), own, lease);
            long askedNanos = heardNanos - random.upTo(SECOND);
            plan.add(askedNanos, other, new Acquire(lease, null, null, 5 * SECOND, plan.keeping()));
        }
    }

    /** A lease is forced to expire, or pinned; most pins are taken away again. */
    static void operators(PlanBuilder plan) {
        SeededRandom random = plan.random();
        long atNanos = plan.instant();
        int lease = plan.lease();
        int entity = random.pick(2);
        if (random.coin()) {
            plan.add(atNanos, plan.machine(), new Action.ForceExpire(lease));
            return;
        }
        plan.add(atNanos, plan.machine(), new Action.Pin(lease, entity));
        if (!random.oneIn(5)) {
            plan.add(atNanos + random.spread(MILLI, 10 * SECOND), plan.machine(), new Action.Unpin(lease, entity));
        }
    }

    // ---- transactions of callers ----

    /** One transaction; or two that conflict, of which one may forget to assert when it is run again, and the tenure ends meanwhile. */
    static void gate(PlanBuilder plan) {
        SeededRandom random = plan.random();
        int lease = plan.lease();
        int machine = plan.machine();
        if (!random.oneIn(3)) {
            plan.add(plan.instant(), machine, plan.gate(plan.tenure(lease)));
            return;
        }
        long atNanos = plan.instantBefore(2 * SECOND);
        plan.claim(atNanos, machine, lease, plan.term());
        long gateNanos = atNanos + random.spread(MILLI, SECOND);
        plan.add(gateNanos, machine, new Action.Gate(newest(lease), 0, random.spread(MILLI, SECOND), false));
        Action second = new Action.Gate(newest(lease), random.spread(MILLI, SECOND), plan.thinking(), random.coin());
        plan.add(gateNanos + plan.moment(), plan.machine(), second);
        Action end = random.coin() ? new Action.Release(newest(lease)) : new Action.ForceExpire(lease);
        plan.add(gateNanos + random.upTo(SECOND), machine, end);
    }

    /** A transaction begins before the end of the lease and commits after it, while another machine takes the lease. */
    static void straddle(PlanBuilder plan) {
        SeededRandom random = plan.random();
        int lease = plan.lease();
        int machine = plan.machine();
        long termNanos = plan.term();
        long atNanos = plan.instantBefore(2 * termNanos);
        plan.claim(atNanos, machine, lease, termNanos);
        long beforeNanos = random.spread(MILLI, SECOND);
        long afterNanos = random.spread(MILLI, SECOND);
        long gateNanos = atNanos + termNanos - random.upTo(beforeNanos + afterNanos);
        Action gate = new Action.Gate(newest(lease), beforeNanos, afterNanos, random.oneIn(8));
        plan.add(Math.max(atNanos, gateNanos), machine, gate);
        plan.add(
                atNanos + plan.moment(),
                plan.otherThan(machine),
                plan.aim(Action.Move.TAKE_OVER, lease, random.oneIn(3) ? machine : plan.machine()));
    }

    /**
     * Transactions of one holder spread over gate stripes, while its tenure ends in one way or another and the next one begins. Some of
     * them go on asserting the tenure of before.
     */
    static void striped(PlanBuilder plan) {
        SeededRandom random = plan.random();
        int lease = plan.lease();
        int machine = plan.machine();
        int other = plan.otherThan(machine);
        int stripes = 1 + random.pick(4);
        Integer holder = plan.holderOrNone(machine);
        long atNanos = plan.instantBefore(8 * SECOND);
        long keptNanos = random.spread(100 * MILLI, 2 * SECOND);
        plan.add(atNanos, machine, new Acquire(lease, holder, null, SECOND, keptNanos).with("stripes", stripes));
        gates(plan, machine, lease, atNanos, keptNanos);
        if (random.coin()) {
            plan.add(atNanos + random.upTo(keptNanos), other, new Action.ForceExpire(lease));
        }
        boolean isSame = random.coin();
        Acquire next =
                new Acquire(lease, isSame ? holder : null, null, 4 * SECOND, random.spread(100 * MILLI, 3 * SECOND));
        long endNanos = atNanos + keptNanos;
        plan.add(
                endNanos + plan.moment(),
                isSame ? machine : other,
                next.with("stripes", random.coin() ? null : random.pick(stripes)));
        gates(plan, machine, lease, endNanos - SECOND / 2, 2 * SECOND);
    }

    /** Several transactions on one machine within a time, beside each other or not. */
    private static void gates(PlanBuilder plan, int machine, int lease, long fromNanos, long withinNanos) {
        for (int i = 2 + plan.random().pick(3); i > 0; i--) {
            Action.Choice tenure = new Action.Choice(lease, plan.random().pick(2));
            plan.add(fromNanos + plan.random().upTo(withinNanos), machine, plan.gate(tenure));
        }
    }
}
