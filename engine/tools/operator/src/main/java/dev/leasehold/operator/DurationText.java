package dev.leasehold.operator;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as people type them. */
final class DurationText implements ITypeConverter<Duration> {

    /** As far as the engine goes, and far below what nanoseconds in a long can carry. */
    private static final Duration MAX = Duration.ofDays(36_500);

    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

    @Override
    public Duration convert(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is no duration: write 500ms, 30s, 5m, 2h or 7d");
        }
        Duration duration = duration(Long.parseLong(matcher.group(1)), matcher.group(2));
        if (duration.compareTo(MAX) > 0) {
            throw new TypeConversionException("'" + text + "' is too long: write " + MAX.toDays() + "d at most");
        }
        return duration;
    }

    private static Duration duration(long number, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}
