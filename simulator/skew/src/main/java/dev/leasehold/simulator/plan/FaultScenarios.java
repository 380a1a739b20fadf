package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MICRO;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;
import static dev.leasehold.simulator.plan.Nanos.YEAR;
import static dev.leasehold.simulator.plan.PlanBuilder.newest;
import static dev.leasehold.simulator.plan.PlanRules.NEVER_NANOS;

import dev.leasehold.simulator.conditions.DamageKind;
import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.conditions.MessageFault.Kind;
import dev.leasehold.simulator.conditions.SeededRandom;
import dev.leasehold.simulator.plan.Action.Acquire;

/** Faults of machines, their clocks and the database. */
final class FaultScenarios {

    private FaultScenarios() {}

    static void machine(PlanBuilder plan) {
        SeededRandom random = plan.random();
        int machine = plan.machine();
        long atNanos = plan.instant();
        switch (random.pick(8)) {
            case 0 -> plan.add(atNanos, machine, new Action.Restart());
            case 1 -> plan.add(atNanos, machine, new Action.Migrate(plan.outage(), ppbWithin(plan)));
            case 2 -> plan.add(atNanos, machine, plan.suspend(plan.outage()));
            case 3 -> plan.add(atNanos, machine, new Action.Crash(0, MachineGenerator.origin(random)));
            case 4 -> {
                if (machine != 0 && random.coin()) {
                    plan.add(atNanos, machine, new Action.Crash(NEVER_NANOS, 0));
                }
            }
            default -> plan.add(atNanos, machine, plan.silence(plan.outage()));
        }
    }

    /** A rate that keeps to the drift bound, half of the time one of its ends. */
    private static long ppbWithin(PlanBuilder plan) {
        long boundPpb = plan.setting().driftPpm() * 1_000;
        return switch (plan.random().pick(4)) {
            case 0 -> -boundPpb;
            case 1 -> boundPpb;
            default -> plan.random().between(-boundPpb, boundPpb);
        };
    }

    /** A wall clock is set, or set to and fro. */
    static void wallClock(PlanBuilder plan) {
        SeededRandom random = plan.random();
        int machine = plan.machine();
        long atNanos = plan.instant();
        long byNanos = random.spread(MILLI, random.oneIn(4) ? SECOND : 10 * YEAR) * (random.coin() ? 1 : -1);
        for (int i = random.oneIn(4) ? 2 + random.pick(4) : 1; i > 0; i--) {
            plan.add(atNanos, machine, plan.wallStep(byNanos));
            byNanos = -byNanos;
            atNanos += random.spread(MILLI, SECOND);
        }
    }

    static void database(PlanBuilder plan) {
        SeededRandom random = plan.random();
        Action fault = switch (random.pick(9)) {
            case 0, 1 -> new Action.FailOver(plan.outage(), random.coin());
            case 2, 3 -> new Action.Lag(plan.outage());
            case 4, 5 -> new Action.Storm(1 + random.pick(20), random.spread(MICRO, 200 * MILLI));
            case 6, 7 -> new Action.Stray(plan.lease());
            default -> new Action.Damage(DamageKind.CORRUPT_LEASE, plan.lease());
        };
        plan.add(plan.instant(), plan.machine(), null, fault);
    }

    /** What was granted is not on a majority yet when the primary is lost. */
    static void lostPrimary(PlanBuilder plan) {
        SeededRandom random = plan.random();
        long atNanos = plan.instantBefore(3 * SECOND);
        int lease = plan.lease();
        int machine = plan.machine();
        int other = plan.otherThan(machine);
        if (random.coin()) {
            plan.add(atNanos - plan.moment(), machine, null, new Action.Lag(random.spread(10 * MILLI, 3 * SECOND)));
        }
        Action granted = switch (random.pick(6)) {
            case 0 -> new Action.Extend(newest(lease), plan.term());
            case 1, 2 -> new Action.TakeOver(lease, machine, plan.term());
            default -> new Action.Claim(lease, machine, plan.term());
        };
        plan.add(atNanos, machine, null, granted);
        if (random.coin()) {
            plan.add(atNanos + plan.moment(), other, null, new Action.Refresh());
        }
        long lostNanos = atNanos + random.spread(10 * MICRO, SECOND);
        plan.add(lostNanos, machine, null, new Action.FailOver(random.spread(MILLI, 2 * SECOND), true));
        plan.add(lostNanos + random.spread(MILLI, 3 * SECOND), other, new Action.Claim(lease, other, plan.term()));
    }

    /** An engine stops, or dies, with its transaction open: what it has written is blocked until the transaction is ended. */
    static void stuck(PlanBuilder plan) {
        SeededRandom random = plan.random();
        if (random.oneIn(3)) {
            stuckOnALease(plan);
            return;
        }
        long atNanos = plan.instant();
        int machine = plan.machine();
        int other = plan.otherThan(machine);
        Kind kind = random.coin() ? Kind.CRASH_WHEN_DONE : Kind.PAUSE_WHEN_DONE;
        long leftNanos = Math.max(1, plan.setting().lengthNanos() - atNanos);
        MessageFault gone =
                new MessageFault(kind, random.pick(4), Math.min(leftNanos, random.between(SECOND, 12 * SECOND)));
        int lease = plan.lease();
        plan.add(atNanos, machine, gone, new Action.TakeOver(lease, machine, plan.term()));
        plan.add(atNanos + plan.moment(), other, new Action.TakeOver(lease, other, plan.term()));
        plan.add(atNanos + random.upTo(2 * SECOND), plan.machine(), new Action.Claim(plan.lease(), other, plan.term()));
    }

    /** Shortly before the end one that saw a session long ago takes it for over, in vain, and is gone before its transaction is ended. */
    private static void stuckOnALease(PlanBuilder plan) {
        SeededRandom random = plan.random();
        long sessionNanos = plan.setting().sessionNanos();
        long atNanos =
                Math.max(0, plan.setting().lengthNanos() - sessionNanos - random.between(3 * SECOND, 6 * SECOND));
        int lease = plan.lease();
        int taker = plan.otherThan(0);
        int keeper = plan.otherThan(taker);
        long seenNanos = atNanos + random.between(500 * MILLI, SECOND);
        long backNanos = seenNanos + plan.stretched(sessionNanos) + random.between(MILLI, SECOND);
        MessageFault gone = switch (random.pick(3)) {
            case 0 -> new MessageFault(Kind.LOSE_REQUEST, 1 + random.pick(2), 0);
            case 1 -> new MessageFault(Kind.CRASH_WHEN_SENT, 1 + random.pick(2), SECOND);
            default -> new MessageFault(Kind.CRASH_WHEN_DONE, random.pick(2), SECOND);
        };
        plan.add(atNanos, keeper, null, new Action.ForceExpire(lease));
        long keptNanos = Math.min(NEVER_NANOS, backNanos - atNanos + random.upTo(SECOND));
        plan.add(atNanos + plan.moment(), keeper, null, new Acquire(lease, null, null, SECOND / 2, keptNanos));
        plan.add(seenNanos, taker, null, new Action.TakeOver(lease, taker, plan.term()));
        plan.add(backNanos, taker, gone, new Acquire(lease, null, plan.handleTerm(), 0, 0));
    }

    /**
     * While an engine that has found no document of a lease is paused, another one begins a tenure of it, releases it, and removes the
     * document. The first one has seen neither its token nor the floor that is left of it.
     */
    static void removedDocument(PlanBuilder plan) {
        Setting setting = plan.setting();
        long tripNanos = 2 * (setting.network().delayNanos() + setting.network().jitterNanos())
                + setting.database().replicationNanos()
                + setting.database().replicationJitterNanos()
                + MILLI;
        long pausedNanos = 24 * tripNanos + 2 * setting.retentionNanos();
        if (pausedNanos >= setting.commandNanos()) {
            return;
        }
        long atNanos = SECOND / 2 + plan.random().upTo(SECOND);
        int lease = plan.lease();
        int paused = plan.machine();
        int other = plan.otherThan(paused);
        MessageFault pause = new MessageFault(Kind.PAUSE_WHEN_DONE, 1, pausedNanos);
        plan.add(atNanos, paused, pause, new Action.Claim(lease, paused, plan.term()));
        plan.add(atNanos + tripNanos, other, null, new Action.Claim(lease, other, plan.term()));
        plan.release(atNanos + 8 * tripNanos, other, lease);
        long overNanos = atNanos + 14 * tripNanos + 2 * setting.retentionNanos();
        plan.add(overNanos, other, null, new Action.Housekeeping());
        plan.add(overNanos + 4 * tripNanos, other, null, new Action.Housekeeping());
    }

    /** What no guarantee about time covers: a clone, a monotonic clock that steps back, a suspend that no clock shows. */
    static void outside(PlanBuilder plan) {
        SeededRandom random = plan.random();
        int machine = plan.machine();
        int other = plan.otherThan(machine);
        switch (random.pick(3)) {
            case 0 -> plan.add(plan.instant(), machine, new Action.CloneWriter(other));
            case 1 -> plan.add(plan.instant(), machine, new Action.MonotonicStep(-random.spread(MILLI, 100 * SECOND)));
            default -> {
                int lease = plan.lease();
                long termNanos = plan.term();
                long atNanos = plan.instantBefore(2 * termNanos);
                plan.claim(atNanos, machine, lease, termNanos);
                Action aim = new Action.Aim(Action.Move.TAKE_OVER, lease, other, 1, termNanos);
                plan.add(atNanos + plan.moment(), other, aim);
                long stoppedNanos = atNanos + random.between(MILLI, termNanos);
                long stopNanos = random.between(MILLI, termNanos);
                plan.add(stoppedNanos, machine, new Action.Suspend(stopNanos, true));
                plan.add(stoppedNanos + random.upTo(stopNanos), machine, new Action.WallStep(-stopNanos));
            }
        }
    }
}
