package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;
import static dev.leasehold.simulator.plan.Nanos.YEAR;

/** What befalls machines and their clocks. */
final class NodeStories {

    private NodeStories() {}

    static void restart(Draft draft) {
        draft.add(draft.instant(), draft.machine(), new Action.Restart());
    }

    static void pause(Draft draft) {
        draft.add(draft.instant(), draft.machine(), new Action.Pause(draft.trouble()));
    }

    static void migrate(Draft draft) {
        draft.add(draft.instant(), draft.machine(), new Action.Migrate(draft.trouble(), draft.ppbWithin()));
    }

    static void suspend(Draft draft) {
        draft.add(draft.instant(), draft.machine(), new Action.Suspend(draft.trouble(), draft.suspendStops()));
    }

    static void crash(Draft draft) {
        draft.add(draft.instant(), draft.machine(), aCrash(draft));
    }

    /** It reboots at once, or stays away for a while. */
    private static Action aCrash(Draft draft) {
        return new Action.Crash(
                draft.seededRandom().oneIn(3) ? 0 : draft.trouble(), MachineDraw.origin(draft.seededRandom()));
    }

    /** A machine never comes back. */
    static void death(Draft draft) {
        int machine = draft.mortal();
        if (machine != 0) {
            draft.add(draft.instant(), machine, new Action.Crash(PlanRules.NEVER_NANOS, 0));
        }
    }

    static void cutOff(Draft draft) {
        draft.add(draft.instant(), draft.machine(), new Action.CutOff(draft.trouble()));
    }

    /** A holder dies, comes back as another writer, and wants its lease again. */
    static void crashAndReturn(Draft draft) {
        long atNanos = draft.instantBefore(6 * SECOND);
        int lease = draft.lease();
        int machine = draft.machine();
        draft.add(atNanos, machine, new Action.Claim(lease, machine, draft.term()));
        long crashNanos = atNanos + draft.moment();
        draft.add(crashNanos, machine, aCrash(draft));
        long backNanos = crashNanos + draft.seededRandom().spread(MILLI, 6 * SECOND);
        draft.add(backNanos, machine, new Action.TakeOver(lease, machine, draft.term()));
        draft.add(backNanos + draft.moment(), machine, new Action.Extend(draft.newest(lease), draft.term()));
    }

    static void wallStep(Draft draft) {
        draft.add(draft.instant(), draft.machine(), new Action.WallStep(step(draft)));
    }

    private static long step(Draft draft) {
        long byNanos = draft.seededRandom().spread(MILLI, 10 * YEAR);
        return draft.seededRandom().coin() && draft.wallMayStepBack() ? -byNanos : byNanos;
    }

    /** The wall clock is set to and fro. */
    static void strobe(Draft draft) {
        int machine = draft.machine();
        long atNanos = draft.instant();
        long byNanos =
                draft.wallMayStepBack() ? step(draft) : draft.seededRandom().spread(MILLI, SECOND);
        for (int i = 2 + draft.seededRandom().pick(4); i > 0; i--) {
            draft.add(atNanos, machine, new Action.WallStep(byNanos));
            byNanos = draft.wallMayStepBack() ? -byNanos : byNanos;
            atNanos += draft.seededRandom().spread(MILLI, SECOND);
        }
    }

    static void cloneWriter(Draft draft) {
        int machine = draft.machine();
        draft.add(draft.instant(), machine, new Action.CloneWriter(draft.otherThan(machine)));
    }

    static void monotonicStep(Draft draft) {
        draft.add(
                draft.instant(),
                draft.machine(),
                new Action.MonotonicStep(-draft.seededRandom().spread(MILLI, 100 * SECOND)));
    }

    /** A holder sleeps with its monotonic clock stopped, and its wall clock is set back as if it had not. */
    static void hiddenSuspend(Draft draft) {
        int lease = draft.lease();
        int holder = draft.machine();
        int taker = draft.otherThan(holder);
        long termNanos = draft.term();
        long atNanos = draft.instantBefore(2 * termNanos);
        draft.add(atNanos, holder, new Action.Claim(lease, holder, termNanos));
        draft.add(atNanos + draft.moment(), taker, new Action.Aim(Action.Move.TAKE_OVER, lease, taker, 1, termNanos));
        long stoppedNanos = atNanos + draft.seededRandom().between(MILLI, termNanos);
        long stopNanos = draft.seededRandom().between(MILLI, termNanos);
        draft.add(stoppedNanos, holder, new Action.Suspend(stopNanos, true));
        draft.add(stoppedNanos + draft.seededRandom().upTo(stopNanos), holder, new Action.WallStep(-stopNanos));
    }
}
