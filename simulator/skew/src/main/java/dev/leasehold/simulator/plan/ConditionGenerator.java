package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.DAY;
import static dev.leasehold.simulator.plan.Nanos.MICRO;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;
import static dev.leasehold.simulator.plan.Nanos.YEAR;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.Machine.Rate;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.NetworkConditions;
import dev.leasehold.simulator.conditions.SeededRandom;
import dev.leasehold.simulator.plan.Workload.Network;
import dev.leasehold.simulator.plan.Workload.Rates;
import java.util.ArrayList;
import java.util.List;

/** Draws what holds for a whole history, and its machines with their clocks. */
final class ConditionGenerator {

    private static final int FAULT_PPM_MAX = 100_000;
    private static final long PPB_MIN = -SECOND + 1;
    private static final long PPB_MAX = SECOND;
    /** A clock that nearly stands still would make a history last for years. */
    private static final long WILD_PPB_MIN = -800_000_000;

    private static final long[] PRECISIONS = {1, 1, MICRO, MILLI};
    private static final int SESSION_PERCENT_MIN = 40;
    private static final int SESSION_PERCENT_MAX = 250;

    private final SeededRandom random;
    private final Workload workload;

    ConditionGenerator(SeededRandom random, Workload workload) {
        this.random = random;
        this.workload = workload;
    }

    // ---- the setting ----

    Setting setting(long driftPpm) {
        long sessionNanos = random.between(2 * SECOND, 10 * SECOND);
        long operationNanos = random.between(SECOND / 2, sessionNanos * 8 / 10);
        return new Setting(
                true,
                driftPpm,
                sessionNanos,
                random.oneIn(4) ? random.between(sessionNanos / 10, sessionNanos * 48 / 100) : sessionNanos / 3,
                operationNanos,
                random.between(SECOND / 10, operationNanos),
                random.between(SECOND / 10, 3 * SECOND),
                random.coin() ? 3_600 * SECOND : random.spread(MILLI, 20 * SECOND),
                random.oneIn(6) ? 1 + 2 * random.pick(2) : 2,
                random.oneIn(8) ? 2 + random.pick(2) : 1,
                workload.exact() ? random.between(10 * SECOND, 30 * SECOND) : random.between(20 * SECOND, 60 * SECOND),
                random.oneIn(4) ? (Long) random.spread(MICRO, 20 * MILLI) : null,
                random.coin() ? (Integer) PlanRules.SINGLE_WRITES_MAX : null,
                network(),
                database());
    }

    private NetworkConditions network() {
        return switch (workload.network()) {
            case INSTANT ->
                random.coin()
                        ? NetworkConditions.PERFECT
                        : network(random.upTo(100 * MICRO), random.upTo(50 * MICRO), 0);
            case DELAYED -> random.oneIn(8) ? NetworkConditions.PERFECT : delayed(0);
            case SOME_FAULTS -> random.oneIn(16) ? NetworkConditions.PERFECT : delayed(3);
            case ALL_FAULTS -> delayed(1);
        };
    }

    /** From what two processes of one machine need, to what the other side of the world does. */
    private NetworkConditions delayed(int faultOneIn) {
        long delayNanos = random.spread(100 * MICRO, 50 * MILLI);
        return network(delayNanos, random.coin() ? random.upTo(delayNanos) : random.upTo(50 * MILLI), faultOneIn);
    }

    /** Each fault is there in one history of so many; in none for 0. */
    private NetworkConditions network(long delayNanos, long jitterNanos, int faultOneIn) {
        return new NetworkConditions(
                delayNanos,
                jitterNanos,
                faultPpm(faultOneIn),
                faultOneIn == 0 ? 0 : random.spread(100 * MILLI, random.oneIn(4) ? 30 * SECOND : 3 * SECOND),
                faultPpm(faultOneIn),
                faultPpm(faultOneIn),
                faultPpm(faultOneIn),
                faultPpm(faultOneIn),
                faultPpm(faultOneIn));
    }

    private int faultPpm(int oneIn) {
        return oneIn > 0 && random.oneIn(oneIn) ? (int) random.spread(1_000, FAULT_PPM_MAX) : 0;
    }

    private DatabaseConditions database() {
        boolean instant = workload.network() == Network.INSTANT;
        return new DatabaseConditions(
                instant ? 0 : random.spread(MICRO, 20 * MILLI),
                instant ? 0 : random.upTo(10 * MILLI),
                random.coin() ? 60 * SECOND : random.between(SECOND, 20 * SECOND),
                random.spread(SECOND / 2, 30 * SECOND),
                workload.network() == Network.ALL_FAULTS ? random.coin() : !random.oneIn(4));
    }

    // ---- machines ----

    /**
     * So many on which commands run, and the observer's at the end. In some histories a change of the length of sessions has come to some
     * machines only.
     */
    List<Machine> machines(int working, Setting setting) {
        Rates rates = rates();
        long boundPpb = boundPpb(setting.driftPpm());
        long centreNanos = random.coin()
                ? PlanRules.PLAIN_WALL_NANOS
                : random.between(PlanRules.WALL_MIN_NANOS, PlanRules.WALL_MAX_NANOS);
        long spreadNanos = random.oneIn(4) ? 0 : random.spread(MILLI, 50 * YEAR);
        boolean changes = random.oneIn(4);
        int slow = random.pick(working);
        int fast = (slow + 1 + random.pick(working - 1)) % working;
        List<Machine> machines = new ArrayList<>(working + 1);
        for (int i = 0; i <= working; i++) {
            Rates own = i == working && rates == Rates.ANY ? Rates.WITHIN : rates;
            boolean isAtEnd = rates == Rates.OPPOSED && (i == slow || i == fast);
            Machine machine = new Machine(
                    origin(random),
                    PlanRules.nearestWallNanos(centreNanos + random.between(-spreadNanos, spreadNanos)),
                    PRECISIONS[random.pick(PRECISIONS.length)],
                    isAtEnd
                            ? List.of(new Rate(0, i == slow ? Math.max(PPB_MIN, -boundPpb) : boundPpb))
                            : rates(own, boundPpb, setting.lengthNanos()));
            machines.add(changes && !random.oneIn(3) ? machine.withSessions(sessionPercent(setting)) : machine);
        }
        return machines;
    }

    /** How the clocks of this history run. */
    private Rates rates() {
        return switch (workload.rates()) {
            case OPPOSED, BEYOND -> Rates.OPPOSED;
            case ANY -> random.coin() ? Rates.ANY : ratesWithin();
            default -> ratesWithin();
        };
    }

    private Rates ratesWithin() {
        if (random.coin()) {
            return random.coin() ? Rates.OPPOSED : Rates.ENDS;
        }
        return random.oneIn(4) ? Rates.TRUE : Rates.WITHIN;
    }

    private long boundPpb(long driftPpm) {
        long ppb = driftPpm * 1_000;
        return workload.rates() == Rates.BEYOND ? Math.min(PPB_MAX, ppb + random.between(ppb / 10, ppb) + 1_000) : ppb;
    }

    private int sessionPercent(Setting setting) {
        long leastPercent = (setting.operationNanos() + 1) / (setting.sessionNanos() / 100) + 1;
        return (int) random.between(Math.max(leastPercent, SESSION_PERCENT_MIN), SESSION_PERCENT_MAX);
    }

    /** What a monotonic clock may show when a machine starts: it counts from anywhere, and may be about to wrap around. */
    static long origin(SeededRandom random) {
        return switch (random.pick(6)) {
            case 0 -> 0;
            case 1 -> random.spread(1, DAY);
            case 2 -> -random.spread(1, DAY);
            case 3 -> Long.MAX_VALUE - random.upTo(60 * SECOND);
            case 4 -> Long.MIN_VALUE + random.upTo(60 * SECOND);
            default -> random.next();
        };
    }

    private List<Rate> rates(Rates rates, long boundPpb, long lengthNanos) {
        List<Rate> all = new ArrayList<>();
        long fromNanos = 0;
        int most = rates == Rates.TRUE || random.coin() ? 1 : 1 + random.pick(8);
        while (fromNanos <= lengthNanos && all.size() < most) {
            all.add(new Rate(fromNanos, ppb(rates, boundPpb)));
            fromNanos += random.spread(SECOND / 10, 60 * SECOND);
        }
        return all;
    }

    private long ppb(Rates rates, long boundPpb) {
        return switch (rates) {
            case TRUE -> 0;
            case WITHIN -> random.between(-boundPpb, boundPpb);
            case ANY -> random.coin() ? random.spread(1, PPB_MAX) : -random.spread(1, -WILD_PPB_MIN);
            case ENDS, OPPOSED, BEYOND -> random.coin() ? Math.max(PPB_MIN, -boundPpb) : boundPpb;
        };
    }
}
