package dev.leasehold.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The durations that settings and annotations may have: those that an engine takes. Checked early, since it would refuse others late. */
final class DurationRange {

    static final Duration LONGEST = Duration.ofDays(36_500);

    private static final Duration SHORTEST = Duration.ofMillis(1);

    static final String RULE = "1 ms to " + LONGEST.toDays() + " days";

    static final String RULE_OR_ZERO = "zero, or " + RULE;

    private DurationRange() {}

    /**
     * Checks a duration.
     *
     * @param what it is, for the message
     * @throws IllegalArgumentException with the value and the rule
     */
    static Duration check(String what, @Nullable Duration duration) {
        return check(what, duration, RULE);
    }

    /** As {@link #check}; zero is allowed, too. */
    static Duration checkOrZero(String what, Duration duration) {
        return duration.isZero() ? duration : check(what, duration, RULE_OR_ZERO);
    }

    private static Duration check(String what, @Nullable Duration duration, String rule) {
        if (duration == null || duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(what + " " + duration + " is refused: it must be " + rule);
        }
        return duration;
    }
}
