package dev.leasehold.bench.row;

import java.time.Duration;

/**
 * How long everything is measured.
 *
 * @param rounds how often every entrant takes its turn
 * @param duration of each turn
 */
public record Plan(int rounds, Duration duration) {

    /** {@return a turn as long as planned, but not shorter than this} */
    Duration turnOfAtLeast(Duration least) {
        return duration.compareTo(least) > 0 ? duration : least;
    }
}
