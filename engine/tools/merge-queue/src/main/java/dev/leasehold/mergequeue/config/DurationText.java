package dev.leasehold.mergequeue.config;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 5m}, {@code 1h30m}, {@code 500ms}, or a number of seconds. */
public final class DurationText {

    /** What a text must be, behind "it must be". */
    public static final String RULE = "a duration such as 30s, 5m or 1h30m, or a number of seconds; at most 365d";

    private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    private static final Pattern WHOLE = Pattern.compile("(?:" + PART.pattern() + ")+");
    private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");
    private static final Map<String, Duration> UNITS = Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));
    /** Far below what nanoseconds in a long can carry. */
    private static final Duration MAX = Duration.ofDays(365);

    private DurationText() {}

    /**
     * Reads a duration.
     *
     * @param text as a person wrote it
     * @return the duration, or empty if the text is none
     */
    public static Optional<Duration> parse(String text) {
        return sum(text).filter(duration -> duration.compareTo(MAX) <= 0);
    }

    private static Optional<Duration> sum(String text) {
        if (SECONDS.matcher(text).matches()) {
            return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
        }
        if (!WHOLE.matcher(text).matches()) {
            return Optional.empty();
        }
        Duration sum = Duration.ZERO;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            sum = sum.plus(
                    Objects.requireNonNull(UNITS.get(part.group(2))).multipliedBy(Long.parseLong(part.group(1))));
        }
        return Optional.of(sum);
    }
}
