package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.DAY;
import static dev.leasehold.simulator.plan.Nanos.MICRO;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;
import static dev.leasehold.simulator.plan.Nanos.YEAR;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.Machine.Rate;
import dev.leasehold.simulator.conditions.SeededRandom;
import java.util.ArrayList;
import java.util.List;

/** Draws machines with their clocks. */
final class MachineGenerator {

    private static final long PPB_MIN = -SECOND + 1;
    private static final long PPB_MAX = SECOND;
    /** A clock that nearly stands still would make a history last for years. */
    private static final long WILD_PPB_MIN = -800_000_000;

    private static final long[] PRECISIONS = {1, 1, MICRO, MILLI};

    private static final int CHANGING_ONE_IN = 4;
    private static final int SESSION_PERCENT_MIN = 40;
    private static final int SESSION_PERCENT_MAX = 250;

    /** How the clocks of one history run. */
    private enum Pace {
        TRUE,
        WITHIN,
        ENDS,
        OPPOSED,
        ANY
    }

    private final SeededRandom random;
    private final Setting setting;
    private final long boundPpb;
    private final Pace pace;
    private final long centreNanos;
    private final long spreadNanos;

    MachineGenerator(SeededRandom random, Setting setting, Workload.Rates rates) {
        this.random = random;
        this.setting = setting;
        this.boundPpb = boundPpb(setting.driftPpm(), rates);
        this.pace = pace(rates);
        this.centreNanos = random.coin()
                ? PlanRules.PLAIN_WALL_NANOS
                : random.between(PlanRules.WALL_MIN_NANOS, PlanRules.WALL_MAX_NANOS);
        this.spreadNanos = random.oneIn(4) ? 0 : random.spread(MILLI, 50 * YEAR);
    }

    private long boundPpb(long driftPpm, Workload.Rates rates) {
        long ppb = driftPpm * 1_000;
        return rates == Workload.Rates.BEYOND ? Math.min(PPB_MAX, ppb + random.between(ppb / 10, ppb) + 1_000) : ppb;
    }

    private Pace pace(Workload.Rates rates) {
        if (rates == Workload.Rates.OPPOSED || rates == Workload.Rates.BEYOND) {
            return Pace.OPPOSED;
        }
        if (rates == Workload.Rates.ANY && random.coin()) {
            return Pace.ANY;
        }
        if (random.coin()) {
            return random.coin() ? Pace.OPPOSED : Pace.ENDS;
        }
        return random.oneIn(4) ? Pace.TRUE : Pace.WITHIN;
    }

    /**
     * So many on which commands run, and the observer's at the end. In some histories a change of the length of sessions has come to some
     * machines only.
     */
    List<Machine> machines(int working) {
        int slow = random.pick(working);
        int fast = (slow + 1 + random.pick(working - 1)) % working;
        boolean changes = random.oneIn(CHANGING_ONE_IN);
        List<Machine> machines = new ArrayList<>(working + 1);
        for (int i = 0; i <= working; i++) {
            Machine machine = machine(i == slow ? -boundPpb : boundPpb, i == slow || i == fast, i == working);
            machines.add(changes && !random.oneIn(3) ? machine.withSessions(sessionPercent()) : machine);
        }
        return machines;
    }

    private int sessionPercent() {
        long leastPercent = (setting.operationNanos() + 1) / (setting.sessionNanos() / 100) + 1;
        return (int) random.between(Math.max(leastPercent, SESSION_PERCENT_MIN), SESSION_PERCENT_MAX);
    }

    private Machine machine(long endPpb, boolean atEnd, boolean observer) {
        List<Rate> rates = atEnd && pace == Pace.OPPOSED
                ? List.of(new Rate(0, atLeast(endPpb)))
                : rates(observer && pace == Pace.ANY ? Pace.WITHIN : pace);
        return new Machine(origin(random), wallNanos(), PRECISIONS[random.pick(PRECISIONS.length)], rates);
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

    private long wallNanos() {
        return PlanRules.nearestWallNanos(centreNanos + random.between(-spreadNanos, spreadNanos));
    }

    private List<Rate> rates(Pace pace) {
        if (pace == Pace.TRUE) {
            return List.of(new Rate(0, 0));
        }
        List<Rate> rates = new ArrayList<>();
        long fromNanos = 0;
        int most = random.coin() ? 1 : 1 + random.pick(8);
        while (fromNanos <= setting.lengthNanos() && rates.size() < most) {
            rates.add(new Rate(fromNanos, ppb(pace)));
            fromNanos += random.spread(SECOND / 10, 60 * SECOND);
        }
        return rates;
    }

    private long ppb(Pace pace) {
        return switch (pace) {
            case TRUE -> 0;
            case WITHIN -> random.between(-boundPpb, boundPpb);
            case ENDS, OPPOSED -> random.coin() ? atLeast(-boundPpb) : boundPpb;
            case ANY -> random.coin() ? random.spread(1, PPB_MAX) : -random.spread(1, -WILD_PPB_MIN);
        };
    }

    private static long atLeast(long ppb) {
        return Math.max(PPB_MIN, ppb);
    }
}
