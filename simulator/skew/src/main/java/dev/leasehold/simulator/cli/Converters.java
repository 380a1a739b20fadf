package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Seeds;
import dev.leasehold.simulator.estimate.Span;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.mutants.Mutants;
import dev.leasehold.simulator.plan.Profile;
import java.time.Duration;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Reads the values of options. */
final class Converters {

    private static final Pattern TIME = Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,9})?)(ns|us|ms|s|m|h)");
    private static final String RANGE = "..";

    private Converters() {}

    /** For a command and all its subcommands. */
    static void register(CommandLine line) {
        register(line, Duration.class, text -> Duration.ofNanos(nanos(text)));
        register(line, Span.class, Converters::span);
        register(line, Seeds.Range.class, Converters::seeds);
        register(line, Mutant.class, Mutants::named);
        register(line, Profile.class, Profile::of);
    }

    /** What a conversion refuses is an error of the user, in its own words. */
    private static <T> void register(CommandLine line, Class<T> type, Function<String, T> conversion) {
        line.registerConverter(type, text -> {
            try {
                return conversion.apply(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        });
    }

    /** A time like {@code 30s}, {@code 500ms} or {@code 1.5s}. */
    static long nanos(String text) {
        Matcher time = TIME.matcher(text);
        if (!time.matches()) {
            throw new IllegalArgumentException(
                    "time '" + text + "' is refused: it is written like 30s, 500ms, 1.5s or 2m");
        }
        double nanos = Double.parseDouble(time.group(1)) * unitNanos(time.group(2));
        if (nanos > Long.MAX_VALUE / 2.0) {
            throw new IllegalArgumentException("time '" + text + "' is refused: it is longer than a century");
        }
        return Math.round(nanos);
    }

    private static long unitNanos(String unit) {
        return switch (unit) {
            case "ns" -> 1;
            case "us" -> 1_000;
            case "ms" -> 1_000_000;
            case "s" -> 1_000_000_000;
            case "m" -> 60_000_000_000L;
            default -> 3_600_000_000_000L;
        };
    }

    /** A span like {@code 5ms..50ms}, or one time that does not vary. */
    static Span span(String text) {
        int dots = text.indexOf(RANGE);
        return dots < 0
                ? new Span(nanos(text), nanos(text))
                : new Span(nanos(text.substring(0, dots)), nanos(text.substring(dots + RANGE.length())));
    }

    /** Seeds like {@code 17..42}, or a single one. */
    private static Seeds.Range seeds(String text) {
        int dots = text.indexOf(RANGE);
        try {
            return dots < 0
                    ? new Seeds.Range(Long.parseLong(text), Long.parseLong(text))
                    : new Seeds.Range(
                            Long.parseLong(text.substring(0, dots)),
                            Long.parseLong(text.substring(dots + RANGE.length())));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("seeds '" + text + "' are refused: they are written like 17..42", e);
        }
    }
}
