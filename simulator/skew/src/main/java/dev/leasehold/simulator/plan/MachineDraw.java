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
final class MachineDraw {

    private static final long PPB_MIN = -SECOND + 1;
    private static final long PPB_MAX = SECOND;
    /** A clock that nearly stands still would make a history last for years. */
    private static final long WILD_PPB_MIN = -800_000_000;

    private static final long[] PRECISIONS = {1, 1, MICRO, MILLI};

    /** How the clocks of one history run. */
    private enum Pace {
        TRUE,
        WITHIN,
        ENDS,
        OPPOSED,
        ANY
    }

    private final SeededRandom seededRandom;
    private final long lengthNanos;
    private final long boundPpb;
    private final Pace pace;
    private final long centreNanos;
    private final long spreadNanos;

    MachineDraw(SeededRandom seededRandom, Setting setting, Mix.Rates rates) {
        this.seededRandom = seededRandom;
        this.lengthNanos = setting.lengthNanos();
        this.boundPpb = boundPpb(setting.driftPpm(), rates);
        this.pace = pace(rates);
        this.centreNanos = seededRandom.coin()
                ? PlanRules.PLAIN_WALL_NANOS
                : seededRandom.between(PlanRules.WALL_MIN_NANOS, PlanRules.WALL_MAX_NANOS);
        this.spreadNanos = seededRandom.oneIn(4) ? 0 : seededRandom.spread(MILLI, 50 * YEAR);
    }

    private long boundPpb(long driftPpm, Mix.Rates rates) {
        long ppb = driftPpm * 1_000;
        return rates == Mix.Rates.BEYOND ? Math.min(PPB_MAX, ppb + seededRandom.between(ppb / 10, ppb) + 1_000) : ppb;
    }

    private Pace pace(Mix.Rates rates) {
        return switch (rates) {
            case OPPOSED, BEYOND -> Pace.OPPOSED;
            case WITHIN -> within();
            case ANY -> seededRandom.coin() ? Pace.ANY : within();
        };
    }

    private Pace within() {
        if (seededRandom.coin()) {
            return seededRandom.coin() ? Pace.OPPOSED : Pace.ENDS;
        }
        return seededRandom.oneIn(4) ? Pace.TRUE : Pace.WITHIN;
    }

    /** So many on which commands run, and the observer's at the end. */
    List<Machine> machines(int working) {
        int slow = seededRandom.pick(working);
        int fast = (slow + 1 + seededRandom.pick(working - 1)) % working;
        List<Machine> machines = new ArrayList<>(working + 1);
        for (int i = 0; i <= working; i++) {
            machines.add(machine(i == slow ? -boundPpb : boundPpb, i == slow || i == fast, i == working));
        }
        return machines;
    }

    private Machine machine(long endPpb, boolean atEnd, boolean observer) {
        List<Rate> rates = atEnd && pace == Pace.OPPOSED
                ? List.of(new Rate(0, atLeast(endPpb)))
                : rates(observer && pace == Pace.ANY ? Pace.WITHIN : pace);
        return new Machine(origin(seededRandom), wallNanos(), PRECISIONS[seededRandom.pick(PRECISIONS.length)], rates);
    }

    /** What a monotonic clock may show when a machine starts: it counts from anywhere, and may be about to wrap around. */
    static long origin(SeededRandom seededRandom) {
        return switch (seededRandom.pick(6)) {
            case 0 -> 0;
            case 1 -> seededRandom.spread(1, DAY);
            case 2 -> -seededRandom.spread(1, DAY);
            case 3 -> Long.MAX_VALUE - seededRandom.upTo(60 * SECOND);
            case 4 -> Long.MIN_VALUE + seededRandom.upTo(60 * SECOND);
            default -> seededRandom.next();
        };
    }

    private long wallNanos() {
        return PlanRules.nearestWallNanos(centreNanos + seededRandom.between(-spreadNanos, spreadNanos));
    }

    private List<Rate> rates(Pace pace) {
        if (pace == Pace.TRUE) {
            return List.of(new Rate(0, 0));
        }
        List<Rate> rates = new ArrayList<>();
        long fromNanos = 0;
        int most = seededRandom.coin() ? 1 : 1 + seededRandom.pick(8);
        while (fromNanos <= lengthNanos && rates.size() < most) {
            rates.add(new Rate(fromNanos, ppb(pace)));
            fromNanos += seededRandom.spread(SECOND / 10, 60 * SECOND);
        }
        return rates;
    }

    private long ppb(Pace pace) {
        return switch (pace) {
            case TRUE -> 0;
            case WITHIN -> seededRandom.between(-boundPpb, boundPpb);
            case ENDS, OPPOSED -> seededRandom.coin() ? atLeast(-boundPpb) : boundPpb;
            case ANY -> seededRandom.coin() ? seededRandom.spread(1, PPB_MAX) : -seededRandom.spread(1, -WILD_PPB_MIN);
        };
    }

    private static long atLeast(long ppb) {
        return Math.max(PPB_MIN, ppb);
    }
}
