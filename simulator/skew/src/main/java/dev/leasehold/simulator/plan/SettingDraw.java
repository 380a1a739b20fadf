package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MICRO;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;

import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.Draws;
import dev.leasehold.simulator.conditions.NetworkConditions;
import dev.leasehold.simulator.plan.Mix.Weather;

/** Draws what holds for a whole history. */
final class SettingDraw {

    private static final int MOST_PPM = 100_000;

    private final Draws draws;
    private final Mix mix;

    SettingDraw(Draws draws, Mix mix) {
        this.draws = draws;
        this.mix = mix;
    }

    Setting setting(long driftPpm) {
        long sessionNanos = draws.between(2 * SECOND, 10 * SECOND);
        long operationNanos = draws.between(SECOND / 2, sessionNanos * 8 / 10);
        return new Setting(
                true,
                driftPpm,
                sessionNanos,
                draws.oneIn(4) ? draws.between(sessionNanos / 10, sessionNanos * 48 / 100) : sessionNanos / 3,
                operationNanos,
                draws.between(SECOND / 10, operationNanos),
                draws.between(SECOND / 10, 3 * SECOND),
                draws.coin() ? 3_600 * SECOND : draws.spread(MILLI, 20 * SECOND),
                draws.oneIn(6) ? 1 + 2 * draws.pick(2) : 2,
                mix.exact() ? draws.between(10 * SECOND, 30 * SECOND) : draws.between(20 * SECOND, 60 * SECOND),
                network(),
                database());
    }

    private NetworkConditions network() {
        return switch (mix.weather()) {
            case STILL ->
                draws.coin() ? NetworkConditions.PERFECT : delays(draws.upTo(100 * MICRO), draws.upTo(50 * MICRO));
            case FAIR -> draws.oneIn(8) ? NetworkConditions.PERFECT : fair();
            case MIXED -> draws.oneIn(16) ? NetworkConditions.PERFECT : troubled(fair(), 3);
            case ROUGH -> troubled(fair(), 1);
        };
    }

    private static NetworkConditions delays(long delayNanos, long jitterNanos) {
        return new NetworkConditions(delayNanos, jitterNanos, 0, 0, 0, 0, 0, 0, 0);
    }

    /** From what two processes of one machine need, to what the other side of the world does. */
    private NetworkConditions fair() {
        long delayNanos = draws.spread(100 * MICRO, 50 * MILLI);
        return delays(delayNanos, draws.coin() ? draws.upTo(delayNanos) : draws.upTo(50 * MILLI));
    }

    /** Each trouble is there in one history of so many. */
    private NetworkConditions troubled(NetworkConditions fair, int oneIn) {
        return new NetworkConditions(
                fair.delayNanos(),
                fair.jitterNanos(),
                trouble(oneIn),
                draws.spread(100 * MILLI, draws.oneIn(4) ? 30 * SECOND : 3 * SECOND),
                trouble(oneIn),
                trouble(oneIn),
                trouble(oneIn),
                trouble(oneIn),
                trouble(oneIn));
    }

    private int trouble(int oneIn) {
        return draws.oneIn(oneIn) ? (int) draws.spread(1_000, MOST_PPM) : 0;
    }

    private DatabaseConditions database() {
        boolean still = mix.weather() == Weather.STILL;
        return new DatabaseConditions(
                still ? 0 : draws.spread(MICRO, 20 * MILLI),
                still ? 0 : draws.upTo(10 * MILLI),
                draws.coin() ? 60 * SECOND : draws.between(SECOND, 20 * SECOND),
                draws.spread(SECOND / 2, 30 * SECOND),
                mix.weather() == Weather.ROUGH ? draws.coin() : !draws.oneIn(4));
    }
}
