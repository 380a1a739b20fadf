package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MICRO;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;

import dev.leasehold.simulator.conditions.DamageKind;
import dev.leasehold.simulator.conditions.MessageFault;

/** What befalls the database. */
final class DatabaseStories {

    static final int NOBODY = 0;

    private DatabaseStories() {}

    static void failOver(Draft draft) {
        draft.add(
                draft.instant(),
                NOBODY,
                null,
                new Action.FailOver(draft.trouble(), draft.seededRandom().coin()));
    }

    /** What was granted is not on a majority yet when the primary is lost. */
    static void loss(Draft draft) {
        long atNanos = draft.instantBefore(3 * SECOND);
        int machine = draft.machine();
        int lease = draft.lease();
        if (draft.seededRandom().coin()) {
            draft.add(
                    atNanos - draft.moment(),
                    NOBODY,
                    null,
                    new Action.Lag(draft.seededRandom().spread(10 * MILLI, 3 * SECOND)));
        }
        Action granted = draft.seededRandom().oneIn(3)
                ? new Action.Extend(draft.newest(lease), draft.term())
                : new Action.TakeOver(lease, machine, draft.term());
        draft.add(
                atNanos,
                machine,
                null,
                draft.seededRandom().coin() ? new Action.Claim(lease, machine, draft.term()) : granted);
        if (draft.seededRandom().coin()) {
            draft.add(atNanos + draft.moment(), draft.otherThan(machine), null, new Action.Refresh());
        }
        long lostNanos = atNanos + draft.seededRandom().spread(10 * MICRO, SECOND);
        draft.add(
                lostNanos,
                NOBODY,
                null,
                new Action.FailOver(draft.seededRandom().spread(MILLI, 2 * SECOND), true));
        draft.add(
                lostNanos + draft.seededRandom().spread(MILLI, 3 * SECOND),
                draft.otherThan(machine),
                new Action.Claim(lease, draft.otherThan(machine), draft.term()));
    }

    static void lag(Draft draft) {
        draft.add(draft.instant(), NOBODY, null, new Action.Lag(draft.trouble()));
    }

    static void stray(Draft draft) {
        draft.add(draft.instant(), draft.machine(), null, new Action.Stray(draft.lease()));
    }

    static void storm(Draft draft) {
        draft.add(
                draft.instant(),
                NOBODY,
                null,
                new Action.Storm(
                        1 + draft.seededRandom().pick(20), draft.seededRandom().spread(MICRO, 200 * MILLI)));
    }

    /** An engine stops, or dies, with its transaction open: the clock document is blocked for everybody until somebody ends it. */
    static void stuck(Draft draft) {
        long atNanos = draft.instant();
        int machine = draft.machine();
        MessageFault.Kind kind =
                draft.seededRandom().coin() ? MessageFault.Kind.CRASH_WHEN_DONE : MessageFault.Kind.PAUSE_WHEN_DONE;
        long goneNanos = Math.max(
                1,
                Math.min(
                        draft.seededRandom().between(SECOND, 12 * SECOND),
                        draft.setting().lengthNanos() - atNanos));
        MessageFault fault = new MessageFault(kind, draft.seededRandom().pick(4), goneNanos);
        int lease = draft.lease();
        draft.add(atNanos, machine, fault, new Action.TakeOver(lease, machine, draft.term()));
        int other = draft.otherThan(machine);
        draft.add(atNanos + draft.moment(), other, new Action.TakeOver(lease, other, draft.term()));
        draft.add(
                atNanos + draft.seededRandom().upTo(2 * SECOND),
                draft.machine(),
                new Action.Claim(draft.lease(), other, draft.term()));
    }

    static void corrupt(Draft draft) {
        draft.add(draft.instant(), NOBODY, null, new Action.Damage(DamageKind.CORRUPT_LEASE, draft.lease()));
    }
}
