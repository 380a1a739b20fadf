package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MILLI;

/** What services do with term leases. */
final class TermStories {

    private TermStories() {}

    static void claim(Draft draft) {
        int machine = draft.machine();
        draft.add(draft.instant(), machine, new Action.Claim(draft.lease(), draft.holder(machine), draft.term()));
    }

    static void takeOver(Draft draft) {
        int machine = draft.machine();
        draft.add(draft.instant(), machine, new Action.TakeOver(draft.lease(), draft.holder(machine), draft.term()));
    }

    static void extend(Draft draft) {
        draft.add(draft.instant(), draft.machine(), new Action.Extend(draft.tenure(draft.lease()), draft.term()));
    }

    static void release(Draft draft) {
        draft.add(draft.instant(), draft.machine(), new Action.Release(draft.tenure(draft.lease())));
    }

    static void expire(Draft draft) {
        draft.add(draft.instant(), draft.machine(), new Action.Expire(draft.lease()));
    }

    static void refresh(Draft draft) {
        draft.add(draft.instant(), draft.machine(), new Action.Refresh());
    }

    static void list(Draft draft) {
        draft.add(draft.instant(), draft.machine(), new Action.ListAll());
    }

    static void housekeeping(Draft draft) {
        draft.add(draft.instant(), draft.machine(), new Action.Housekeeping());
    }

    /** All machines want the same lease at nearly the same instant. */
    static void contention(Draft draft) {
        long atNanos = draft.instant();
        int lease = draft.lease();
        long termNanos = draft.term();
        int first = draft.machine();
        int second = draft.otherThan(first);
        draft.add(atNanos, first, new Action.Claim(lease, first, termNanos));
        draft.add(
                atNanos + draft.seededRandom().upTo(5 * MILLI), second, new Action.Claim(lease, second, draft.term()));
        draft.add(
                atNanos + draft.seededRandom().upTo(5 * MILLI),
                draft.machine(),
                new Action.TakeOver(lease, second, termNanos));
    }

    /** A holder gives its lease up and claims it again: another tenure of the same holder, while the old one is still talked about. */
    static void claimAgain(Draft draft) {
        long atNanos = draft.instantBefore(3 * Nanos.SECOND);
        int lease = draft.lease();
        int machine = draft.machine();
        draft.add(atNanos, machine, new Action.Claim(lease, machine, draft.term()));
        long releasedNanos = atNanos + draft.seededRandom().spread(MILLI, Nanos.SECOND);
        draft.add(releasedNanos, machine, new Action.Release(draft.newest(lease)));
        long againNanos = releasedNanos + draft.seededRandom().spread(MILLI, Nanos.SECOND);
        draft.add(
                againNanos,
                draft.seededRandom().coin() ? machine : draft.otherThan(machine),
                new Action.Claim(lease, machine, draft.term()));
        draft.add(
                againNanos + draft.seededRandom().spread(MILLI, Nanos.SECOND),
                draft.machine(),
                ofOldTenure(draft, lease));
    }

    private static Action ofOldTenure(Draft draft, int lease) {
        Action.Choice old = new Action.Choice(lease, 1);
        return draft.seededRandom().coin() ? new Action.Release(old) : new Action.Extend(old, draft.term());
    }

    /** One holder works through two engines: what the one claims the other extends, and the other way round. */
    static void twoEngines(Draft draft) {
        long atNanos = draft.instantBefore(10 * Nanos.SECOND);
        int lease = draft.lease();
        int first = draft.machine();
        int second = draft.otherThan(first);
        draft.add(atNanos, first, new Action.Claim(lease, first, draft.term()));
        for (int i = 1 + draft.seededRandom().pick(4); i > 0; i--) {
            atNanos += draft.seededRandom().spread(MILLI, 4 * Nanos.SECOND);
            draft.add(
                    atNanos,
                    draft.seededRandom().coin() ? first : second,
                    new Action.Extend(draft.newest(lease), draft.term()));
        }
        if (draft.seededRandom().oneIn(3)) {
            draft.add(atNanos + draft.moment(), second, new Action.Release(draft.newest(lease)));
        }
    }

    /** Several callers ask one engine at the same instant, so that one transaction carries the wishes of all of them. */
    static void batch(Draft draft) {
        long atNanos = draft.instant();
        int machine = draft.machine();
        for (int i = 2 + draft.seededRandom().pick(3); i > 0; i--) {
            draft.add(atNanos, machine, oneOfBatch(draft, machine));
        }
    }

    private static Action oneOfBatch(Draft draft, int machine) {
        int lease = draft.lease();
        return switch (draft.seededRandom().pick(4)) {
            case 0 -> new Action.TakeOver(lease, draft.holder(machine), draft.term());
            case 1 -> new Action.Extend(draft.tenure(lease), draft.term());
            case 2 -> new Action.Release(draft.tenure(lease));
            default -> new Action.Claim(lease, draft.holder(machine), draft.term());
        };
    }
}
