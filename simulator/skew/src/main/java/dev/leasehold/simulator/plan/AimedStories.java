package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MICRO;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;

import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.plan.Action.Move;

/** What happens close to the end of a lease. Half of it is aimed at the nanosecond. */
final class AimedStories {

    private static final Move[] TERM_MOVES = {
        Move.TAKE_OVER, Move.TAKE_OVER, Move.EXPIRE, Move.EXTEND, Move.CHECK, Move.GATE
    };

    private AimedStories() {}

    /** A lease is claimed, and at its end something is done to it, by its own engine or by another one. */
    static void nearExpiry(Draft draft) {
        long atNanos = draft.instantBefore(8 * SECOND);
        int lease = draft.lease();
        int machine = draft.machine();
        long termNanos = draft.term();
        if (!draft.seededRandom().oneIn(4)) {
            draft.add(atNanos, machine, new Action.Claim(lease, machine, termNanos));
        }
        int other = draft.seededRandom().oneIn(3) ? machine : draft.otherThan(machine);
        if (draft.seededRandom().coin()) {
            draft.add(
                    atNanos + draft.moment(),
                    other,
                    aim(draft, TERM_MOVES[draft.seededRandom().pick(TERM_MOVES.length)], lease, other));
        } else {
            long aroundNanos = draft.seededRandom().between(-20 * MILLI, 100 * MILLI);
            draft.add(Math.max(atNanos, atNanos + termNanos + aroundNanos), other, unaimed(draft, lease, other));
        }
    }

    private static Action aim(Draft draft, Move move, int lease, int machine) {
        return new Action.Aim(move, lease, draft.holder(machine), draft.offset(), draft.term());
    }

    private static Action unaimed(Draft draft, int lease, int machine) {
        return switch (draft.seededRandom().pick(4)) {
            case 0 -> new Action.Expire(lease);
            case 1 -> new Action.Extend(draft.newest(lease), draft.term());
            case 2 ->
                new Action.Gate(draft.newest(lease), 0, draft.seededRandom().spread(MICRO, SECOND), false);
            default -> new Action.TakeOver(lease, draft.holder(machine), draft.term());
        };
    }

    /** A holder extends as late as it can, again and again, while another one waits for the end. */
    static void extensionStorm(Draft draft) {
        int lease = draft.lease();
        int machine = draft.machine();
        int other = draft.otherThan(machine);
        long termNanos = draft.term();
        long atNanos = draft.instantBefore(4 * termNanos);
        draft.add(atNanos, machine, new Action.Claim(lease, machine, termNanos));
        draft.add(atNanos + draft.moment(), other, aim(draft, Move.TAKE_OVER, lease, other));
        for (int i = 1 + draft.seededRandom().pick(4); i > 0; i--) {
            if (draft.seededRandom().coin()) {
                draft.add(atNanos + draft.moment(), machine, aim(draft, Move.EXTEND, lease, machine));
            }
            atNanos += termNanos - draft.seededRandom().spread(MICRO, 100 * MILLI);
            draft.add(atNanos, machine, new Action.Extend(draft.newest(lease), termNanos));
        }
    }

    /** The slowest clock holds, and the fastest one takes over at the first instant at which it may. */
    static void duel(Draft draft) {
        int lease = draft.lease();
        int holder = draft.slowest();
        int taker = draft.fastest();
        long termNanos = draft.term();
        long atNanos = draft.instantBefore(2 * termNanos);
        if (draft.seededRandom().coin()) {
            // What clocks show then is not rounded, whatever the bound on drift, so that a bound may be met to the
            // nanosecond.
            atNanos -= atNanos % MILLI;
        }
        draft.add(atNanos, holder, null, new Action.Claim(lease, holder, termNanos));
        Move move = draft.seededRandom().oneIn(4) ? Move.EXPIRE : Move.TAKE_OVER;
        long sightNanos = atNanos
                + (draft.seededRandom().oneIn(4) ? 0 : draft.seededRandom().spread(1, 2 * MILLI));
        draft.add(
                sightNanos,
                taker,
                null,
                new Action.Aim(move, lease, taker, draft.seededRandom().between(-1, 1), termNanos));
        // The lease is to be free for the next duel.
        draft.add(
                atNanos + draft.stretched(termNanos) + SECOND / 10,
                taker,
                null,
                new Action.Release(draft.newest(lease)));
    }

    /** The read that first sees a write is asked for before it and carried out after it. */
    static void lateSight(Draft draft) {
        int lease = draft.lease();
        int holder = draft.slowest();
        int taker = draft.fastest();
        long termNanos = draft.term();
        long atNanos = draft.instantBefore(2 * termNanos);
        MessageFault.Kind slow =
                draft.seededRandom().coin() ? MessageFault.Kind.DELAY_REQUEST : MessageFault.Kind.DELAY_REPLY;
        long slowNanos = draft.seededRandom().between(20 * MILLI, 200 * MILLI);
        draft.add(
                atNanos, taker, new MessageFault(slow, draft.seededRandom().pick(3), slowNanos), new Action.Refresh());
        long writtenNanos = atNanos + draft.seededRandom().upTo(slowNanos);
        draft.add(writtenNanos, holder, null, new Action.Claim(lease, holder, termNanos));
        draft.add(
                atNanos + slowNanos + draft.moment(),
                taker,
                null,
                new Action.Aim(Move.TAKE_OVER, lease, taker, 1, termNanos));
    }

    /** A writer is seen, its clock stands still for a while, and it writes again: what was seen before must not count for that. */
    static void oldSight(Draft draft) {
        int lease = draft.lease();
        int holder = draft.machine();
        int taker = draft.otherThan(holder);
        long termNanos = draft.term();
        long atNanos = draft.instantBefore(2 * termNanos + 5 * SECOND);
        draft.add(atNanos, holder, new Action.Claim(lease, holder, termNanos));
        long seenNanos = atNanos + draft.moment();
        draft.add(seenNanos, taker, new Action.Refresh());
        long stopNanos = draft.seededRandom().between(100 * MILLI, 5 * SECOND);
        long stoppedNanos = seenNanos + draft.seededRandom().between(10 * MILLI, 200 * MILLI);
        draft.add(stoppedNanos, holder, null, new Action.Suspend(stopNanos, draft.suspendStops()));
        long writtenNanos = stoppedNanos + stopNanos + draft.moment();
        draft.add(writtenNanos, holder, null, new Action.Extend(draft.newest(lease), termNanos));
        draft.add(writtenNanos + draft.moment(), taker, aim(draft, Move.TAKE_OVER, lease, taker));
    }

    /** Another engine of the holder extends to an earlier end than the one that was promised, which must stay good. */
    static void shorterByAnother(Draft draft) {
        int lease = draft.lease();
        int holder = draft.slowest();
        int other = draft.fastest();
        long termNanos = draft.term();
        long atNanos = draft.instantBefore(2 * termNanos);
        draft.add(atNanos, holder, null, new Action.Claim(lease, holder, termNanos));
        long extendedNanos = atNanos + 1 + draft.seededRandom().upTo(Math.min(termNanos / 2, SECOND));
        draft.add(
                extendedNanos,
                other,
                null,
                new Action.Extend(draft.newest(lease), draft.seededRandom().between(MILLI, termNanos)));
        int taker = draft.seededRandom().coin() ? other : draft.machine();
        Move move = draft.seededRandom().coin() ? Move.EXPIRE : Move.TAKE_OVER;
        draft.add(extendedNanos + draft.moment(), taker, null, new Action.Aim(move, lease, taker, 1, termNanos));
    }

    /** The reply to what was granted comes so late that a belief counted from it would last too long. */
    static void lateReply(Draft draft) {
        int lease = draft.lease();
        int holder = draft.machine();
        int taker = draft.otherThan(holder);
        long termNanos = draft.term();
        long atNanos = draft.instantBefore(2 * termNanos);
        long budgetNanos = draft.setting().operationNanos();
        MessageFault late = new MessageFault(
                MessageFault.Kind.DELAY_REPLY,
                draft.seededRandom().pick(5),
                draft.seededRandom().between(10 * MILLI, budgetNanos));
        draft.add(atNanos, holder, late, new Action.Claim(lease, holder, termNanos));
        draft.add(atNanos + draft.moment(), taker, aim(draft, Move.TAKE_OVER, lease, taker));
        if (draft.seededRandom().coin()) {
            draft.add(atNanos + draft.moment(), holder, aim(draft, Move.CHECK, lease, holder));
        }
    }
}
