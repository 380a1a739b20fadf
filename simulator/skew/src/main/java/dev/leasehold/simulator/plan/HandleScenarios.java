package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;
import static dev.leasehold.simulator.plan.PlanRules.NEVER_NANOS;

import dev.leasehold.simulator.conditions.DamageKind;
import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.conditions.MessageFault.Kind;
import dev.leasehold.simulator.conditions.SeededRandom;
import dev.leasehold.simulator.plan.Action.Acquire;

/** What services do with handles: leases of the session, terms that are renewed, elections. */
final class HandleScenarios {

    private HandleScenarios() {}

    /** A lease is acquired, for the session or for a term, and sometimes it is claimed for a term before or after. */
    static void handle(PlanBuilder plan) {
        SeededRandom random = plan.random();
        int lease = plan.lease();
        int machine = plan.machine();
        long atNanos = plan.instant();
        plan.add(atNanos, machine, plan.acquire(lease, machine));
        if (random.oneIn(6)) {
            int other = plan.otherThan(machine);
            long otherNanos = atNanos + random.between(-6 * SECOND, 6 * SECOND);
            plan.add(otherNanos, other, new Action.TakeOver(lease, other, plan.term()));
            plan.extend(otherNanos + plan.moment(), other, lease, plan.term());
        }
    }

    /** One keeps a lease for a while, and others wait for it. */
    static void waiters(PlanBuilder plan) {
        SeededRandom random = plan.random();
        long atNanos = plan.instantBefore(10 * SECOND);
        int lease = plan.lease();
        int first = plan.machine();
        long keptNanos = random.spread(MILLI, 10 * SECOND);
        plan.add(atNanos, first, plan.acquire(lease, first, 0, keptNanos));
        for (int i = 1 + random.pick(3); i > 0; i--) {
            int machine = plan.machine();
            long askedNanos = atNanos + (random.coin() ? plan.moment() : random.upTo(keptNanos));
            long waitNanos = 2 * keptNanos + random.upTo(10 * SECOND);
            long keepNanos = random.oneIn(4) ? plan.keeping() : random.spread(MILLI, 3 * SECOND);
            plan.add(askedNanos, machine, plan.acquire(lease, machine, waitNanos, keepNanos));
        }
    }

    /** Several processes elect a leader. Now and then one is closed, or its lease is forced to expire. */
    static void election(PlanBuilder plan) {
        SeededRandom random = plan.random();
        long atNanos = plan.instantBefore(15 * SECOND);
        int lease = plan.lease();
        for (int i = 2 + random.pick(2); i > 0; i--) {
            long keptNanos = random.coin() ? NEVER_NANOS : random.spread(SECOND, 20 * SECOND);
            plan.add(atNanos + random.upTo(SECOND), plan.machine(), plan.candidate(lease, keptNanos));
        }
        if (random.oneIn(3)) {
            plan.add(atNanos + random.between(SECOND, 10 * SECOND), plan.machine(), new Action.ForceExpire(lease));
        }
    }

    /** A service that holds a lease is deployed anew: its engine closes, the next one starts, and another service may wait for the lease. */
    static void redeployment(PlanBuilder plan) {
        SeededRandom random = plan.random();
        long atNanos = plan.instantBefore(8 * SECOND);
        int lease = plan.lease();
        int machine = plan.machine();
        Acquire handle = new Acquire(lease, null, plan.handleTermOneIn(4), SECOND / 2, NEVER_NANOS);
        plan.add(atNanos, machine, random.oneIn(4) ? plan.candidate(lease, NEVER_NANOS) : handle);
        long restartedNanos = atNanos + random.between(SECOND, 4 * SECOND);
        plan.add(restartedNanos, machine, new Action.Restart());
        if (random.coin()) {
            int other = plan.otherThan(machine);
            plan.add(restartedNanos - random.upTo(SECOND), other, plan.acquire(lease, other, 5 * SECOND, SECOND));
        }
    }

    /** A short job is to be had for longer than it runs, and others want it meanwhile: at once, or at the very end of that time. */
    static void keptFree(PlanBuilder plan) {
        SeededRandom random = plan.random();
        int lease = plan.lease();
        long atLeastNanos = random.between(100 * MILLI, 8 * SECOND);
        long keptNanos = random.spread(MILLI, 2 * SECOND);
        long atNanos = plan.instantBefore(atLeastNanos + 2 * SECOND);
        Acquire job = new Acquire(lease, null, null, SECOND / 2, keptNanos).with("atLeastNanos", atLeastNanos);
        plan.add(atNanos, plan.machine(), job.with("termNanos", plan.handleTermOneIn(4)));
        for (int others = 1 + random.pick(3); others > 0; others--) {
            long askedNanos = random.coin()
                    ? atNanos + random.upTo(atLeastNanos)
                    : atNanos + plan.stretched(atLeastNanos) - random.upTo(20 * MILLI);
            plan.add(askedNanos, plan.machine(), job.with("waitNanos", random.oneIn(3) ? 0L : atLeastNanos));
        }
    }

    /** A session is not heard of for so long that another engine takes its lease, at the very instant or while waiting. */
    static void eviction(PlanBuilder plan) {
        SeededRandom random = plan.random();
        long sessionNanos = plan.setting().sessionNanos();
        long atNanos = plan.instantBefore(2 * sessionNanos + 2 * SECOND);
        int lease = plan.lease();
        int holder = plan.machine();
        int taker = plan.otherThan(holder);
        Acquire handle = new Acquire(lease, plan.holderOrNone(holder), null, 0, NEVER_NANOS);
        plan.add(atNanos, holder, random.oneIn(4) ? plan.candidate(lease, NEVER_NANOS) : handle);
        long silentNanos = atNanos + random.between(MILLI, sessionNanos);
        plan.add(silentNanos, holder, aboutASession(plan));
        Action taking = random.coin()
                ? plan.aim(Action.Move.ACQUIRE, lease, taker)
                : new Acquire(lease, plan.holderOrNone(taker), null, 3 * sessionNanos, plan.keeping());
        plan.add(silentNanos + random.upTo(sessionNanos / 2), taker, taking);
    }

    /** A silence that is a little shorter or longer than the session, so that heartbeat and eviction meet. */
    private static Action aboutASession(PlanBuilder plan) {
        return plan.silence(plan.setting().sessionNanos() * plan.random().between(60, 140) / 100);
    }

    /** A holder dies or falls silent, comes back here or on another machine, and wants its lease again; a stranger may want it too. */
    static void comeback(PlanBuilder plan) {
        SeededRandom random = plan.random();
        int lease = plan.lease();
        int old = plan.machine();
        int back = random.oneIn(3) ? old : plan.otherThan(old);
        int holder = plan.holder(old);
        long atNanos = plan.instantBefore(12 * SECOND);
        Action first = random.oneIn(4)
                ? new Action.Claim(lease, holder, plan.term())
                : new Acquire(lease, holder, plan.handleTermOneIn(2), 0, plan.keeping());
        plan.add(atNanos, old, first);
        long silentNanos = atNanos + (random.coin() ? plan.moment() : random.between(100 * MILLI, 3 * SECOND));
        if (!random.oneIn(4)) {
            plan.add(silentNanos, old, aboutASession(plan));
        }
        if (random.oneIn(3)) {
            Acquire stranger = new Acquire(lease, null, plan.handleTermOneIn(2), 10 * SECOND, plan.keeping());
            plan.add(silentNanos, random.coin() ? back : plan.machine(), stranger);
        }
        long backNanos = silentNanos + (random.oneIn(3) ? plan.moment() : random.spread(MILLI, 6 * SECOND));
        int again = random.oneIn(4) ? plan.holder(back) : holder;
        if (random.oneIn(3)) {
            plan.add(backNanos, back, new Action.TakeOver(lease, again, plan.term()));
            plan.extend(backNanos + plan.moment(), back, lease, plan.term());
        } else {
            Acquire anew = new Acquire(lease, again, plan.handleTermOneIn(2), plan.waiting(), plan.keeping());
            plan.add(backNanos, back, anew.with("supersede", true));
        }
    }

    /** A renewal fails, and it could succeed again long before the end. */
    static void failedRenewal(PlanBuilder plan) {
        SeededRandom random = plan.random();
        int lease = plan.lease();
        int machine = plan.machine();
        if (random.coin()) {
            failedHeartbeat(plan, lease, machine);
            return;
        }
        long operationNanos = plan.setting().operationNanos();
        long thirdNanos = 3 * operationNanos + random.between(10 * SECOND, 20 * SECOND);
        long untilNanos = plan.setting().lengthNanos() - random.between(operationNanos, 2 * operationNanos);
        long atNanos = Math.max(0, untilNanos - thirdNanos);
        Integer holder = plan.holderOrNone(machine);
        plan.add(atNanos, machine, new Acquire(lease, holder, 3 * thirdNanos, 0, NEVER_NANOS));
        plan.add(atNanos + thirdNanos - SECOND / 2, machine, new Action.CutOff(operationNanos + SECOND));
    }

    /** The same for a heartbeat. What is done for another lease keeps the session alive until there have been no faults for long enough. */
    private static void failedHeartbeat(PlanBuilder plan, int lease, int machine) {
        SeededRandom random = plan.random();
        Setting setting = plan.setting();
        long atNanos =
                Math.max(0, setting.lengthNanos() - setting.sessionNanos() - random.between(2 * SECOND, 6 * SECOND));
        plan.add(atNanos, machine, null, new Acquire(lease, null, null, SECOND / 2, NEVER_NANOS));
        long cutNanos = atNanos + setting.heartbeatNanos() - random.upTo(100 * MILLI);
        long spareNanos = setting.sessionNanos() - setting.heartbeatNanos() - setting.commandNanos();
        long backNanos = cutNanos + 250 * MILLI + random.upTo(Math.max(0, spareNanos / 2));
        plan.add(cutNanos, machine, null, new Action.CutOff(backNanos - cutNanos));
        long quietNanos = 2 * setting.operationNanos() + random.between(4 * SECOND, 10 * SECOND);
        long keptNanos = Math.max(0, setting.lengthNanos() - backNanos + quietNanos);
        int other = (lease + 1) % setting.leases();
        plan.add(backNanos, machine, null, new Acquire(other, null, plan.handleTerm(), SECOND / 2, keptNanos));
    }

    /** What a write has become is not heard of: the reply is lost, or the machine is cut off, or no majority has it in time. */
    static void unheard(PlanBuilder plan) {
        SeededRandom random = plan.random();
        long operationNanos = plan.setting().operationNanos();
        long atNanos = SECOND + plan.instantBefore(2 * operationNanos + 6 * SECOND);
        int lease = plan.lease();
        int machine = plan.machine();
        int other = plan.otherThan(machine);
        switch (random.pick(3)) {
            case 0 -> {
                // A lease is written for a session, and damaged before its engine can read what became of that.
                plan.add(atNanos - SECOND, machine, null, new Acquire(lease, null, null, SECOND / 2, 100 * MILLI));
                MessageFault lost = new MessageFault(Kind.LOSE_REPLY, random.pick(3), 0);
                plan.add(atNanos, machine, lost, new Acquire(lease, null, null, 0, plan.keeping()));
                long damagedNanos = atNanos + random.between(50 * MILLI, operationNanos / 2);
                plan.add(damagedNanos, machine, null, new Action.Damage(DamageKind.CORRUPT_LEASE, lease));
            }
            case 1 -> {
                // What another engine's session keeps is released on its holder's behalf, and acquired for it again.
                Integer holder = plan.holder(machine);
                plan.add(atNanos - SECOND, machine, new Acquire(lease, holder, null, 0, NEVER_NANOS));
                plan.add(atNanos, other, new Action.CutOff(operationNanos + random.spread(MILLI, 2 * SECOND)));
                plan.release(atNanos + random.upTo(operationNanos / 2), other, lease);
                long againNanos = atNanos + 2 * operationNanos + random.between(SECOND, 3 * SECOND);
                plan.add(againNanos, other, new Acquire(lease, holder, null, 0, plan.keeping()));
            }
            default -> {
                // A claim meets a conflict and is tried again, and then no majority has it in time.
                plan.claim(atNanos - random.between(SECOND / 2, SECOND), machine, lease, SECOND / 4);
                Action storm = new Action.Storm(1 + random.pick(5), random.between(20 * MILLI, 200 * MILLI));
                plan.add(atNanos - random.upTo(20 * MILLI), machine, null, storm);
                plan.add(atNanos, machine, new Action.TakeOver(lease, machine, plan.term()));
                long lagNanos = operationNanos + random.between(SECOND / 2, 2 * SECOND);
                plan.add(atNanos + random.upTo(20 * MILLI), machine, null, new Action.Lag(lagNanos));
            }
        }
    }
}
