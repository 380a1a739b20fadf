package dev.leasehold.simulator.cli;

import static dev.leasehold.simulator.plan.Nanos.MICRO;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.MINUTE;
import static dev.leasehold.simulator.plan.Nanos.SECOND;

import dev.leasehold.simulator.batch.Seeds;
import dev.leasehold.simulator.estimate.Span;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.mutants.Mutants;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Reads the values of options. */
final class Converters {

    private static final Pattern TIME = Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,9})?)(ns|us|ms|s|m|h)");

    private static final Map<String, Long> UNITS =
            Map.of("ns", 1L, "us", MICRO, "ms", MILLI, "s", SECOND, "m", MINUTE, "h", 60 * MINUTE);

    private Converters() {}

    /** For a command and all its subcommands. */
    static void register(CommandLine line) {
        register(line, Duration.class, text -> Duration.ofNanos(nanos(text)));
        register(line, Span.class, Converters::span);
        register(line, Seeds.class, Converters::seeds);
        register(line, Mutant.class, Mutants::named);
        register(line, Path.class, Converters::path);
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
        double nanos = Double.parseDouble(time.group(1)) * UNITS.getOrDefault(time.group(2), 0L);
        if (nanos > Long.MAX_VALUE / 2.0) {
            throw new IllegalArgumentException("time '" + text + "' is refused: it is longer than a century");
        }
        return Math.round(nanos);
    }

    /** An empty path would be the folder of the process, which a variable that is not set does not mean. */
    private static Path path(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("path '' is refused: it is empty");
        }
        return Path.of(text);
    }

    /** A span like {@code 5ms..50ms}, or one time that does not vary. */
    static Span span(String text) {
        String[] ends = ends(text);
        return new Span(nanos(ends[0]), nanos(ends[1]));
    }

    /** Seeds like {@code 17..42}, or a single one. */
    private static Seeds seeds(String text) {
        String[] ends = ends(text);
        try {
            return Seeds.range(Long.parseLong(ends[0]), Long.parseLong(ends[1]));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("seeds '" + text + "' are refused: they are written like 17..42", e);
        }
    }

    /** What is before and what is behind the dots; both times all of it when there are none. */
    private static String[] ends(String text) {
        String[] ends = text.split(Pattern.quote(".."), 2);
        return ends.length == 2 ? ends : new String[] {text, text};
    }
}
