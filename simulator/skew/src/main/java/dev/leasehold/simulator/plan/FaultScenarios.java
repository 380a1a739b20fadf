package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MICRO;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;
import static dev.leasehold.simulator.plan.Nanos.YEAR;
import static dev.leasehold.simulator.plan.PlanRules.NEVER_NANOS;

import dev.leasehold.simulator.conditions.DamageKind;
import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.conditions.MessageFault.Kind;
import dev.leasehold.simulator.plan.Action.Acquire;

/** Faults of machines, their clocks and the database. */
final class FaultScenarios extends Scene {

    FaultScenarios(PlanBuilder plan) {
        super(plan);
    }

    void machineFault() {
        long atNanos = instant();
        boolean isForGood = machine != 0 && random.coin();
        switch (random.pick(8)) {
            case 0 -> add(atNanos, machine, new Action.Restart());
            case 1 -> add(atNanos, machine, new Action.Migrate(outage(), ppbWithin()));
            case 2 -> add(atNanos, machine, suspend(outage()));
            case 3 -> add(atNanos, machine, new Action.Crash(0, ConditionGenerator.origin(random)));
            case 4 -> add(atNanos, machine, isForGood ? new Action.Crash(NEVER_NANOS, 0) : silence(outage()));
            default -> add(atNanos, machine, silence(outage()));
        }
    }

    /** A rate that keeps to the drift bound, half of the time one of its ends. */
    private long ppbWithin() {
        long boundPpb = setting.driftPpm() * 1_000;
        return switch (random.pick(4)) {
            case 0 -> -boundPpb;
            case 1 -> boundPpb;
            default -> random.between(-boundPpb, boundPpb);
        };
    }

    /** A wall clock is set, or set to and fro. */
    void wallClock() {
        long atNanos = instant();
        long byNanos = random.spread(MILLI, random.oneIn(4) ? SECOND : 10 * YEAR) * (random.coin() ? 1 : -1);
        for (int i = random.oneIn(4) ? 2 + random.pick(4) : 1; i > 0; i--) {
            add(atNanos, machine, wallStep(byNanos));
            byNanos = -byNanos;
            atNanos += random.spread(MILLI, SECOND);
        }
    }

    void database() {
        Action fault = switch (random.pick(9)) {
            case 0, 1 -> new Action.FailOver(outage(), random.coin());
            case 2, 3 -> new Action.Lag(outage());
            case 4, 5 -> new Action.Storm(1 + random.pick(20), random.spread(MICRO, 200 * MILLI));
            case 6, 7 -> new Action.Stray(lease);
            default -> new Action.Damage(DamageKind.CORRUPT_LEASE, lease);
        };
        add(instant(), machine, null, fault);
    }

    /** What was granted is not on a majority yet when the primary is lost. */
    void lostPrimary() {
        long atNanos = instantBefore(3 * SECOND);
        if (random.coin()) {
            add(atNanos - moment(), machine, null, new Action.Lag(random.spread(10 * MILLI, 3 * SECOND)));
        }
        Action granted = switch (random.pick(6)) {
            case 0 -> new Action.Extend(newest(), term());
            case 1, 2 -> new Action.TakeOver(lease, machine, term());
            default -> new Action.Claim(lease, machine, term());
        };
        add(atNanos, machine, null, granted);
        if (random.coin()) {
            add(atNanos + moment(), other, null, new Action.Refresh());
        }
        long lostNanos = atNanos + random.spread(10 * MICRO, SECOND);
        add(lostNanos, machine, null, new Action.FailOver(random.spread(MILLI, 2 * SECOND), true));
        claim(lostNanos + random.spread(MILLI, 3 * SECOND), other, term());
    }

    /** An engine stops, or dies, with its transaction open: what it has written is blocked until the transaction is ended. */
    void stuck() {
        if (random.oneIn(3)) {
            stuckOnALease();
            return;
        }
        long atNanos = instant();
        Kind kind = random.coin() ? Kind.CRASH_WHEN_DONE : Kind.PAUSE_WHEN_DONE;
        long leftNanos = Math.max(1, setting.lengthNanos() - atNanos);
        MessageFault gone =
                new MessageFault(kind, random.pick(4), Math.min(leftNanos, random.between(SECOND, 12 * SECOND)));
        add(atNanos, machine, gone, new Action.TakeOver(lease, machine, term()));
        takeOver(atNanos + moment(), other);
        add(atNanos + random.upTo(2 * SECOND), machine(), new Action.Claim(lease(), other, term()));
    }

    /** Shortly before the end one that saw a session long ago takes it for over, in vain, and is gone before its transaction is ended. */
    private void stuckOnALease() {
        long sessionNanos = setting.sessionNanos();
        long atNanos = Math.max(0, setting.lengthNanos() - sessionNanos - random.between(3 * SECOND, 6 * SECOND));
        int taker = otherThan(0);
        int keeper = otherThan(taker);
        long seenNanos = atNanos + random.between(500 * MILLI, SECOND);
        long backNanos = seenNanos + stretched(sessionNanos) + random.between(MILLI, SECOND);
        MessageFault gone = switch (random.pick(3)) {
            case 0 -> new MessageFault(Kind.LOSE_REQUEST, 1 + random.pick(2), 0);
            case 1 -> new MessageFault(Kind.CRASH_WHEN_SENT, 1 + random.pick(2), SECOND);
            default -> new MessageFault(Kind.CRASH_WHEN_DONE, random.pick(2), SECOND);
        };
        add(atNanos, keeper, null, new Action.ForceExpire(lease));
        long keptNanos = Math.min(NEVER_NANOS, backNanos - atNanos + random.upTo(SECOND));
        add(atNanos + moment(), keeper, null, new Acquire(lease, null, null, SECOND / 2, keptNanos));
        add(seenNanos, taker, null, new Action.TakeOver(lease, taker, term()));
        add(backNanos, taker, gone, new Acquire(lease, null, handleTerm(), 0, 0));
    }

    /**
     * While an engine that has found no document of a lease is paused, another one begins a tenure of it, releases it, and removes the
     * document. The first one has seen neither its token nor the floor that is left of it.
     */
    void removedDocument() {
        long tripNanos = 2 * (setting.network().delayNanos() + setting.network().jitterNanos())
                + setting.database().replicationNanos()
                + setting.database().replicationJitterNanos()
                + MILLI;
        long pausedNanos = 24 * tripNanos + 2 * setting.retentionNanos();
        if (pausedNanos >= setting.commandNanos()) {
            return;
        }
        long atNanos = SECOND / 2 + random.upTo(SECOND);
        MessageFault pause = new MessageFault(Kind.PAUSE_WHEN_DONE, 1, pausedNanos);
        add(atNanos, machine, pause, new Action.Claim(lease, machine, term()));
        add(atNanos + tripNanos, other, null, new Action.Claim(lease, other, term()));
        release(atNanos + 8 * tripNanos, other);
        long overNanos = atNanos + 14 * tripNanos + 2 * setting.retentionNanos();
        add(overNanos, other, null, new Action.Housekeeping());
        add(overNanos + 4 * tripNanos, other, null, new Action.Housekeeping());
    }

    /** What no guarantee about time covers: a clone, a monotonic clock that steps back, a suspend that no clock shows. */
    void outside() {
        switch (random.pick(3)) {
            case 0 -> add(instant(), machine, new Action.CloneWriter(other));
            case 1 -> add(instant(), machine, new Action.MonotonicStep(-random.spread(MILLI, 100 * SECOND)));
            default -> {
                long termNanos = term();
                long atNanos = instantBefore(2 * termNanos);
                claim(atNanos, machine, termNanos);
                Action aim = new Action.Aim(Action.Move.TAKE_OVER, lease, other, 1, termNanos);
                add(atNanos + moment(), other, aim);
                long stoppedNanos = atNanos + random.between(MILLI, termNanos);
                long stopNanos = random.between(MILLI, termNanos);
                add(stoppedNanos, machine, new Action.Suspend(stopNanos, true));
                add(stoppedNanos + random.upTo(stopNanos), machine, new Action.WallStep(-stopNanos));
            }
        }
    }
}
