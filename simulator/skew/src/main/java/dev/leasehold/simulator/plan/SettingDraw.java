package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MICRO;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;

import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.NetworkConditions;
import dev.leasehold.simulator.conditions.SeededRandom;
import dev.leasehold.simulator.plan.Mix.Weather;

/** Draws what holds for a whole history. */
final class SettingDraw {

    private static final int MOST_PPM = 100_000;

    private final SeededRandom seededRandom;
    private final Mix mix;

    SettingDraw(SeededRandom seededRandom, Mix mix) {
        this.seededRandom = seededRandom;
        this.mix = mix;
    }

    Setting setting(long driftPpm) {
        long sessionNanos = seededRandom.between(2 * SECOND, 10 * SECOND);
        long operationNanos = seededRandom.between(SECOND / 2, sessionNanos * 8 / 10);
        return new Setting(
                true,
                driftPpm,
                sessionNanos,
                seededRandom.oneIn(4)
                        ? seededRandom.between(sessionNanos / 10, sessionNanos * 48 / 100)
                        : sessionNanos / 3,
                operationNanos,
                seededRandom.between(SECOND / 10, operationNanos),
                seededRandom.between(SECOND / 10, 3 * SECOND),
                seededRandom.coin() ? 3_600 * SECOND : seededRandom.spread(MILLI, 20 * SECOND),
                seededRandom.oneIn(6) ? 1 + 2 * seededRandom.pick(2) : 2,
                mix.exact()
                        ? seededRandom.between(10 * SECOND, 30 * SECOND)
                        : seededRandom.between(20 * SECOND, 60 * SECOND),
                network(),
                database());
    }

    private NetworkConditions network() {
        return switch (mix.weather()) {
            case STILL ->
                seededRandom.coin()
                        ? NetworkConditions.PERFECT
                        : delays(seededRandom.upTo(100 * MICRO), seededRandom.upTo(50 * MICRO));
            case FAIR -> seededRandom.oneIn(8) ? NetworkConditions.PERFECT : fair();
            case MIXED -> seededRandom.oneIn(16) ? NetworkConditions.PERFECT : troubled(fair(), 3);
            case ROUGH -> troubled(fair(), 1);
        };
    }

    private static NetworkConditions delays(long delayNanos, long jitterNanos) {
        return new NetworkConditions(delayNanos, jitterNanos, 0, 0, 0, 0, 0, 0, 0);
    }

    /** From what two processes of one machine need, to what the other side of the world does. */
    private NetworkConditions fair() {
        long delayNanos = seededRandom.spread(100 * MICRO, 50 * MILLI);
        return delays(delayNanos, seededRandom.coin() ? seededRandom.upTo(delayNanos) : seededRandom.upTo(50 * MILLI));
    }

    /** Each trouble is there in one history of so many. */
    private NetworkConditions troubled(NetworkConditions fair, int oneIn) {
        return new NetworkConditions(
                fair.delayNanos(),
                fair.jitterNanos(),
                trouble(oneIn),
                seededRandom.spread(100 * MILLI, seededRandom.oneIn(4) ? 30 * SECOND : 3 * SECOND),
                trouble(oneIn),
                trouble(oneIn),
                trouble(oneIn),
                trouble(oneIn),
                trouble(oneIn));
    }

    private int trouble(int oneIn) {
        return seededRandom.oneIn(oneIn) ? (int) seededRandom.spread(1_000, MOST_PPM) : 0;
    }

    private DatabaseConditions database() {
        boolean still = mix.weather() == Weather.STILL;
        return new DatabaseConditions(
                still ? 0 : seededRandom.spread(MICRO, 20 * MILLI),
                still ? 0 : seededRandom.upTo(10 * MILLI),
                seededRandom.coin() ? 60 * SECOND : seededRandom.between(SECOND, 20 * SECOND),
                seededRandom.spread(SECOND / 2, 30 * SECOND),
                mix.weather() == Weather.ROUGH ? seededRandom.coin() : !seededRandom.oneIn(4));
    }
}
