package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MICRO;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;

import dev.leasehold.simulator.conditions.DamageKind;
import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.plan.Action.Acquire;
import dev.leasehold.simulator.plan.Action.Move;

/**
 * What commands that know nothing of each other hardly ever come to: most of these stories are about two engines of one holder, or
 * about the one message that had better not been lost.
 */
final class RareStories {

    private RareStories() {}

    /** While another engine keeps a lease for an owner, one engine is asked for it by a stranger, and by that owner come back. */
    static void ownerComesBack(Draft draft) {
        long atNanos = draft.instantBefore(12 * SECOND);
        int lease = draft.lease();
        int keeper = draft.machine();
        int asked = draft.otherThan(keeper);
        int owner = draft.holder(keeper);
        draft.add(atNanos, keeper, new Acquire(lease, owner, null, 0, PlanRules.NEVER_NANOS));
        long askedNanos = atNanos + draft.moment();
        draft.add(askedNanos, asked, new Acquire(lease, null, term(draft), 10 * SECOND, keeping(draft)));
        draft.add(askedNanos + draft.moment(), asked, Acquire.back(lease, owner, null, 10 * SECOND, keeping(draft)));
    }

    /** Longer than the budget of an operation, as handles want it. */
    private static long term(Draft draft) {
        return draft.setting().operationNanos() + draft.seededRandom().between(MILLI, 4 * SECOND);
    }

    private static long keeping(Draft draft) {
        return draft.seededRandom().coin()
                ? PlanRules.NEVER_NANOS
                : draft.seededRandom().spread(MILLI, 5 * SECOND);
    }

    /** For a little longer than callers wait for their answers. */
    private static Action cutOff(Draft draft) {
        return new Action.CutOff(
                draft.setting().operationNanos() + draft.seededRandom().spread(MILLI, 2 * SECOND));
    }

    /** What another engine's session keeps is given up on its holder's behalf, unheard, and then acquired for the same holder. */
    static void givenUpUnheard(Draft draft) {
        long operationNanos = draft.setting().operationNanos();
        long atNanos = draft.instantBefore(2 * operationNanos + 6 * SECOND);
        int lease = draft.lease();
        int keeper = draft.machine();
        int other = draft.otherThan(keeper);
        Integer owner = draft.holder(keeper);
        draft.add(atNanos, keeper, new Acquire(lease, owner, null, 0, PlanRules.NEVER_NANOS));
        long cutNanos = atNanos + draft.seededRandom().between(SECOND / 2, SECOND);
        draft.add(cutNanos, other, cutOff(draft));
        draft.add(
                cutNanos + draft.seededRandom().upTo(operationNanos / 2),
                other,
                new Action.Release(draft.newest(lease)));
        draft.add(
                cutNanos + 2 * operationNanos + draft.seededRandom().between(SECOND, 3 * SECOND),
                other,
                new Acquire(lease, owner, null, 0, keeping(draft)));
    }

    /** A short job is to be had for longer than it runs, and others want it meanwhile: at once, or at the very end of that time. */
    static void keptFree(Draft draft) {
        int lease = draft.lease();
        int first = draft.machine();
        long atLeastNanos = draft.seededRandom().between(100 * MILLI, 8 * SECOND);
        long keptNanos = draft.seededRandom().spread(MILLI, 2 * SECOND);
        long atNanos = draft.instantBefore(atLeastNanos + 2 * SECOND);
        Long termNanos = draft.seededRandom().oneIn(4) ? (Long) term(draft) : null;
        draft.add(atNanos, first, new Acquire(lease, null, termNanos, SECOND / 2, keptNanos).withAtLeast(atLeastNanos));
        for (int others = 1 + draft.seededRandom().pick(3); others > 0; others--) {
            long askedNanos = draft.seededRandom().coin()
                    ? atNanos + draft.seededRandom().upTo(atLeastNanos)
                    : atNanos
                            + draft.stretched(atLeastNanos)
                            - draft.seededRandom().upTo(20 * MILLI);
            long waitNanos = draft.seededRandom().oneIn(3) ? 0 : atLeastNanos;
            draft.add(
                    askedNanos,
                    draft.machine(),
                    new Acquire(lease, null, null, waitNanos, keptNanos).withAtLeast(atLeastNanos));
        }
    }

    /** Another engine extends a tenure for long, its own one for a short time, and then that one falls silent until it has lost it. */
    static void shared(Draft draft) {
        long termNanos = term(draft);
        long atNanos = draft.instantBefore(3 * termNanos + SECOND);
        int lease = draft.lease();
        int own = draft.machine();
        int other = draft.otherThan(own);
        draft.add(atNanos, own, new Acquire(lease, draft.holder(own), termNanos, 0, PlanRules.NEVER_NANOS));
        long longNanos = atNanos + draft.seededRandom().between(SECOND / 2, termNanos);
        draft.add(longNanos, other, new Action.Extend(draft.newest(lease), 3 * termNanos));
        long shortNanos = longNanos + draft.seededRandom().between(100 * MILLI, SECOND);
        draft.add(
                shortNanos,
                own,
                new Action.Extend(draft.newest(lease), draft.seededRandom().between(SECOND, termNanos)));
        long silentNanos = termNanos * draft.seededRandom().between(80, 140) / 100;
        draft.add(
                shortNanos + draft.seededRandom().spread(10 * MILLI, SECOND),
                own,
                switch (draft.seededRandom().pick(3)) {
                    case 0 -> new Action.Pause(silentNanos);
                    case 1 -> new Action.Suspend(silentNanos, draft.suspendStops());
                    default -> new Action.CutOff(silentNanos);
                });
    }

    /**
     * Shortly before the end one who saw a session long ago takes it for over, in vain, and is gone before its transaction is ended.
     * It has written the lease by then, and not the clock.
     */
    static void lostAbort(Draft draft) {
        long sessionNanos = draft.setting().sessionNanos();
        long atNanos = Math.max(
                0,
                draft.setting().lengthNanos()
                        - sessionNanos
                        - draft.seededRandom().between(3 * SECOND, 6 * SECOND));
        int lease = draft.lease();
        int looker = draft.mortal();
        int keeper = draft.otherThan(looker);
        long seenNanos = atNanos + draft.seededRandom().between(500 * MILLI, SECOND);
        long backNanos =
                seenNanos + draft.stretched(sessionNanos) + draft.seededRandom().between(MILLI, SECOND);
        long keptNanos = Math.min(
                PlanRules.NEVER_NANOS,
                backNanos - atNanos + draft.seededRandom().upTo(SECOND));
        draft.add(atNanos, keeper, null, new Action.ForceExpire(lease));
        draft.add(atNanos + draft.moment(), keeper, null, new Acquire(lease, null, null, SECOND / 2, keptNanos));
        draft.add(seenNanos, looker, null, new Action.TakeOver(lease, looker, draft.term()));
        draft.add(backNanos, looker, gone(draft), new Acquire(lease, null, term(draft), 0, 0));
    }

    private static MessageFault gone(Draft draft) {
        return switch (draft.seededRandom().pick(3)) {
            case 0 ->
                new MessageFault(
                        MessageFault.Kind.LOSE_REQUEST, 1 + draft.seededRandom().pick(2), 0);
            case 1 ->
                new MessageFault(
                        MessageFault.Kind.CRASH_WHEN_SENT,
                        1 + draft.seededRandom().pick(2),
                        SECOND);
            default ->
                new MessageFault(
                        MessageFault.Kind.CRASH_WHEN_DONE, draft.seededRandom().pick(2), SECOND);
        };
    }

    /** A claim meets a conflict, is tried again, and then nobody hears in time what became of it, since no majority has it. */
    static void doubtAfterConflict(Draft draft) {
        long operationNanos = draft.setting().operationNanos();
        long atNanos = SECOND + draft.instantBefore(operationNanos + 4 * SECOND);
        int lease = draft.lease();
        int machine = draft.machine();
        draft.add(
                atNanos - draft.seededRandom().between(SECOND / 2, SECOND),
                machine,
                new Action.Claim(lease, machine, SECOND / 4));
        draft.add(
                atNanos - draft.seededRandom().upTo(20 * MILLI),
                machine,
                null,
                new Action.Storm(
                        1 + draft.seededRandom().pick(5), draft.seededRandom().between(20 * MILLI, 200 * MILLI)));
        draft.add(atNanos, machine, new Action.TakeOver(lease, machine, draft.term()));
        draft.add(
                atNanos, machine, new Action.Claim((lease + 1) % draft.setting().leases(), machine, draft.term()));
        draft.add(
                atNanos + draft.seededRandom().upTo(20 * MILLI),
                machine,
                null,
                new Action.Lag(operationNanos + draft.seededRandom().between(SECOND / 2, 2 * SECOND)));
    }

    /** One heartbeat fails shortly before the end, and what is done for another lease keeps the session alive until after it. */
    static void failedBeat(Draft draft) {
        Setting setting = draft.setting();
        long atNanos = Math.max(
                0,
                setting.lengthNanos()
                        - setting.sessionNanos()
                        - draft.seededRandom().between(2 * SECOND, 6 * SECOND));
        int lease = draft.lease();
        int machine = draft.machine();
        draft.add(atNanos, machine, null, new Acquire(lease, null, null, SECOND / 2, PlanRules.NEVER_NANOS));
        long cutNanos =
                atNanos + setting.heartbeatNanos() - draft.seededRandom().upTo(100 * MILLI);
        long spareNanos = setting.sessionNanos() - setting.heartbeatNanos() - setting.commandNanos();
        long backNanos = cutNanos + 250 * MILLI + draft.seededRandom().upTo(Math.max(0, spareNanos / 2));
        draft.add(cutNanos, machine, null, new Action.CutOff(backNanos - cutNanos));
        // When it is given up, there are no faults for long enough, and the end has not come.
        long givenUpNanos = setting.lengthNanos()
                + 2 * setting.operationNanos()
                + draft.seededRandom().between(4 * SECOND, 10 * SECOND);
        draft.add(
                backNanos,
                machine,
                null,
                new Acquire(
                        (lease + 1) % setting.leases(),
                        null,
                        term(draft),
                        SECOND / 2,
                        Math.max(0, givenUpNanos - backNanos)));
    }

    /** A claim is for longer, by a fast clock, than what is granted after a suspend, but its wall end is sooner; then the lease is begun anew. */
    static void mixed(Draft draft) {
        int lease = draft.lease();
        int holder = draft.fastest();
        int other = draft.otherThan(holder);
        long claimedNanos = draft.seededRandom().between(5 * SECOND, 8 * SECOND);
        long suspendedNanos = draft.seededRandom().between(2 * SECOND, 3 * SECOND);
        long atNanos = draft.instantBefore(claimedNanos + suspendedNanos + 2 * SECOND);
        draft.add(atNanos, holder, null, new Action.Claim(lease, holder, claimedNanos));
        draft.add(atNanos + 200 * MILLI, other, null, new Action.Extend(draft.newest(lease), SECOND));
        long suspendNanos = atNanos + 600 * MILLI;
        draft.add(suspendNanos, holder, null, new Action.Suspend(suspendedNanos, true));
        long awakeNanos = suspendNanos + suspendedNanos;
        draft.add(awakeNanos, holder, null, new Action.Extend(draft.newest(lease), claimedNanos - 2 * SECOND));
        draft.add(awakeNanos + 300 * MILLI, holder, null, new Action.Aim(Move.TAKE_OVER, lease, holder, 1, 3 * SECOND));
    }

    /** A lease is written for a session, unheard, and damaged before anybody can look what became of that. */
    static void hiddenByDamage(Draft draft) {
        long atNanos = draft.instantBefore(6 * SECOND);
        int lease = draft.lease();
        int machine = draft.machine();
        draft.add(atNanos, machine, null, new Acquire(lease, null, null, SECOND / 2, 100 * MILLI));
        long unheardNanos = atNanos + draft.seededRandom().between(SECOND, 2 * SECOND);
        MessageFault lost = new MessageFault(
                MessageFault.Kind.LOSE_REPLY, draft.seededRandom().pick(3), 0);
        draft.add(unheardNanos, machine, lost, new Acquire(lease, null, null, 0, keeping(draft)));
        long damagedNanos = unheardNanos
                + draft.seededRandom().between(50 * MILLI, draft.setting().operationNanos() / 2);
        draft.add(damagedNanos, DatabaseStories.NOBODY, null, new Action.Damage(DamageKind.CORRUPT_LEASE, lease));
    }

    /** One engine has lost what another one goes on with. When it can be heard again it extends that, and gives it up, and somebody waits for it. */
    static void revived(Draft draft) {
        long termNanos = term(draft);
        long atNanos = draft.instantBefore(2 * termNanos + 3 * SECOND);
        int lease = draft.lease();
        int lost = draft.machine();
        int other = draft.otherThan(lost);
        draft.add(
                atNanos,
                lost,
                null,
                new Acquire(lease, draft.holder(lost), termNanos, SECOND / 2, PlanRules.NEVER_NANOS));
        long cutNanos = atNanos + draft.seededRandom().between(SECOND / 2, SECOND);
        long heardNanos = cutNanos + termNanos + draft.seededRandom().between(MILLI, SECOND);
        draft.add(cutNanos, lost, null, new Action.CutOff(heardNanos - cutNanos));
        draft.add(
                cutNanos + draft.seededRandom().upTo(SECOND),
                other,
                null,
                new Action.Extend(draft.newest(lease), 3 * termNanos));
        long beforeNanos = draft.seededRandom().upTo(200 * MILLI);
        draft.add(heardNanos - beforeNanos, lost, null, new Action.Extend(draft.newest(lease), 3 * termNanos));
        draft.add(
                heardNanos - draft.seededRandom().upTo(beforeNanos),
                lost,
                null,
                new Action.Release(draft.newest(lease)));
        draft.add(
                heardNanos - draft.seededRandom().upTo(SECOND),
                other,
                null,
                new Acquire(lease, null, null, 5 * SECOND, keeping(draft)));
    }

    /**
     * While an engine that has found no document of a lease is paused, another one begins a tenure of it, gives that up, and removes the
     * document. The first one has seen neither its token nor the floor that is left of it.
     */
    static void absentBeforeAndAfter(Draft draft) {
        Setting setting = draft.setting();
        long tripNanos = 2 * (setting.network().delayNanos() + setting.network().jitterNanos())
                + setting.database().replicationNanos()
                + setting.database().replicationJitterNanos()
                + MILLI;
        long pausedNanos = 24 * tripNanos + 2 * setting.retentionNanos();
        if (pausedNanos >= setting.commandNanos()) {
            return;
        }
        long atNanos = SECOND / 2 + draft.seededRandom().upTo(SECOND);
        int lease = draft.lease();
        int paused = draft.machine();
        int other = draft.otherThan(paused);
        MessageFault pause = new MessageFault(MessageFault.Kind.PAUSE_WHEN_DONE, 1, pausedNanos);
        draft.add(atNanos, paused, pause, new Action.Claim(lease, paused, draft.term()));
        draft.add(atNanos + tripNanos, other, null, new Action.Claim(lease, other, draft.term()));
        draft.add(atNanos + 8 * tripNanos, other, null, new Action.Release(draft.newest(lease)));
        long overNanos = atNanos + 14 * tripNanos + 2 * setting.retentionNanos();
        draft.add(overNanos, other, null, new Action.Housekeeping());
        draft.add(overNanos + 4 * tripNanos, other, null, new Action.Housekeeping());
    }

    /** What the slowest clock promises is carried over by a fast one, and a third one waits for the end of that. */
    static void carriedOver(Draft draft) {
        int lease = draft.lease();
        int holder = draft.slowest();
        int other = draft.fastest();
        int taker = draft.otherThan(holder);
        for (int tries = 0; taker == other && tries < 4; tries++) {
            taker = draft.otherThan(holder);
        }
        long termNanos = draft.term();
        long atNanos = draft.instantBefore(2 * termNanos);
        draft.add(atNanos, holder, null, new Action.Claim(lease, holder, termNanos));
        draft.add(atNanos + draft.seededRandom().spread(1, 100 * MICRO), other, null, new Action.Refresh());
        long carriedNanos = atNanos + draft.seededRandom().between(termNanos / 10, termNanos * 8 / 10);
        draft.add(
                carriedNanos,
                other,
                null,
                new Action.Extend(draft.newest(lease), draft.seededRandom().between(MILLI, termNanos / 10)));
        draft.add(
                carriedNanos + draft.seededRandom().spread(1, 100 * MICRO),
                taker,
                null,
                new Action.Aim(
                        Move.TAKE_OVER, lease, taker, draft.seededRandom().between(-1, 1), termNanos));
        draft.add(
                atNanos + draft.stretched(termNanos) + SECOND / 10,
                taker,
                null,
                new Action.Release(draft.newest(lease)));
    }
}
