package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;
import static dev.leasehold.simulator.plan.PlanRules.NEVER_NANOS;

import dev.leasehold.simulator.plan.Action.Acquire;
import org.jspecify.annotations.Nullable;

/** What services do with tenures, and operators with leases. */
final class TenureScenarios extends Scene {

    /** So few that several do the same one. */
    private static final int OCCURRENCES = 2;

    TenureScenarios(PlanBuilder plan) {
        super(plan);
    }

    /** One call; or several at nearly the same instant, by all machines about one lease, or by one about several. */
    void calls() {
        long atNanos = instant();
        boolean isBatch = random.oneIn(3);
        for (int i = random.oneIn(4) ? 2 + random.pick(3) : 1; i > 0; i--) {
            long callNanos = atNanos + (isBatch ? 0 : random.upTo(5 * MILLI));
            add(callNanos, isBatch ? machine : machine(), call(isBatch ? lease() : lease));
        }
    }

    private Action call(int lease) {
        Action.Choice tenure = new Action.Choice(lease, random.oneIn(5) ? 1 + random.pick(2) : 0);
        return switch (random.pick(12)) {
            case 0 -> new Action.Refresh();
            case 1 -> new Action.Expire(lease);
            case 2 -> random.coin() ? new Action.Housekeeping() : new Action.ListAll();
            case 3, 4 -> new Action.TakeOver(lease, holder(machine()), term());
            case 5, 6, 7 -> new Action.Extend(tenure, term());
            case 8 -> new Action.Release(tenure);
            default -> new Action.Claim(lease, holder(machine()), term());
        };
    }

    /**
     * A tenure ends while it is still extended, released, asserted: it is released, and its holder claims the lease again here or elsewhere;
     * or its term is over, and the lease is taken.
     */
    void succession() {
        long termNanos = term();
        long atNanos = instantBefore(2 * termNanos);
        claim(atNanos, machine, termNanos);
        long endNanos = atNanos + termNanos;
        if (random.coin()) {
            endNanos = atNanos + random.spread(MILLI, 2 * SECOND);
            release(endNanos, machine);
            long againNanos = endNanos + (random.coin() ? moment() : random.spread(MILLI, SECOND));
            add(againNanos, random.oneIn(3) ? other : machine, new Action.Claim(lease, machine, term()));
        } else {
            add(atNanos + moment(), other, aim(Action.Move.TAKE_OVER, random.oneIn(3) ? machine : machine()));
        }
        long beforeNanos = thinking();
        long afterNanos = thinking();
        long lateNanos = endNanos - random.upTo(beforeNanos + afterNanos) + (random.coin() ? 0 : random.upTo(SECOND));
        Action.Choice old = new Action.Choice(lease, lateNanos < endNanos ? 0 : 1);
        Action late = switch (random.pick(6)) {
            case 0 -> new Action.Release(old);
            case 1 -> new Action.Extend(old, term());
            default -> new Action.Gate(old, beforeNanos, afterNanos, random.oneIn(8));
        };
        add(Math.max(atNanos, lateNanos), random.coin() ? machine : machine(), late);
    }

    /** One holder works through two engines: what the one claims the other extends, and the other way round. */
    void sharedTenure() {
        long atNanos = instantBefore(10 * SECOND);
        claim(atNanos, machine, term());
        for (int i = 1 + random.pick(4); i > 0; i--) {
            atNanos += random.spread(MILLI, 4 * SECOND);
            long forNanos = random.oneIn(3) ? random.between(MILLI, term()) : term();
            extend(atNanos, random.coin() ? machine : other, forNanos);
        }
        if (random.oneIn(3)) {
            release(atNanos + moment(), other);
        }
    }

    /**
     * Another engine extends a tenure for long, its own one for a short time, and then that one falls silent until it has lost it. When it
     * can be heard again it extends and releases it, and another one waits for it.
     */
    void lostShare() {
        long termNanos = handleTerm();
        long atNanos = instantBefore(3 * termNanos + 3 * SECOND);
        add(atNanos, machine, new Acquire(lease, holder(machine), termNanos, SECOND / 2, NEVER_NANOS));
        long longNanos = atNanos + random.between(SECOND / 2, termNanos);
        extend(longNanos, other, 3 * termNanos);
        long silentNanos = longNanos + random.between(100 * MILLI, SECOND);
        if (random.coin()) {
            extend(silentNanos, machine, random.between(SECOND, termNanos));
            silentNanos += random.spread(10 * MILLI, SECOND);
        }
        long forNanos = termNanos * random.between(80, 140) / 100;
        add(silentNanos, machine, silence(forNanos));
        if (random.coin()) {
            long heardNanos = silentNanos + forNanos - random.upTo(200 * MILLI);
            extend(heardNanos, machine, 3 * termNanos);
            release(heardNanos + moment(), machine);
            add(heardNanos - random.upTo(SECOND), other, new Acquire(lease, null, null, 5 * SECOND, keeping()));
        }
    }

    /** A lease is forced to expire, or pinned; most pins are taken away again. */
    void operators() {
        long atNanos = instant();
        if (random.coin()) {
            add(atNanos, machine, new Action.ForceExpire(lease));
            return;
        }
        int entity = random.pick(2);
        add(atNanos, machine, new Action.Pin(lease, entity));
        if (!random.oneIn(5)) {
            add(atNanos + random.spread(MILLI, 10 * SECOND), machine(), new Action.Unpin(lease, entity));
        }
    }

    // ---- transactions of callers ----

    /** One transaction; or two that conflict, of which one may forget to assert when it is run again, and the tenure ends meanwhile. */
    void gate() {
        if (!random.oneIn(3)) {
            add(instant(), machine, gate(random.oneIn(5) ? 1 + random.pick(2) : 0));
            return;
        }
        long atNanos = instantBefore(2 * SECOND);
        claim(atNanos, machine, term());
        long gateNanos = atNanos + random.spread(MILLI, SECOND);
        add(gateNanos, machine, new Action.Gate(newest(), 0, random.spread(MILLI, SECOND), false));
        Action second = new Action.Gate(newest(), random.spread(MILLI, SECOND), thinking(), random.coin());
        add(gateNanos + moment(), machine(), second);
        Action end = random.coin() ? new Action.Release(newest()) : new Action.ForceExpire(lease);
        add(gateNanos + random.upTo(SECOND), machine, end);
    }

    /**
     * Transactions of one holder spread over gate stripes, while its tenure ends in one way or another and the next one begins. Some of
     * them go on asserting the tenure of before.
     */
    void striped() {
        int stripes = 1 + random.pick(4);
        Integer holder = holderOrNone(machine);
        long atNanos = instantBefore(8 * SECOND);
        long keptNanos = random.spread(100 * MILLI, 2 * SECOND);
        addStriped(atNanos, machine, holder, SECOND, keptNanos, stripes);
        gates(atNanos, keptNanos);
        if (random.coin()) {
            add(atNanos + random.upTo(keptNanos), other, new Action.ForceExpire(lease));
        }
        long endNanos = atNanos + keptNanos;
        long nextNanos = random.spread(100 * MILLI, 3 * SECOND);
        Integer nextStripes = random.coin() ? null : (Integer) random.pick(stripes);
        if (random.coin()) {
            addStriped(endNanos + moment(), machine, holder, 4 * SECOND, nextNanos, nextStripes);
        } else {
            addStriped(endNanos + moment(), other, null, 4 * SECOND, nextNanos, nextStripes);
        }
        gates(endNanos - SECOND / 2, 2 * SECOND);
    }

    /**
     * The same occurrences of the work of a lease are done by several: by jobs on all machines at nearly the same instant, by transactions
     * under one tenure, on gate stripes or not, and by the tenure after it.
     */
    void once() {
        long atNanos = instantBefore(8 * SECOND);
        long withinNanos = random.spread(MILLI, 4 * SECOND);
        if (random.oneIn(3)) {
            long keptNanos = random.spread(100 * MILLI, 3 * SECOND);
            Integer stripes = random.coin() ? null : (Integer) (1 + random.pick(4));
            addStriped(atNanos, machine, holderOrNone(machine), SECOND, keptNanos, stripes);
            for (int i = 2 + random.pick(3); i > 0; i--) {
                long gateNanos = atNanos + (random.coin() ? SECOND / 2 : random.upTo(withinNanos));
                add(gateNanos + moment(), random.coin() ? machine : machine(), gateOnce(random.oneIn(4) ? 1 : 0));
            }
        }
        for (int jobs = 2 + random.pick(3); jobs > 0; jobs--) {
            add(atNanos + (random.coin() ? moment() : random.upTo(withinNanos)), machine(), job(waiting(), thinking()));
        }
    }

    /** A process falls silent in the transaction of its job, another one does the job, and then the first goes on as the holder. */
    void pausedOnce() {
        long atNanos = instantBefore(15 * SECOND);
        long thinkNanos = random.spread(100 * MILLI, SECOND);
        long silentNanos = random.between(SECOND, 12 * SECOND);
        add(atNanos, machine, job(SECOND, thinkNanos));
        add(atNanos + random.upTo(thinkNanos), machine, silence(silentNanos));
        add(atNanos + random.upTo(silentNanos), other, job(2 * silentNanos, thinking()));
        if (random.coin()) {
            add(atNanos + random.upTo(silentNanos), other, new Action.ForceExpire(lease));
            add(atNanos + silentNanos + moment(), machine, gateOnce(1));
        }
    }

    private Action job(long waitNanos, long afterNanos) {
        return new Action.RunOnce(
                lease, holderOrNone(machine), handleTermOneIn(3), waitNanos, random.pick(OCCURRENCES), afterNanos);
    }

    private Action gateOnce(int age) {
        return new Action.Gate(new Action.Choice(lease, age), thinking(), thinking(), false, random.pick(OCCURRENCES));
    }

    private void addStriped(
            long atNanos,
            int machine,
            @Nullable Integer holder,
            long waitNanos,
            long keepNanos,
            @Nullable Integer stripes) {
        add(atNanos, machine, new Acquire(lease, holder, null, waitNanos, keepNanos).with("stripes", stripes));
    }

    /** Several transactions on one machine within a time, beside each other or not. */
    private void gates(long fromNanos, long withinNanos) {
        for (int i = 2 + random.pick(3); i > 0; i--) {
            add(fromNanos + random.upTo(withinNanos), machine, gate(random.pick(2)));
        }
    }

    private Action gate(int age) {
        return new Action.Gate(new Action.Choice(lease, age), thinking(), thinking(), false);
    }
}
