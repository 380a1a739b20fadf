package dev.leasehold.bench.row;

import java.time.Duration;

/**
 * How long everything is measured.
 *
 * @param rounds how often every entrant takes its turn
 * @param duration of each turn
 */
public record Plan(int rounds, Duration duration) {

    private static final Duration SHORTEST_THAT_COUNTS = Duration.ofSeconds(1);

    /** {@return how long so many entrants take, each of which warms up once and has a turn in each round} */
    Duration expected(int entrants, Duration warmUp, Duration turn) {
        return turn.multipliedBy(rounds).plus(warmUp).multipliedBy(entrants);
    }

    /** {@return as long as wanted, but not shorter than this; what is wanted shorter than a second is a try, and stays one} */
    static Duration atLeast(Duration least, Duration wanted) {
        boolean isTry = wanted.compareTo(SHORTEST_THAT_COUNTS) < 0;
        return isTry || wanted.compareTo(least) > 0 ? wanted : least;
    }
}
