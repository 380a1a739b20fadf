package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MICRO;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;

import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.conditions.MessageFault.Kind;
import dev.leasehold.simulator.plan.Action.Move;
import org.jspecify.annotations.Nullable;

/** What happens close to the end of a lease. Half of it is aimed at the nanosecond. */
final class BoundaryScenarios extends Scene {

    private static final Move[] TERM_MOVES = {
        Move.TAKE_OVER, Move.TAKE_OVER, Move.EXPIRE, Move.EXTEND, Move.CHECK, Move.GATE
    };

    BoundaryScenarios(PlanBuilder plan) {
        super(plan);
    }

    /** A lease is claimed, sometimes extended as late as possible, and at its end something is done to it, here or elsewhere. */
    void expiry() {
        int actor = random.oneIn(3) ? machine : other;
        long termNanos = term();
        long atNanos = instantBefore(8 * SECOND);
        if (!random.oneIn(4)) {
            claim(atNanos, machine, termNanos);
        }
        if (random.coin()) {
            add(atNanos + moment(), actor, aim(TERM_MOVES[random.pick(TERM_MOVES.length)], actor));
        } else {
            long aroundNanos = random.between(-20 * MILLI, 100 * MILLI);
            add(Math.max(atNanos, atNanos + termNanos + aroundNanos), actor, unaimed(actor));
        }
        for (int i = random.oneIn(4) ? 1 + random.pick(4) : 0; i > 0; i--) {
            if (random.coin()) {
                add(atNanos + moment(), machine, aim(Move.EXTEND, machine));
            }
            atNanos += termNanos - random.spread(MICRO, 100 * MILLI);
            extend(atNanos, machine, termNanos);
        }
    }

    private Action unaimed(int actor) {
        return switch (random.pick(4)) {
            case 0 -> new Action.Expire(lease);
            case 1 -> new Action.Extend(newest(), term());
            case 2 -> new Action.Gate(newest(), 0, random.spread(MICRO, SECOND), false);
            default -> new Action.TakeOver(lease, holder(actor), term());
        };
    }

    /**
     * The slowest clock holds, and the fastest one takes over at the first instant at which it may. In some duels the read that first sees
     * the claim is on its way when the claim is written; in others the fast one extends the tenure for a short time, and a third one takes
     * over; in others the claim is answered so late that a validity counted from the answer would last too long.
     */
    void duel() {
        int holder = slowest();
        int taker = fastest();
        long termNanos = term();
        long atNanos = instantBefore(2 * termNanos);
        if (random.coin()) {
            // What clocks show then is not rounded, so that a bound may be met to the nanosecond.
            atNanos -= atNanos % MILLI;
        }
        long seenNanos = atNanos + (random.oneIn(4) ? 0 : random.spread(1, 2 * MILLI));
        MessageFault late = null;
        switch (random.pick(8)) {
            case 0, 1 -> {
                long slowNanos = random.between(20 * MILLI, 200 * MILLI);
                Kind slow = random.coin() ? Kind.DELAY_REQUEST : Kind.DELAY_REPLY;
                add(atNanos, taker, new MessageFault(slow, random.pick(3), slowNanos), new Action.Refresh());
                seenNanos = atNanos + slowNanos + moment();
                atNanos += random.upTo(slowNanos);
            }
            case 2, 3 -> {
                add(atNanos + random.spread(1, 100 * MICRO), taker, null, new Action.Refresh());
                long carriedNanos = atNanos + random.between(1, termNanos * 8 / 10);
                long forNanos = random.between(MILLI, random.coin() ? termNanos : termNanos / 10);
                add(carriedNanos, taker, null, new Action.Extend(newest(), forNanos));
                taker = otherThan(holder);
                seenNanos = carriedNanos + random.spread(1, 100 * MICRO);
            }
            case 4 -> late = lateReply(atNanos, holder);
            default -> {}
        }
        add(atNanos, holder, late, new Action.Claim(lease, holder, termNanos));
        Move move = random.oneIn(4) ? Move.EXPIRE : Move.TAKE_OVER;
        add(seenNanos, taker, null, new Action.Aim(move, lease, taker, random.between(-1, 1), termNanos));
        // The lease is to be free for the next duel.
        add(atNanos + stretched(termNanos) + SECOND / 10, taker, null, new Action.Release(newest()));
    }

    private @Nullable MessageFault lateReply(long atNanos, int holder) {
        if (random.coin()) {
            add(atNanos + moment(), holder, aim(Move.CHECK, holder));
        }
        return new MessageFault(Kind.DELAY_REPLY, random.pick(5), random.between(10 * MILLI, setting.operationNanos()));
    }

    /** A writer is observed, its clock stands still for a while, and it writes again: the older observation must not count for that. */
    void oldObservation() {
        long termNanos = term();
        long atNanos = instantBefore(2 * termNanos + 5 * SECOND);
        claim(atNanos, machine, termNanos);
        long seenNanos = atNanos + moment();
        add(seenNanos, other, random.oneIn(4) ? new Action.Extend(newest(), SECOND) : new Action.Refresh());
        long stopNanos = random.between(100 * MILLI, 5 * SECOND);
        long stoppedNanos = seenNanos + random.between(10 * MILLI, 500 * MILLI);
        add(stoppedNanos, machine, null, suspend(stopNanos));
        long writtenNanos = stoppedNanos + stopNanos + moment();
        long forNanos = random.oneIn(4) ? Math.max(MILLI, termNanos - 2 * SECOND) : termNanos;
        add(writtenNanos, machine, null, new Action.Extend(newest(), forNanos));
        add(writtenNanos + moment(), other, aim(Move.TAKE_OVER, other));
    }
}
