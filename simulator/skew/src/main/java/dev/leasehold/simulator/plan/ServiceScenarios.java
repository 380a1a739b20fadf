package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;
import static dev.leasehold.simulator.plan.PlanBuilder.newest;

import dev.leasehold.simulator.conditions.SeededRandom;

/** What services do with tenures, and operators with leases. */
final class ServiceScenarios {

    private ServiceScenarios() {}

    /** A single call. */
    static void tenureCalls(PlanBuilder plan) {
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
            plan.add(
                    isBatch ? atNanos : atNanos + random.upTo(5 * MILLI),
                    isBatch ? machine : plan.machine(),
                    write(plan, isBatch ? plan.lease() : lease, plan.machine()));
        }
    }

    /** A holder gives its lease up, and claims it again here or elsewhere, while the old tenure is still extended, released, asserted. */
    static void succession(PlanBuilder plan) {
        SeededRandom random = plan.random();
        int lease = plan.lease();
        int machine = plan.machine();
        long atNanos = plan.instantBefore(3 * SECOND);
        plan.add(atNanos, machine, new Action.Claim(lease, machine, plan.term()));
        long releasedNanos = atNanos + random.spread(MILLI, 2 * SECOND);
        plan.add(releasedNanos, machine, new Action.Release(newest(lease)));
        long againNanos = releasedNanos + (random.coin() ? plan.moment() : random.spread(MILLI, SECOND));
        plan.add(
                againNanos,
                random.oneIn(3) ? plan.otherThan(machine) : machine,
                new Action.Claim(lease, machine, plan.term()));
        long oldNanos = releasedNanos + random.between(-50 * MILLI, SECOND);
        Action.Choice old = new Action.Choice(lease, oldNanos < releasedNanos ? 0 : 1);
        plan.add(
                oldNanos,
                plan.machine(),
                switch (random.pick(4)) {
                    case 0 -> new Action.Release(old);
                    case 1 -> new Action.Extend(old, plan.term());
                    default -> new Action.Gate(old, plan.thinking(), plan.thinking(), false);
                });
    }

    /** One holder works through two engines: what the one claims the other extends, and the other way round. */
    static void sharedTenure(PlanBuilder plan) {
        SeededRandom random = plan.random();
        int lease = plan.lease();
        int first = plan.machine();
        int second = plan.otherThan(first);
        long atNanos = plan.instantBefore(10 * SECOND);
        plan.add(atNanos, first, new Action.Claim(lease, first, plan.term()));
        for (int i = 1 + random.pick(4); i > 0; i--) {
            atNanos += random.spread(MILLI, 4 * SECOND);
            long forNanos = random.oneIn(3) ? random.between(MILLI, plan.term()) : plan.term();
            plan.add(atNanos, random.coin() ? first : second, new Action.Extend(newest(lease), forNanos));
        }
        if (random.oneIn(3)) {
            plan.add(atNanos + plan.moment(), second, new Action.Release(newest(lease)));
        }
    }

    /**
     * Another engine extends a tenure for long, its own one for a short time, and then that one falls silent until it has lost it. When it
     * can be heard again it extends and releases it, and somebody waits for it.
     */
    static void lostShare(PlanBuilder plan) {
        SeededRandom random = plan.random();
        long termNanos = plan.handleTerm();
        long atNanos = plan.instantBefore(3 * termNanos + 3 * SECOND);
        int lease = plan.lease();
        int own = plan.machine();
        int other = plan.otherThan(own);
        plan.add(
                atNanos,
                own,
                new Action.Acquire(lease, plan.holder(own), termNanos, SECOND / 2, PlanRules.NEVER_NANOS));
        long longNanos = atNanos + random.between(SECOND / 2, termNanos);
        plan.add(longNanos, other, new Action.Extend(newest(lease), 3 * termNanos));
        long silentNanos = longNanos + random.between(100 * MILLI, SECOND);
        if (random.coin()) {
            plan.add(silentNanos, own, new Action.Extend(newest(lease), random.between(SECOND, termNanos)));
            silentNanos += random.spread(10 * MILLI, SECOND);
        }
        long forNanos = termNanos * random.between(80, 140) / 100;
        plan.add(silentNanos, own, plan.silence(forNanos));
        if (random.coin()) {
            long heardNanos = silentNanos + forNanos - random.upTo(200 * MILLI);
            plan.add(heardNanos, own, new Action.Extend(newest(lease), 3 * termNanos));
            plan.add(heardNanos + plan.moment(), own, new Action.Release(newest(lease)));
            plan.add(
                    heardNanos - random.upTo(SECOND),
                    other,
                    new Action.Acquire(lease, null, null, 5 * SECOND, plan.keeping()));
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
        } else {
            plan.add(atNanos, plan.machine(), new Action.Pin(lease, entity));
            if (!random.oneIn(5)) {
                long laterNanos = random.spread(MILLI, 10 * SECOND);
                plan.add(atNanos + laterNanos, plan.machine(), new Action.Unpin(lease, entity));
            }
        }
    }
}
