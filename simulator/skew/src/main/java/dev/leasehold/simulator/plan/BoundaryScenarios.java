package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MICRO;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;
import static dev.leasehold.simulator.plan.PlanBuilder.newest;

import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.conditions.MessageFault.Kind;
import dev.leasehold.simulator.conditions.SeededRandom;
import dev.leasehold.simulator.plan.Action.Move;

/** What happens close to the end of a lease. Half of it is aimed at the nanosecond. */
final class BoundaryScenarios {

    private static final Move[] TERM_MOVES = {
        Move.TAKE_OVER, Move.TAKE_OVER, Move.EXPIRE, Move.EXTEND, Move.CHECK, Move.GATE
    };

    private BoundaryScenarios() {}

    /** A lease is claimed, sometimes extended as late as possible, and at its end something is done to it, here or elsewhere. */
    static void expiry(PlanBuilder plan) {
        SeededRandom random = plan.random();
        int lease = plan.lease();
        int machine = plan.machine();
        int other = random.oneIn(3) ? machine : plan.otherThan(machine);
        long termNanos = plan.term();
        long atNanos = plan.instantBefore(8 * SECOND);
        if (!random.oneIn(4)) {
            plan.claim(atNanos, machine, lease, termNanos);
        }
        if (random.coin()) {
            Move move = TERM_MOVES[random.pick(TERM_MOVES.length)];
            plan.add(atNanos + plan.moment(), other, plan.aim(move, lease, other));
        } else {
            long aroundNanos = random.between(-20 * MILLI, 100 * MILLI);
            plan.add(Math.max(atNanos, atNanos + termNanos + aroundNanos), other, unaimed(plan, lease, other));
        }
        for (int i = random.oneIn(4) ? 1 + random.pick(4) : 0; i > 0; i--) {
            if (random.coin()) {
                plan.add(atNanos + plan.moment(), machine, plan.aim(Move.EXTEND, lease, machine));
            }
            atNanos += termNanos - random.spread(MICRO, 100 * MILLI);
            plan.extend(atNanos, machine, lease, termNanos);
        }
    }

    private static Action unaimed(PlanBuilder plan, int lease, int machine) {
        return switch (plan.random().pick(4)) {
            case 0 -> new Action.Expire(lease);
            case 1 -> new Action.Extend(newest(lease), plan.term());
            case 2 -> new Action.Gate(newest(lease), 0, plan.random().spread(MICRO, SECOND), false);
            default -> new Action.TakeOver(lease, plan.holder(machine), plan.term());
        };
    }

    /**
     * The slowest clock holds, and the fastest one takes over at the first instant at which it may. In some duels the read that first sees
     * the claim is on its way when the claim is written; in others the fast one extends the tenure for a short time, and a third one takes
     * over.
     */
    static void duel(PlanBuilder plan) {
        SeededRandom random = plan.random();
        int lease = plan.lease();
        int holder = plan.slowest();
        int taker = plan.fastest();
        long termNanos = plan.term();
        long atNanos = plan.instantBefore(2 * termNanos);
        if (random.coin()) {
            // What clocks show then is not rounded, so that a bound may be met to the nanosecond.
            atNanos -= atNanos % MILLI;
        }
        long seenNanos = atNanos + (random.oneIn(4) ? 0 : random.spread(1, 2 * MILLI));
        switch (random.pick(4)) {
            case 0 -> {
                long slowNanos = random.between(20 * MILLI, 200 * MILLI);
                Kind slow = random.coin() ? Kind.DELAY_REQUEST : Kind.DELAY_REPLY;
                plan.add(atNanos, taker, new MessageFault(slow, random.pick(3), slowNanos), new Action.Refresh());
                seenNanos = atNanos + slowNanos + plan.moment();
                atNanos += random.upTo(slowNanos);
            }
            case 1 -> {
                int carrier = taker;
                taker = plan.otherThan(holder);
                plan.add(atNanos + random.spread(1, 100 * MICRO), carrier, null, new Action.Refresh());
                long carriedNanos = atNanos + random.between(1, termNanos * 8 / 10);
                long forNanos = random.between(MILLI, random.coin() ? termNanos : termNanos / 10);
                plan.add(carriedNanos, carrier, null, new Action.Extend(newest(lease), forNanos));
                seenNanos = carriedNanos + random.spread(1, 100 * MICRO);
            }
            default -> {}
        }
        plan.add(atNanos, holder, null, new Action.Claim(lease, holder, termNanos));
        Move move = random.oneIn(4) ? Move.EXPIRE : Move.TAKE_OVER;
        plan.add(seenNanos, taker, null, new Action.Aim(move, lease, taker, random.between(-1, 1), termNanos));
        // The lease is to be free for the next duel.
        long endNanos = atNanos + plan.stretched(termNanos) + SECOND / 10;
        plan.add(endNanos, taker, null, new Action.Release(newest(lease)));
    }

    /** A writer is observed, its clock stands still for a while, and it writes again: the older observation must not count for that. */
    static void oldObservation(PlanBuilder plan) {
        SeededRandom random = plan.random();
        int lease = plan.lease();
        int holder = plan.machine();
        int taker = plan.otherThan(holder);
        long termNanos = plan.term();
        long atNanos = plan.instantBefore(2 * termNanos + 5 * SECOND);
        plan.claim(atNanos, holder, lease, termNanos);
        long seenNanos = atNanos + plan.moment();
        plan.add(seenNanos, taker, random.oneIn(4) ? new Action.Extend(newest(lease), SECOND) : new Action.Refresh());
        long stopNanos = random.between(100 * MILLI, 5 * SECOND);
        long stoppedNanos = seenNanos + random.between(10 * MILLI, 500 * MILLI);
        plan.add(stoppedNanos, holder, null, plan.suspend(stopNanos));
        long writtenNanos = stoppedNanos + stopNanos + plan.moment();
        long forNanos = random.oneIn(4) ? Math.max(MILLI, termNanos - 2 * SECOND) : termNanos;
        plan.add(writtenNanos, holder, null, new Action.Extend(newest(lease), forNanos));
        plan.add(writtenNanos + plan.moment(), taker, plan.aim(Move.TAKE_OVER, lease, taker));
    }

    /** The reply to what was granted comes so late that a validity counted from it would last too long. */
    static void lateReply(PlanBuilder plan) {
        SeededRandom random = plan.random();
        int lease = plan.lease();
        int holder = plan.machine();
        int taker = plan.otherThan(holder);
        long termNanos = plan.term();
        long atNanos = plan.instantBefore(2 * termNanos);
        long lateNanos = random.between(10 * MILLI, plan.setting().operationNanos());
        MessageFault late = new MessageFault(Kind.DELAY_REPLY, random.pick(5), lateNanos);
        plan.add(atNanos, holder, late, new Action.Claim(lease, holder, termNanos));
        plan.add(atNanos + plan.moment(), taker, plan.aim(Move.TAKE_OVER, lease, taker));
        if (random.coin()) {
            plan.add(atNanos + plan.moment(), holder, plan.aim(Move.CHECK, lease, holder));
        }
    }
}
