package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;
import static dev.leasehold.simulator.plan.PlanRules.NEVER_NANOS;

import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.conditions.MessageFault.Kind;
import dev.leasehold.simulator.plan.Action.Acquire;

/** Tickets at the moments that matter to the rules of the wait queue, which other scenarios hardly ever meet. */
final class QueueScenarios extends Scene {

    QueueScenarios(PlanBuilder plan) {
        super(plan);
    }

    /**
     * A lease is granted to a waiter that has just fallen silent, for about a session. It keeps another lease; another engine waits for one of
     * the two, and so evicts it.
     */
    void silentWaiter() {
        long sessionNanos = setting.sessionNanos();
        long atNanos = SECOND + instantBefore(2 * sessionNanos + 6 * SECOND);
        long keptNanos = random.between(SECOND, 3 * SECOND);
        long grantedNanos = atNanos + keptNanos;
        int next = (lease + 1) % setting.leases();
        add(atNanos - SECOND, other, null, new Acquire(next, null, null, SECOND / 2, NEVER_NANOS));
        add(atNanos, machine, null, new Acquire(lease, null, null, SECOND / 2, keptNanos));
        long waitNanos = 3 * sessionNanos + 3 * SECOND;
        add(atNanos + SECOND / 4, other, null, new Acquire(lease, null, null, waitNanos, NEVER_NANOS));
        boolean isCutOffAwake = random.coin();
        fallSilent(grantedNanos - random.upTo(20 * MILLI), isCutOffAwake);
        int wanted = isCutOffAwake ? lease : next;
        long wantedNanos = grantedNanos + random.upTo(sessionNanos / 2);
        add(wantedNanos, machine, null, new Acquire(wanted, null, null, waitNanos, keeping()));
    }

    /** Or it wakes and can send nothing: it has the changes that came meanwhile, and does not learn whether its session is over. */
    private void fallSilent(long atNanos, boolean isCutOffAwake) {
        long sessionNanos = setting.sessionNanos();
        if (isCutOffAwake) {
            long pausedNanos = sessionNanos * random.between(70, 110) / 100;
            add(atNanos, other, null, new Action.Pause(pausedNanos));
            long cutNanos = sessionNanos / 2 + 3 * setting.commandNanos();
            add(atNanos + pausedNanos - 10 * MILLI, other, null, new Action.CutOff(cutNanos));
        } else {
            long silentNanos = sessionNanos * random.between(90, 130) / 100;
            boolean isPaused = random.coin();
            add(atNanos, other, null, isPaused ? new Action.Pause(silentNanos) : new Action.CutOff(silentNanos));
        }
    }

    /**
     * A ticket is withdrawn while the lease is kept free, and is forgotten. The engine that has held the lease before, and has read the queue with
     * that ticket then, holds it again.
     */
    void withdrawnTicket() {
        long atNanos = instantBefore(10 * SECOND);
        long firstNanos = random.between(SECOND, 2 * SECOND);
        long keptNanos = random.between(SECOND, 3 * SECOND);
        long freeNanos = random.between(500 * MILLI, 900 * MILLI);
        add(atNanos, other, null, new Acquire(lease, null, null, SECOND / 2, firstNanos));
        long askedNanos = atNanos + SECOND / 4;
        Acquire held = new Acquire(lease, null, null, 9 * SECOND, keptNanos);
        add(askedNanos, machine, null, held.with("atLeastNanos", keptNanos + freeNanos));
        long waiterNanos = askedNanos + random.between(100 * MILLI, 400 * MILLI);
        // The grant is heard by a look after a quarter of a second, or by a change.
        long vacantNanos = atNanos + firstNanos + keptNanos + random.upTo(250 * MILLI);
        long endedNanos = vacantNanos + random.upTo(freeNanos / 2);
        add(waiterNanos, other, null, new Acquire(lease, null, null, endedNanos - waiterNanos, 0));
        long againNanos = vacantNanos + freeNanos + random.spread(10 * MILLI, SECOND);
        add(againNanos, machine, null, new Acquire(lease, null, null, 0, random.spread(MILLI, 300 * MILLI)));
    }

    /**
     * What a waiter was granted is forced to expire before its ticket is taken out, and the next holder grants the lease to that ticket again.
     * A release of the first of these tenures is late, or an operator is.
     */
    void grantedAgain() {
        long atNanos = instantBefore(8 * SECOND);
        long keptNanos = random.between(SECOND, 2 * SECOND);
        add(atNanos, machine, null, new Acquire(lease, null, null, SECOND / 2, keptNanos));
        add(atNanos + SECOND / 4, other, null, new Acquire(lease, null, null, 6 * SECOND, 0));
        long grantedNanos = atNanos + keptNanos;
        long leftNanos = Math.max(1, setting.lengthNanos() - grantedNanos);
        long lateNanos = Math.min(leftNanos, random.between(SECOND, Math.max(SECOND, setting.commandNanos())));
        MessageFault late = new MessageFault(
                random.oneIn(4) ? Kind.PAUSE_WHEN_DONE : Kind.DELAY_REQUEST, random.pick(4), lateNanos);
        add(grantedNanos - random.upTo(20 * MILLI), other, late, new Action.Refresh());
        long waitNanos = 6 * SECOND;
        long nextKeptNanos = random.spread(10 * MILLI, 300 * MILLI);
        add(grantedNanos - SECOND / 4, machine, null, new Acquire(lease, null, null, waitNanos, nextKeptNanos));
        long forcedNanos = grantedNanos + random.between(50 * MILLI, 400 * MILLI);
        add(forcedNanos, machine, null, new Action.ForceExpire(lease));
    }
}
