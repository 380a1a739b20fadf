package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;
import static dev.leasehold.simulator.plan.PlanRules.NEVER_NANOS;

import dev.leasehold.simulator.conditions.DamageKind;
import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.plan.Action.Acquire;

/** What services do with handles: leases of the session, terms that are renewed, elections. */
final class HandleScenarios extends Scene {

    HandleScenarios(PlanBuilder plan) {
        super(plan);
    }

    /**
     * A lease is acquired, for the session or for a term. Sometimes it is claimed for a term before or after; sometimes the service is
     * deployed anew, so that its engine closes and the next one starts, and another service may wait for the lease.
     */
    void handle() {
        long atNanos = instant();
        boolean isRedeployed = random.oneIn(4);
        Acquire forGood = random.oneIn(4) ? candidate(NEVER_NANOS) : acquire(machine, SECOND / 2, NEVER_NANOS);
        add(atNanos, machine, isRedeployed ? forGood : acquire(machine));
        if (isRedeployed) {
            long restartedNanos = atNanos + random.between(SECOND, 4 * SECOND);
            add(restartedNanos, machine, new Action.Restart());
            if (random.coin()) {
                add(restartedNanos - random.upTo(SECOND), other, acquire(other, 5 * SECOND, SECOND));
            }
        } else if (random.oneIn(6)) {
            long otherNanos = atNanos + random.between(-6 * SECOND, 6 * SECOND);
            takeOver(otherNanos, other);
            extend(otherNanos + moment(), other, term());
        }
    }

    /** One keeps a lease for a while, and others wait for it. */
    void waiters() {
        long atNanos = instantBefore(10 * SECOND);
        long keptNanos = random.spread(MILLI, 10 * SECOND);
        add(atNanos, machine, acquire(machine, 0, keptNanos));
        for (int i = 1 + random.pick(3); i > 0; i--) {
            int waiter = machine();
            long askedNanos = atNanos + (random.coin() ? moment() : random.upTo(keptNanos));
            long waitNanos = 2 * keptNanos + random.upTo(10 * SECOND);
            long keepNanos = random.oneIn(4) ? keeping() : random.spread(MILLI, 3 * SECOND);
            add(askedNanos, waiter, acquire(waiter, waitNanos, keepNanos));
        }
    }

    /** One holds a lease, and many wait for it in all processes, by their sessions. They get it one after the other. */
    void queue() {
        queue(instantBefore(12 * SECOND));
    }

    private void queue(long atNanos) {
        long keptNanos = random.spread(10 * MILLI, 4 * SECOND);
        add(atNanos, machine, new Acquire(lease, holderOrNone(machine), null, SECOND / 2, keptNanos));
        for (int i = 3 + random.pick(4); i > 0; i--) {
            int waiter = machine();
            long askedNanos = atNanos + (random.coin() ? moment() : random.upTo(keptNanos));
            long keepNanos = random.oneIn(4) ? 0 : random.spread(MILLI, 2 * SECOND);
            long waitNanos = random.oneIn(4) ? random.spread(10 * MILLI, 2 * SECOND) : random.upTo(25 * SECOND);
            Integer holder = random.oneIn(4) ? (Integer) holder(waiter) : null;
            add(askedNanos, waiter, new Acquire(lease, holder, null, waitNanos, keepNanos));
        }
    }

    /** Meanwhile one of them is silent, or an operator ends the tenure, or pins the lease. */
    void disturbedQueue() {
        long atNanos = instantBefore(12 * SECOND);
        queue(atNanos);
        long disturbedNanos = atNanos + random.upTo(6 * SECOND);
        switch (random.pick(5)) {
            case 0, 1 -> add(disturbedNanos, machine(), aboutASession());
            case 2 -> add(disturbedNanos, machine(), silence(random.spread(10 * MILLI, 3 * SECOND)));
            case 3 -> add(disturbedNanos, machine(), new Action.ForceExpire(lease));
            default -> {
                add(disturbedNanos, machine(), new Action.Pin(lease, 0));
                add(disturbedNanos + random.spread(MILLI, 3 * SECOND), machine(), new Action.Unpin(lease, 0));
            }
        }
    }

    /** Several processes elect a leader. Now and then one is closed or steps down for another, or its lease is forced to expire. */
    void election() {
        long atNanos = instantBefore(15 * SECOND);
        for (int i = 2 + random.pick(2); i > 0; i--) {
            long keptNanos = random.coin() ? NEVER_NANOS : random.spread(SECOND, 20 * SECOND);
            add(atNanos + random.upTo(SECOND), machine(), candidate(keptNanos));
        }
        if (random.oneIn(3)) {
            add(atNanos + random.between(SECOND, 10 * SECOND), machine, new Action.ForceExpire(lease));
        }
        if (random.coin()) {
            long fromNanos = atNanos + random.between(SECOND, 10 * SECOND);
            add(fromNanos, machine, new Action.StepDownTo(lease, other));
            add(fromNanos + random.upTo(SECOND), other, new Action.StepDownTo(lease, machine));
        }
    }

    /** A short job is to be had for longer than it runs, and others want it meanwhile: at once, or at the very end of that time. */
    void keptFree() {
        long atLeastNanos = random.between(100 * MILLI, 8 * SECOND);
        long keptNanos = random.spread(MILLI, 2 * SECOND);
        long atNanos = instantBefore(atLeastNanos + 2 * SECOND);
        Acquire job = new Acquire(lease, null, null, SECOND / 2, keptNanos).with("atLeastNanos", atLeastNanos);
        add(atNanos, machine, job.with("termNanos", handleTermOneIn(4)));
        for (int others = 1 + random.pick(3); others > 0; others--) {
            long askedNanos = random.coin()
                    ? atNanos + random.upTo(atLeastNanos)
                    : atNanos + stretched(atLeastNanos) - random.upTo(20 * MILLI);
            add(askedNanos, machine(), job.with("waitNanos", random.oneIn(3) ? 0L : atLeastNanos));
        }
    }

    /** A session is not heard of for so long that another engine takes its lease, at the very instant or while waiting. */
    void eviction() {
        long sessionNanos = setting.sessionNanos();
        long atNanos = instantBefore(2 * sessionNanos + 2 * SECOND);
        Acquire handle = new Acquire(lease, holderOrNone(machine), null, 0, NEVER_NANOS);
        add(atNanos, machine, random.oneIn(4) ? candidate(NEVER_NANOS) : handle);
        long silentNanos = atNanos + random.between(MILLI, sessionNanos);
        add(silentNanos, machine, aboutASession());
        Action taking = random.coin()
                ? aim(Action.Move.ACQUIRE, other)
                : new Acquire(lease, holderOrNone(other), null, 3 * sessionNanos, keeping());
        add(silentNanos + random.upTo(sessionNanos / 2), other, taking);
    }

    /** A silence that is a little shorter or longer than the session, so that heartbeat and eviction meet. */
    private Action aboutASession() {
        return silence(setting.sessionNanos() * random.between(60, 140) / 100);
    }

    /** A holder dies or falls silent, comes back here or on another machine, and wants its lease again; a stranger may want it too. */
    void comeback() {
        int back = random.oneIn(3) ? machine : other;
        int holder = holder(machine);
        long atNanos = instantBefore(12 * SECOND);
        Action first = random.oneIn(4)
                ? new Action.Claim(lease, holder, term())
                : new Acquire(lease, holder, handleTermOneIn(2), 0, keeping());
        add(atNanos, machine, first);
        long silentNanos = atNanos + (random.coin() ? moment() : random.between(100 * MILLI, 3 * SECOND));
        if (!random.oneIn(4)) {
            add(silentNanos, machine, aboutASession());
        }
        if (random.oneIn(3)) {
            Acquire stranger = new Acquire(lease, null, handleTermOneIn(2), 10 * SECOND, keeping());
            add(silentNanos, random.coin() ? back : machine(), stranger);
        }
        long backNanos = silentNanos + (random.oneIn(3) ? moment() : random.spread(MILLI, 6 * SECOND));
        int again = random.oneIn(4) ? holder(back) : holder;
        if (random.oneIn(3)) {
            add(backNanos, back, new Action.TakeOver(lease, again, term()));
            extend(backNanos + moment(), back, term());
        } else {
            Acquire anew = new Acquire(lease, again, handleTermOneIn(2), waiting(), keeping());
            add(backNanos, back, anew.with("supersede", true));
        }
    }

    /** A renewal fails, and it could succeed again long before the end. */
    void failedRenewal() {
        if (random.coin()) {
            failedHeartbeat();
            return;
        }
        long operationNanos = setting.operationNanos();
        long thirdNanos = 3 * operationNanos + random.between(10 * SECOND, 20 * SECOND);
        long untilNanos = setting.lengthNanos() - random.between(operationNanos, 2 * operationNanos);
        long atNanos = Math.max(0, untilNanos - thirdNanos);
        add(atNanos, machine, new Acquire(lease, holderOrNone(machine), 3 * thirdNanos, 0, NEVER_NANOS));
        add(atNanos + thirdNanos - SECOND / 2, machine, new Action.CutOff(operationNanos + SECOND));
    }

    /** The same for a heartbeat. What is done for another lease keeps the session alive until there have been no faults for long enough. */
    private void failedHeartbeat() {
        long endNanos = setting.lengthNanos();
        long atNanos = Math.max(0, endNanos - setting.sessionNanos() - random.between(2 * SECOND, 6 * SECOND));
        add(atNanos, machine, null, new Acquire(lease, null, null, SECOND / 2, NEVER_NANOS));
        long cutNanos = atNanos + setting.heartbeatNanos() - random.upTo(100 * MILLI);
        long spareNanos = setting.sessionNanos() - setting.heartbeatNanos() - setting.commandNanos();
        long backNanos = cutNanos + 250 * MILLI + random.upTo(Math.max(0, spareNanos / 2));
        add(cutNanos, machine, null, new Action.CutOff(backNanos - cutNanos));
        long quietNanos = 2 * setting.operationNanos() + random.between(4 * SECOND, 10 * SECOND);
        long keptNanos = Math.max(0, endNanos - backNanos + quietNanos);
        int next = (lease + 1) % setting.leases();
        add(backNanos, machine, null, new Acquire(next, null, handleTerm(), SECOND / 2, keptNanos));
    }

    /** What a write has become is not heard of: the reply is lost, or the machine is cut off, or no majority has it in time. */
    void unheard() {
        long operationNanos = setting.operationNanos();
        long atNanos = SECOND + instantBefore(2 * operationNanos + 6 * SECOND);
        switch (random.pick(3)) {
            case 0 -> {
                // A lease is written for a session, and damaged before its engine can read what became of that.
                add(atNanos - SECOND, machine, null, new Acquire(lease, null, null, SECOND / 2, 100 * MILLI));
                MessageFault lost = new MessageFault(MessageFault.Kind.LOSE_REPLY, random.pick(3), 0);
                add(atNanos, machine, lost, new Acquire(lease, null, null, 0, keeping()));
                long damagedNanos = atNanos + random.between(50 * MILLI, operationNanos / 2);
                add(damagedNanos, machine, null, new Action.Damage(DamageKind.CORRUPT_LEASE, lease));
            }
            case 1 -> {
                // What another engine's session keeps is released on its holder's behalf, and acquired for it again.
                Integer holder = holder(machine);
                add(atNanos - SECOND, machine, new Acquire(lease, holder, null, 0, NEVER_NANOS));
                add(atNanos, other, new Action.CutOff(operationNanos + random.spread(MILLI, 2 * SECOND)));
                release(atNanos + random.upTo(operationNanos / 2), other);
                long againNanos = atNanos + 2 * operationNanos + random.between(SECOND, 3 * SECOND);
                add(againNanos, other, new Acquire(lease, holder, null, 0, keeping()));
            }
            default -> {
                // A claim meets a conflict and is tried again, and then no majority has it in time.
                claim(atNanos - random.between(SECOND / 2, SECOND), machine, SECOND / 4);
                Action storm = new Action.Storm(1 + random.pick(5), random.between(20 * MILLI, 200 * MILLI));
                add(atNanos - random.upTo(20 * MILLI), machine, null, storm);
                takeOver(atNanos, machine);
                long lagNanos = operationNanos + random.between(SECOND / 2, 2 * SECOND);
                add(atNanos + random.upTo(20 * MILLI), machine, null, new Action.Lag(lagNanos));
            }
        }
    }
}
