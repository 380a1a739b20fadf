package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MICRO;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;

/** What callers do in transactions of their own. */
final class GateStories {

    private GateStories() {}

    static void gate(Draft draft) {
        draft.add(draft.instant(), draft.machine(), new Action.Gate(draft.tenure(draft.lease()), think(draft), think(draft), false));
    }

    /** From one statement to the next. */
    private static long think(Draft draft) {
        return draft.draws().oneIn(4) ? 0 : draft.draws().spread(MICRO, SECOND);
    }

    /** A transaction begins before the end of the lease and commits after it, while somebody takes the lease. */
    static void straddle(Draft draft) {
        int lease = draft.lease();
        int machine = draft.machine();
        int other = draft.otherThan(machine);
        long termNanos = draft.term();
        long atNanos = draft.instantBefore(2 * termNanos);
        draft.add(atNanos, machine, new Action.Claim(lease, machine, termNanos));
        long beforeNanos = draft.draws().spread(MILLI, SECOND);
        long afterNanos = draft.draws().spread(MILLI, SECOND);
        long leadNanos = draft.draws().upTo(beforeNanos + afterNanos);
        draft.add(Math.max(atNanos, atNanos + termNanos - leadNanos), machine,
                new Action.Gate(draft.newest(lease), beforeNanos, afterNanos, draft.draws().oneIn(8)));
        draft.add(atNanos + draft.moment(), other,
                new Action.Aim(Action.Move.TAKE_OVER, lease, draft.draws().oneIn(3) ? machine : other, draft.offset(), termNanos));
    }

    /** A transaction conflicts, and its body does not assert when it is run again. */
    static void forgetful(Draft draft) {
        int lease = draft.lease();
        int machine = draft.machine();
        long atNanos = draft.instantBefore(2 * SECOND);
        Action.Choice tenure = draft.newest(lease);
        draft.add(atNanos, machine, new Action.Claim(lease, machine, draft.term()));
        long gateNanos = atNanos + draft.draws().spread(MILLI, SECOND);
        draft.add(gateNanos, machine, new Action.Gate(tenure, 0, draft.draws().spread(MILLI, SECOND), false));
        draft.add(gateNanos + draft.moment(), draft.machine(),
                new Action.Gate(tenure, draft.draws().spread(MILLI, SECOND), think(draft), draft.draws().coin()));
        Action end = draft.draws().coin() ? new Action.Release(tenure) : new Action.ForceExpire(lease);
        draft.add(gateNanos + draft.draws().upTo(SECOND), machine, end);
    }

    /** The lease is lost and had again by the same holder, while a transaction asserts the tenure of before. */
    static void oldTenure(Draft draft) {
        int lease = draft.lease();
        int machine = draft.machine();
        long atNanos = draft.instantBefore(3 * SECOND);
        draft.add(atNanos, machine, new Action.Claim(lease, machine, draft.term()));
        long againNanos = atNanos + draft.draws().spread(10 * MILLI, 2 * SECOND);
        draft.add(againNanos, machine, new Action.Release(draft.newest(lease)));
        draft.add(againNanos + draft.moment(), machine, new Action.Claim(lease, machine, draft.term()));
        long startNanos = againNanos + draft.draws().between(-50 * MILLI, 200 * MILLI);
        Action.Choice tenure = new Action.Choice(lease, startNanos < againNanos ? 0 : 1);
        draft.add(startNanos, draft.machine(), new Action.Gate(tenure, think(draft), think(draft), false));
    }
}
