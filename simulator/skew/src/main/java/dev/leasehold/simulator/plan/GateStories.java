package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MICRO;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;

/** What callers do in transactions of their own. */
final class GateStories {

    private GateStories() {}

    static void gate(Draft draft) {
        draft.add(
                draft.instant(),
                draft.machine(),
                new Action.Gate(draft.tenure(draft.lease()), think(draft), think(draft), false));
    }

    /** From one statement to the next. */
    private static long think(Draft draft) {
        return draft.seededRandom().oneIn(4) ? 0 : draft.seededRandom().spread(MICRO, SECOND);
    }

    /** A transaction begins before the end of the lease and commits after it, while somebody takes the lease. */
    static void straddle(Draft draft) {
        int lease = draft.lease();
        int machine = draft.machine();
        int other = draft.otherThan(machine);
        long termNanos = draft.term();
        long atNanos = draft.instantBefore(2 * termNanos);
        draft.add(atNanos, machine, new Action.Claim(lease, machine, termNanos));
        long beforeNanos = draft.seededRandom().spread(MILLI, SECOND);
        long afterNanos = draft.seededRandom().spread(MILLI, SECOND);
        long leadNanos = draft.seededRandom().upTo(beforeNanos + afterNanos);
        draft.add(
                Math.max(atNanos, atNanos + termNanos - leadNanos),
                machine,
                new Action.Gate(
                        draft.newest(lease),
                        beforeNanos,
                        afterNanos,
                        draft.seededRandom().oneIn(8)));
        draft.add(
                atNanos + draft.moment(),
                other,
                new Action.Aim(
                        Action.Move.TAKE_OVER,
                        lease,
                        draft.seededRandom().oneIn(3) ? machine : other,
                        draft.offset(),
                        termNanos));
    }

    /** A transaction conflicts, and its body does not assert when it is run again. */
    static void forgetful(Draft draft) {
        int lease = draft.lease();
        int machine = draft.machine();
        long atNanos = draft.instantBefore(2 * SECOND);
        Action.Choice tenure = draft.newest(lease);
        draft.add(atNanos, machine, new Action.Claim(lease, machine, draft.term()));
        long gateNanos = atNanos + draft.seededRandom().spread(MILLI, SECOND);
        draft.add(
                gateNanos,
                machine,
                new Action.Gate(tenure, 0, draft.seededRandom().spread(MILLI, SECOND), false));
        draft.add(
                gateNanos + draft.moment(),
                draft.machine(),
                new Action.Gate(
                        tenure,
                        draft.seededRandom().spread(MILLI, SECOND),
                        think(draft),
                        draft.seededRandom().coin()));
        Action end = draft.seededRandom().coin() ? new Action.Release(tenure) : new Action.ForceExpire(lease);
        draft.add(gateNanos + draft.seededRandom().upTo(SECOND), machine, end);
    }

    /**
     * Transactions of one holder spread over gate stripes, while its tenure ends in one way or another and the next one begins. Some of
     * them go on asserting the tenure of before.
     */
    static void striped(Draft draft) {
        int lease = draft.lease();
        int machine = draft.machine();
        Integer owner = draft.seededRandom().coin() ? null : (Integer) draft.holder(machine);
        int stripes = 1 + draft.seededRandom().pick(4);
        long atNanos = draft.instantBefore(8 * SECOND);
        long keptNanos = draft.seededRandom().spread(100 * MILLI, 2 * SECOND);
        long silentNanos = draft.seededRandom().oneIn(3)
                ? draft.setting().sessionNanos() * draft.seededRandom().between(110, 150) / 100
                : 0;
        draft.add(
                atNanos,
                machine,
                new Action.Acquire(lease, owner, null, SECOND, silentNanos > 0 ? PlanRules.NEVER_NANOS : keptNanos)
                        .withStripes(stripes));
        gates(draft, machine, lease, atNanos, keptNanos);
        long endNanos = atNanos + keptNanos + silentNanos;
        if (silentNanos > 0) {
            draft.add(atNanos + keptNanos, machine, new Action.Pause(silentNanos));
        } else if (draft.seededRandom().coin()) {
            draft.add(
                    atNanos + draft.seededRandom().upTo(keptNanos),
                    draft.otherThan(machine),
                    new Action.ForceExpire(lease));
        }
        int next = silentNanos == 0 && draft.seededRandom().coin() ? machine : draft.otherThan(machine);
        Integer fewer = draft.seededRandom().coin()
                ? null
                : (Integer) draft.seededRandom().pick(stripes);
        draft.add(
                atNanos + keptNanos + draft.moment(),
                next,
                new Action.Acquire(
                                lease,
                                next == machine ? owner : null,
                                null,
                                4 * SECOND + silentNanos,
                                draft.seededRandom().spread(100 * MILLI, 3 * SECOND))
                        .withStripes(fewer));
        gates(draft, machine, lease, endNanos - SECOND / 2, 2 * SECOND);
    }

    /** Several transactions on one machine within a time, beside each other or not. */
    private static void gates(Draft draft, int machine, int lease, long fromNanos, long withinNanos) {
        for (int i = 2 + draft.seededRandom().pick(3); i > 0; i--) {
            Action.Choice tenure = new Action.Choice(lease, draft.seededRandom().pick(2));
            draft.add(
                    fromNanos + draft.seededRandom().upTo(withinNanos),
                    machine,
                    new Action.Gate(tenure, think(draft), think(draft), false));
        }
    }

    /** The lease is lost and had again by the same holder, while a transaction asserts the tenure of before. */
    static void oldTenure(Draft draft) {
        int lease = draft.lease();
        int machine = draft.machine();
        long atNanos = draft.instantBefore(3 * SECOND);
        draft.add(atNanos, machine, new Action.Claim(lease, machine, draft.term()));
        long againNanos = atNanos + draft.seededRandom().spread(10 * MILLI, 2 * SECOND);
        draft.add(againNanos, machine, new Action.Release(draft.newest(lease)));
        draft.add(againNanos + draft.moment(), machine, new Action.Claim(lease, machine, draft.term()));
        long startNanos = againNanos + draft.seededRandom().between(-50 * MILLI, 200 * MILLI);
        Action.Choice tenure = new Action.Choice(lease, startNanos < againNanos ? 0 : 1);
        draft.add(startNanos, draft.machine(), new Action.Gate(tenure, think(draft), think(draft), false));
    }
}
