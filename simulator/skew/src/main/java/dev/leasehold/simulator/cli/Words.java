package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Ending;

/** Words for what is counted and concluded. */
final class Words {

    private static final double TENTHS = 10;

    private Words() {}

    static String count(long number, String one, String many) {
        return number + " " + (number == 1 ? one : many);
    }

    static String tenths(double number) {
        return Double.toString(Math.round(number * TENTHS) / TENTHS);
    }

    static String of(Ending ending) {
        return switch (ending) {
            case HELD -> "all promises were held";
            case UNSAFE -> "a promise of safety was broken";
            case NOT_LIVE -> "a promise of liveness or a limit was broken";
            case BLIND -> "no promise was broken, but not everything was reached that must be";
            case NOT_DETERMINISTIC -> "the same seed did not make the same history";
            case CRASHED -> "the simulator or the engine crashed";
        };
    }
}
