package dev.leasehold.simulator.report;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * True time to pixels. The distance of two neighbouring instants grows with the logarithm of the time between them, so that a nanosecond can
 * be seen beside a minute.
 */
final class TimelineAxis {

    static final double WIDTH_MIN = 1_040;
    private static final double WIDTH_MAX = 9_000;
    /** Of two instants that are a microsecond apart or less. */
    private static final double DISTANCE_MIN = 7;

    private static final double PER_DECADE = 11;

    private final TreeMap<Long, Double> places = new TreeMap<>();

    /** Of the instants at which something happens, in any order. */
    TimelineAxis(List<Long> instants) {
        instants.forEach(nanos -> places.put(nanos, 0.0));
        double x = 0;
        Long beforeNanos = null;
        for (Long nanos : places.keySet()) {
            x += beforeNanos == null ? 0 : distance(nanos - beforeNanos);
            places.put(nanos, x);
            beforeNanos = nanos;
        }
        double scale = Math.max(WIDTH_MIN, Math.min(x, WIDTH_MAX)) / Math.max(1, x);
        places.replaceAll((nanos, place) -> place * scale);
    }

    private static double distance(long nanos) {
        return DISTANCE_MIN + PER_DECADE * StrictMath.log10(Math.max(1, nanos / 1_000.0));
    }

    Iterable<Long> instants() {
        return places.keySet();
    }

    long firstNanos() {
        return places.firstKey();
    }

    double width() {
        return x(places.lastKey());
    }

    boolean holds(long nanos) {
        return nanos >= places.firstKey() && nanos <= places.lastKey();
    }

    /** What is outside of it lies on its edge. */
    double x(long nanos) {
        Map.Entry<Long, Double> before = places.floorEntry(nanos);
        Map.Entry<Long, Double> after = places.ceilingEntry(nanos);
        if (before == null || after == null || before.getKey().equals(after.getKey())) {
            return (before == null ? places.firstEntry() : before).getValue();
        }
        double share = (nanos - before.getKey()) / (double) (after.getKey() - before.getKey());
        return before.getValue() + share * (after.getValue() - before.getValue());
    }
}
