package dev.leasehold.examples.environments;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Properties;

/** For how long an instance keeps an environment at the longest. */
public final class LeaseDuration {

    /** What it is configured by. */
    public static final String PROPERTY = "environment-exclusion.lease.duration";

    private static final String DEFAULT = "PT1M";

    private LeaseDuration() {}

    /**
     * Reads it.
     *
     * @param properties with {@value #PROPERTY} in the form of {@link Duration#parse}; a minute if it is not there
     * @throws IllegalArgumentException if it is no duration, or not positive
     */
    public static Duration of(Properties properties) {
        String text = properties.getProperty(PROPERTY, DEFAULT);
        Duration duration;
        try {
            duration = Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(PROPERTY + " '" + text + "' is refused: write it like PT1M", e);
        }
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(PROPERTY + " '" + text + "' is refused: it must be positive");
        }
        return duration;
    }
}
