package dev.leasehold.simulator.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * True time to pixels, piecewise linear between the instants at which something happens. If these are spread evenly, all pieces have one
 * scale. Else a burst is stretched and a long nothing is compressed, so that both can be read, and the compressed pieces are marked.
 */
final class Axis {

    static final double WIDTH = 1_040;
    private static final double WIDTH_MAX = 9_000;
    /** So much wider may a drawing become by itself that it is rather made to fit. */
    private static final double SQUEEZE = 1.5;
    /** Instants that are nearer to each other than this cannot be told apart. */
    private static final double APART = 3;
    private static final double LEAST = 7;
    private static final double PER_DECADE = 11;
    private static final long BREAK_NANOS = 50_000_000;
    private static final int BREAK_FACTOR = 20;

    /** A compressed piece. */
    record Break(double fromX, double toX, long nanos) {}

    /** A label. */
    record Tick(double x, long atNanos, String label, boolean relative) {}

    private final long[] instants;
    private final double[] xs;
    private final boolean even;

    private Axis(long[] instants, double[] xs, boolean even) {
        this.instants = instants;
        this.xs = xs;
        this.even = even;
    }

    /** Of the instants at which something happens, in any order; at least one. */
    static Axis of(List<Long> all) {
        long[] instants = all.stream().mapToLong(Long::longValue).sorted().distinct().toArray();
        if (instants.length == 1) {
            instants = new long[] {instants[0], instants[0] + 1};
        }
        double[] linear = linear(instants);
        if (isReadable(linear)) {
            return new Axis(instants, linear, true);
        }
        return new Axis(instants, stretched(instants), false);
    }

    private static double[] linear(long[] instants) {
        double[] xs = new double[instants.length];
        double spanNanos = instants[instants.length - 1] - instants[0];
        for (int i = 0; i < xs.length; i++) {
            xs[i] = (instants[i] - instants[0]) / spanNanos * WIDTH;
        }
        return xs;
    }

    private static boolean isReadable(double[] xs) {
        int close = 0;
        for (int i = 1; i < xs.length; i++) {
            close += xs[i] - xs[i - 1] < APART ? 1 : 0;
        }
        return close * 5 <= xs.length;
    }

    private static double[] stretched(long[] instants) {
        double[] xs = new double[instants.length];
        for (int i = 1; i < xs.length; i++) {
            double micros = (instants[i] - instants[i - 1]) / 1_000.0;
            xs[i] = xs[i - 1] + LEAST + PER_DECADE * StrictMath.log10(Math.max(1, micros));
        }
        double width = xs[xs.length - 1];
        double wanted = width <= SQUEEZE * WIDTH ? WIDTH : Math.min(width, WIDTH_MAX);
        for (int i = 1; i < xs.length; i++) {
            xs[i] *= wanted / width;
        }
        return xs;
    }

    /** The lengths of its parts differ in scale. */
    boolean isStretched() {
        return !even;
    }

    double width() {
        return xs[xs.length - 1];
    }

    long fromNanos() {
        return instants[0];
    }

    long toNanos() {
        return instants[instants.length - 1];
    }

    boolean holds(long nanos) {
        return nanos >= fromNanos() && nanos <= toNanos();
    }

    /** What is outside of it lies on its edge. */
    double x(long nanos) {
        int index = Arrays.binarySearch(instants, nanos);
        if (index >= 0) {
            return xs[index];
        }
        int next = -index - 1;
        if (next == 0 || next == instants.length) {
            return next == 0 ? 0 : width();
        }
        double share = (nanos - instants[next - 1]) / (double) (instants[next] - instants[next - 1]);
        return xs[next - 1] + share * (xs[next] - xs[next - 1]);
    }

    /** The pieces in which much less of the drawing stands for a second than in most others. */
    List<Break> breaks() {
        List<Break> breaks = new ArrayList<>();
        long leastNanos = leastOfBreaksNanos();
        for (int i = 1; i < instants.length && !even; i++) {
            long nanos = instants[i] - instants[i - 1];
            if (nanos >= leastNanos) {
                breaks.add(new Break(xs[i - 1], xs[i], nanos));
            }
        }
        return breaks;
    }

    private long leastOfBreaksNanos() {
        long[] gaps = new long[instants.length - 1];
        for (int i = 0; i < gaps.length; i++) {
            gaps[i] = instants[i + 1] - instants[i];
        }
        Arrays.sort(gaps);
        return Math.max(BREAK_NANOS, BREAK_FACTOR * gaps[gaps.length / 2]);
    }

    /** Labels that do not touch: where nothing is compressed, whole times; else the first instant after each break, and the way from there. */
    List<Tick> ticks(double labelWidth) {
        return even ? wholeTicks(labelWidth) : burstTicks(labelWidth);
    }

    private List<Tick> wholeTicks(double labelWidth) {
        long stepNanos = 1;
        double perNano = width() / (toNanos() - fromNanos());
        for (int i = 0; stepNanos * perNano < labelWidth * 1.3; i++) {
            stepNanos = i % 3 == 1 ? stepNanos / 2 * 5 : stepNanos * 2;
        }
        List<Tick> ticks = new ArrayList<>();
        long atNanos = -Math.floorDiv(-fromNanos(), stepNanos) * stepNanos;
        for (; atNanos <= toNanos(); atNanos += stepNanos) {
            ticks.add(new Tick(x(atNanos), atNanos, TimeWords.instant(atNanos), false));
        }
        return ticks;
    }

    private List<Tick> burstTicks(double labelWidth) {
        long leastNanos = leastOfBreaksNanos();
        List<Tick> ticks = new ArrayList<>();
        long burstNanos = instants[0];
        double freeAbsolute = 0;
        double freeRelative = 0;
        for (int i = 0; i < instants.length; i++) {
            boolean begins = i == 0 || instants[i] - instants[i - 1] >= leastNanos;
            if (begins) {
                burstNanos = instants[i];
                freeRelative = xs[i] + labelWidth / 2;
                if (xs[i] >= freeAbsolute) {
                    ticks.add(new Tick(xs[i], instants[i], TimeWords.briefInstant(instants[i]), false));
                    freeAbsolute = xs[i] + labelWidth;
                }
            } else if (xs[i] >= freeRelative) {
                ticks.add(new Tick(xs[i], instants[i], TimeWords.signed(instants[i] - burstNanos), true));
                freeRelative = xs[i] + labelWidth;
            }
        }
        return ticks;
    }
}
