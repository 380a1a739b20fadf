package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MICRO;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;

import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.NetworkConditions;
import dev.leasehold.simulator.conditions.SeededRandom;
import dev.leasehold.simulator.plan.Workload.Network;

/** Draws what holds for a whole history. */
final class SettingGenerator {

    private static final int MOST_PPM = 100_000;
    private static final long LATE_MAX_NANOS = 20 * MILLI;

    private final SeededRandom random;
    private final Workload workload;

    SettingGenerator(SeededRandom random, Workload workload) {
        this.random = random;
        this.workload = workload;
    }

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
                random.oneIn(4) ? (Long) random.spread(MICRO, LATE_MAX_NANOS) : null,
                random.coin() ? (Integer) PlanRules.SINGLE_WRITES_MAX : null,
                network(),
                database());
    }

    private NetworkConditions network() {
        return switch (workload.network()) {
            case INSTANT ->
                random.coin() ? NetworkConditions.PERFECT : delays(random.upTo(100 * MICRO), random.upTo(50 * MICRO));
            case DELAYED -> random.oneIn(8) ? NetworkConditions.PERFECT : delayed();
            case SOME_FAULTS -> random.oneIn(16) ? NetworkConditions.PERFECT : faulty(delayed(), 3);
            case ALL_FAULTS -> faulty(delayed(), 1);
        };
    }

    private static NetworkConditions delays(long delayNanos, long jitterNanos) {
        return new NetworkConditions(delayNanos, jitterNanos, 0, 0, 0, 0, 0, 0, 0);
    }

    /** From what two processes of one machine need, to what the other side of the world does. */
    private NetworkConditions delayed() {
        long delayNanos = random.spread(100 * MICRO, 50 * MILLI);
        return delays(delayNanos, random.coin() ? random.upTo(delayNanos) : random.upTo(50 * MILLI));
    }

    /** Each fault is there in one history of so many. */
    private NetworkConditions faulty(NetworkConditions delays, int oneIn) {
        return new NetworkConditions(
                delays.delayNanos(),
                delays.jitterNanos(),
                faultPpm(oneIn),
                random.spread(100 * MILLI, random.oneIn(4) ? 30 * SECOND : 3 * SECOND),
                faultPpm(oneIn),
                faultPpm(oneIn),
                faultPpm(oneIn),
                faultPpm(oneIn),
                faultPpm(oneIn));
    }

    private int faultPpm(int oneIn) {
        return random.oneIn(oneIn) ? (int) random.spread(1_000, MOST_PPM) : 0;
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
}
