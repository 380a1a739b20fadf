package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.HeldTenure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The broken guarantees that were found so far. Each has a sentence, which ends with the instant: in its format a {@code Long} is an instant
 * or a span, and shown in seconds; a tenure is shown by its holder, lease and token.
 */
final class Violations {

    private static final long SECOND = 1_000_000_000;

    private final boolean inside;
    private final List<Violation> all = new ArrayList<>(0);
    /** How often two holders held at once where that is no violation. */
    int overlaps;
    /** How many other guarantees about time were broken where that is no violation. */
    int outside;

    Violations(boolean inside) {
        this.inside = inside;
    }

    /** A guarantee of tier 1 was broken, which holds whatever clocks do. */
    void add(Guarantee guarantee, long atNanos, @Nullable String lease, String format, Object... words) {
        Object[] shown = Arrays.stream(words).map(Violations::shown).toArray();
        all.add(new Violation(guarantee, atNanos, lease, String.format(format, shown) + " at " + seconds(atNanos)));
    }

    /** By a write of a lease. */
    void add(Guarantee guarantee, LeaseLog.Version version, String format, Object... words) {
        add(guarantee, version.commit().atNanos, version.lease().name, format, words);
    }

    /** By what a caller was told. */
    void add(Guarantee guarantee, Call call, String format, Object... words) {
        add(guarantee, call.lastWordNanos(), call.lease(), "the caller of " + call + " was told " + format, words);
    }

    /** A guarantee was broken that holds as long as clocks keep to the assumptions; else it is only counted. */
    void addInside(Guarantee guarantee, long atNanos, @Nullable String lease, String format, Object... words) {
        if (inside) {
            add(guarantee, atNanos, lease, format, words);
        } else if (guarantee == Guarantee.T2) {
            overlaps++;
        } else {
            outside++;
        }
    }

    /** By a write of a lease. */
    void addInside(Guarantee guarantee, LeaseLog.Version version, String format, Object... words) {
        addInside(guarantee, version.commit().atNanos, version.lease().name, format, words);
    }

    private static Object shown(Object word) {
        if (word instanceof HeldTenure tenure) {
            return tenure.holder() + " (" + tenure.lease() + " with token " + tenure.token() + ")";
        }
        return word instanceof Long nanos ? seconds(nanos) : word;
    }

    /** Seconds with all nine digits: what matters may be the last one. */
    static String seconds(long nanos) {
        if (nanos == Incarnation.NEVER) {
            return "never";
        }
        String digits = Long.toString(SECOND + Math.abs(nanos % SECOND)).substring(1);
        return (nanos < 0 ? "-" : "") + Math.abs(nanos / SECOND) + "." + digits + " s";
    }

    /** In the order of their instants. */
    List<Violation> inOrder() {
        all.sort(Comparator.comparingLong(Violation::atNanos));
        return all;
    }
}
