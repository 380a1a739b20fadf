package dev.leasehold.operator.view;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Times for people. */
public final class DisplayText {

    private static final DateTimeFormatter TO_THE_SECOND =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private DisplayText() {}

    /** A duration in the two largest units that it has, the sign included. */
    public static String of(Duration duration) {
        if (duration.isNegative()) {
            return "-" + of(duration.negated());
        }
        long seconds = duration.toSeconds();
        if (seconds < 10) {
            return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1_000.0);
        }
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3_600) {
            return seconds / 60 + " min " + seconds % 60 + " s";
        }
        if (seconds < 86_400) {
            return seconds / 3_600 + " h " + seconds % 3_600 / 60 + " min";
        }
        return seconds / 86_400 + " d " + seconds % 86_400 / 3_600 + " h";
    }

    /** A number of things, in the plural unless it is one. */
    public static String count(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }

    /** An instant to the second, in UTC; a dash for none. */
    public static String of(@Nullable Instant instant) {
        return instant == null ? "-" : TO_THE_SECOND.format(instant);
    }

    /** How far an instant is ahead, or that it has passed. */
    public static String until(Instant instant, Instant now) {
        Duration left = Duration.between(now, instant);
        return left.isNegative() ? "passed" : "in " + of(left);
    }

    /** For how long something has been so, never negative: two readings of one clock may be told in the wrong order. */
    public static Duration since(Instant instant, Instant now) {
        Duration gone = Duration.between(instant, now);
        return gone.isNegative() ? Duration.ZERO : gone;
    }
}
