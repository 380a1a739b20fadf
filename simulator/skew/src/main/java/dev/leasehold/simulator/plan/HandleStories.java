package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;

import dev.leasehold.simulator.plan.Action.Acquire;
import dev.leasehold.simulator.plan.Action.Move;
import org.jspecify.annotations.Nullable;

/** What services do with handles: leases of the session, and terms that are renewed. */
final class HandleStories {

    private HandleStories() {}

    static void session(Draft draft) {
        acquire(draft, draft.instant(), draft.machine(), draft.lease(), null);
    }

    static void termHandle(Draft draft) {
        acquire(draft, draft.instant(), draft.machine(), draft.lease(), term(draft));
    }

    private static void acquire(Draft draft, long atNanos, int machine, int lease, @Nullable Long termNanos) {
        draft.add(
                atNanos, machine, new Acquire(lease, owner(draft, machine), termNanos, waiting(draft), keeping(draft)));
    }

    private static @Nullable Integer owner(Draft draft, int machine) {
        return draft.seededRandom().coin() ? null : (Integer) draft.holder(machine);
    }

    /** Longer than the budget of an operation, as handles want it. */
    private static long term(Draft draft) {
        return draft.setting().operationNanos() + draft.seededRandom().between(MILLI, 10 * SECOND);
    }

    private static long waiting(Draft draft) {
        return draft.seededRandom().oneIn(3) ? 0 : draft.seededRandom().spread(10 * MILLI, 20 * SECOND);
    }

    private static long keeping(Draft draft) {
        return draft.seededRandom().oneIn(4)
                ? PlanRules.NEVER_NANOS
                : draft.seededRandom().spread(MILLI, 30 * SECOND);
    }

    /** One keeps a lease for a while, and another one is waiting for it. */
    static void handover(Draft draft) {
        long atNanos = draft.instantBefore(10 * SECOND);
        int lease = draft.lease();
        int first = draft.machine();
        int second = draft.otherThan(first);
        Long termNanos = draft.seededRandom().oneIn(4) ? (Long) term(draft) : null;
        long keptNanos = draft.seededRandom().spread(100 * MILLI, 10 * SECOND);
        draft.add(atNanos, first, new Acquire(lease, owner(draft, first), termNanos, 0, keptNanos));
        draft.add(
                atNanos + draft.seededRandom().upTo(keptNanos),
                second,
                new Acquire(lease, owner(draft, second), null, 2 * keptNanos, keeping(draft)));
    }

    /** A session is not heard of for so long that another engine takes its lease, at the very instant or while waiting. */
    static void eviction(Draft draft) {
        long sessionNanos = draft.setting().sessionNanos();
        long atNanos = draft.instantBefore(2 * sessionNanos + 2 * SECOND);
        int lease = draft.lease();
        int holder = draft.machine();
        int taker = draft.otherThan(holder);
        draft.add(atNanos, holder, new Acquire(lease, owner(draft, holder), null, 0, PlanRules.NEVER_NANOS));
        long silentNanos = atNanos + draft.seededRandom().between(MILLI, sessionNanos);
        draft.add(silentNanos, holder, silence(draft, sessionNanos));
        long soonNanos = silentNanos + draft.seededRandom().upTo(sessionNanos / 2);
        if (draft.seededRandom().coin()) {
            draft.add(soonNanos, taker, new Action.Aim(Move.ACQUIRE, lease, taker, draft.offset(), draft.term()));
        } else {
            draft.add(
                    soonNanos, taker, new Acquire(lease, owner(draft, taker), null, 3 * sessionNanos, keeping(draft)));
        }
    }

    /** A little shorter or longer than the session, so that heartbeat and eviction meet. */
    private static Action silence(Draft draft, long sessionNanos) {
        long silentNanos = sessionNanos * draft.seededRandom().between(60, 140) / 100;
        return switch (draft.seededRandom().pick(4)) {
            case 0 -> new Action.Pause(silentNanos);
            case 1 -> new Action.Suspend(silentNanos, draft.suspendStops());
            case 2 -> new Action.Crash(silentNanos, draft.seededRandom().next());
            default -> new Action.CutOff(silentNanos);
        };
    }

    /** Several wait for one lease. */
    static void waiters(Draft draft) {
        long atNanos = draft.instantBefore(10 * SECOND);
        int lease = draft.lease();
        for (int i = 2 + draft.seededRandom().pick(3); i > 0; i--) {
            int machine = draft.machine();
            Long termNanos = draft.seededRandom().oneIn(4) ? (Long) term(draft) : null;
            long keptNanos = draft.seededRandom().spread(MILLI, 3 * SECOND);
            draft.add(
                    atNanos + draft.moment(),
                    machine,
                    new Acquire(lease, owner(draft, machine), termNanos, 10 * SECOND, keptNanos));
        }
    }

    /** A process comes back under its own name on another machine, most often after its old incarnation has died or fallen silent. */
    static void superseded(Draft draft) {
        int lease = draft.lease();
        int old = draft.machine();
        int back = draft.otherThan(old);
        int owner = draft.holder(old);
        Long termNanos = draft.seededRandom().coin() ? (Long) term(draft) : null;
        long atNanos = draft.instantBefore(12 * SECOND);
        draft.add(atNanos, old, new Acquire(lease, owner, termNanos, 0, keeping(draft)));
        long silentNanos = atNanos + draft.seededRandom().between(100 * MILLI, 3 * SECOND);
        draft.add(silentNanos, old, silence(draft, draft.setting().sessionNanos()));
        if (draft.seededRandom().oneIn(3)) {
            draft.add(silentNanos, draft.machine(), new Acquire(lease, null, null, 5 * SECOND, keeping(draft)));
        }
        draft.add(
                silentNanos + draft.seededRandom().upTo(5 * SECOND),
                back,
                Acquire.back(
                        lease,
                        draft.seededRandom().oneIn(4) ? draft.holder(back) : owner,
                        draft.seededRandom().coin() ? (Long) term(draft) : null,
                        waiting(draft),
                        keeping(draft)));
    }

    /** The database cannot be reached when a long term is to be renewed, and then it can, long before the end. */
    static void failedRenewal(Draft draft) {
        long operationNanos = draft.setting().operationNanos();
        long thirdNanos = 3 * operationNanos + draft.seededRandom().between(10 * SECOND, 20 * SECOND);
        int machine = draft.machine();
        long atNanos = Math.max(
                0,
                draft.setting().lengthNanos()
                        - thirdNanos
                        - draft.seededRandom().between(operationNanos, 2 * operationNanos));
        draft.add(
                atNanos,
                machine,
                new Acquire(draft.lease(), owner(draft, machine), 3 * thirdNanos, 0, PlanRules.NEVER_NANOS));
        draft.add(atNanos + thirdNanos - SECOND / 2, machine, new Action.CutOff(operationNanos + SECOND));
    }

    /** Both kinds of leases meet on one name. */
    static void mixedKinds(Draft draft) {
        long atNanos = draft.instantBefore(8 * SECOND);
        int lease = draft.lease();
        int first = draft.machine();
        int second = draft.otherThan(first);
        long afterNanos = atNanos + draft.seededRandom().spread(MILLI, 6 * SECOND);
        boolean termFirst = draft.seededRandom().coin();
        acquire(draft, termFirst ? afterNanos : atNanos, first, lease, null);
        Action term = draft.seededRandom().coin()
                ? new Action.Claim(lease, second, draft.term())
                : new Action.TakeOver(lease, second, draft.term());
        draft.add(termFirst ? atNanos : afterNanos, second, term);
        if (draft.seededRandom().coin()) {
            draft.add(afterNanos + draft.moment(), second, new Action.Extend(draft.newest(lease), draft.term()));
        }
    }
}
