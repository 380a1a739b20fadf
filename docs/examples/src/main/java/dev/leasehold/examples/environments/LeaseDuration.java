package dev.leasehold.examples.environments;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Properties;

/** For how long an instance keeps an environment at the longest. */
public final class LeaseDuration {

    /** What it is configured by. */
    public static final String PROPERTY = "environment-exclusion.lease.duration";

    private static final String DEFAULT = "PT1M";

    /** What an engine grants. Other durations are refused when the service starts, and not when an environment is first asked for. */
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private static final Duration LONGEST = Duration.ofDays(36_500);

    private LeaseDuration() {}

    /**
     * Reads it.
     *
     * @param properties with {@value #PROPERTY} in the form of {@link Duration#parse}; a minute if it is not there
     * @throws IllegalArgumentException if it is no duration, or not 1 ms to 36,500 days
     */
    public static Duration of(Properties properties) {
        String text = properties.getProperty(PROPERTY, DEFAULT);
        Duration duration;
        try {
            duration = Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(PROPERTY + " '" + text + "' is refused: write it like PT1M", e);
        }
        if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(PROPERTY + " '" + text + "' is refused: it must be 1 ms to 36,500 days");
        }
        return duration;
    }
}
