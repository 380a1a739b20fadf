package dev.leasehold.engine.internal.lease;

import dev.leasehold.assertions.LeaseNames;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validates arguments other than single names, before anything is sent. */
public final class Arguments {

    /** The longest term, and the longest wait. */
    public static final Duration LONGEST = Duration.ofDays(36_500);

    static final Duration SHORTEST = Duration.ofMillis(1);

    private Arguments() {}

    /**
     * A duration in nanoseconds.
     *
     * @param what which duration it is, for the message
     */
    public static long durationNanos(String what, @Nullable Duration duration) {
        return durationNanos(what, duration, SHORTEST, LONGEST);
    }

    /** A duration in nanoseconds, within a range of its own. */
    public static long durationNanos(String what, @Nullable Duration duration, Duration shortest, Duration longest) {
        if (duration == null || duration.compareTo(shortest) < 0 || duration.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    what + " " + duration + " is refused: it must be " + shortest + " to " + longest);
        }
        return duration.toNanos();
    }

    /** A duration in nanoseconds which, counted from now, ends within the range of the clock. */
    public static long termNanos(String what, @Nullable Duration duration, long nowNanos) {
        long durationNanos = durationNanos(what, duration);
        if (nowNanos + durationNanos < nowNanos) {
            throw new IllegalArgumentException(what + " " + duration + " is refused: overflow: counted from " + nowNanos
                    + " ns it does not fit into an int64 of nanoseconds");
        }
        return durationNanos;
    }

    /** Each different name once, in the order given. */
    public static Set<String> names(@Nullable Collection<String> names) {
        if (names == null) {
            throw new IllegalArgumentException("names null is refused: it must be a collection of lease names");
        }
        Set<String> checked = new LinkedHashSet<>();
        names.forEach(name -> checked.add(LeaseNames.checkName(name)));
        return checked;
    }

    /** An operator's reason, which must not be blank. */
    public static String reason(@Nullable String reason) {
        if (reason == null || reason.isBlank()) {
            throw new IllegalArgumentException("reason '" + reason + "' is refused: it must say why");
        }
        return LeaseNames.checkComment(reason);
    }
}
