package dev.leasehold.simulator.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    /** In a drawing that is wider than the page there is so much room for an instant. */
    private static final double DENSE = 16;

    private static final double LEAST = 7;
    private static final double LEAST_SCALE = 0.1;
    private static final double LONG = 22;
    private static final double PER_DECADE = 11;
    private static final double LABEL_GAP = 14;
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
        return of(all, null);
    }

    /**
     * The same.
     *
     * @param focusNanos one of them, beside which every other can be told apart from it; null for none
     */
    static Axis of(List<Long> all, @Nullable Long focusNanos) {
        long[] instants =
                all.stream().mapToLong(Long::longValue).sorted().distinct().toArray();
        if (instants.length == 1) {
            instants = new long[] {instants[0], instants[0] + 1};
        }
        double[] linear = linear(instants);
        if (isReadable(linear) && (focusNanos == null || isAlone(linear, Arrays.binarySearch(instants, focusNanos)))) {
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

    private static boolean isAlone(double[] xs, int index) {
        return (index == 0 || xs[index] - xs[index - 1] >= APART)
                && (index == xs.length - 1 || xs[index + 1] - xs[index] >= APART);
    }

    /** A piece of the drawing grows with the logarithm of what it stands for; a long one has room for saying how long it is. */
    private static double[] stretched(long[] instants) {
        double logarithms = 0;
        double rooms = 0;
        for (int i = 1; i < instants.length; i++) {
            logarithms += logarithm(instants[i] - instants[i - 1]);
            rooms += room(instants[i] - instants[i - 1]);
        }
        double scale = (wanted(logarithms + rooms, DENSE * instants.length + rooms) - rooms) / logarithms;
        double[] xs = new double[instants.length];
        for (int i = 1; i < xs.length; i++) {
            long nanos = instants[i] - instants[i - 1];
            xs[i] = xs[i - 1] + Math.max(LEAST_SCALE, scale) * logarithm(nanos) + room(nanos);
        }
        return xs;
    }

    private static double wanted(double width, double denseWidth) {
        double dense = Math.min(width, denseWidth);
        return dense <= SQUEEZE * WIDTH ? WIDTH : Math.min(dense, WIDTH_MAX);
    }

    private static double logarithm(long nanos) {
        return LEAST + PER_DECADE * StrictMath.log10(Math.max(1, nanos / 1_000.0));
    }

    private static double room(long nanos) {
        return nanos >= BREAK_NANOS ? LONG : 0;
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

    /** The pieces in which much less of the drawing stands for a second than in many others. */
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
        return Math.max(BREAK_NANOS, BREAK_FACTOR * gaps[gaps.length / 4]);
    }

    /**
     * Labels that do not touch. Where nothing is compressed they are whole times; else the first instant after each break, and the way
     * from there.
     */
    List<Tick> ticks() {
        return even ? wholeTicks() : burstTicks();
    }

    /** The label of the last tick ends there, so that it is not cut. */
    private double leftOf(double x, String label) {
        return endsAt(x, label) ? x - Lane.textWidth(label) : x;
    }

    /** Whether a label has no room to the right of its tick. */
    boolean endsAt(double x, String label) {
        return x + Lane.textWidth(label) > width();
    }

    private static double room(String label) {
        return Lane.textWidth(label) + LABEL_GAP;
    }

    /** At multiples of 1, 2 or 5 times a power of ten, as near to each other as there is room. */
    private List<Tick> wholeTicks() {
        double perNano = width() / (toNanos() - fromNanos());
        long stepNanos = 1;
        for (int i = 0; stepNanos * perNano < LABEL_GAP || touch(wholeTicks(stepNanos)); i++) {
            stepNanos = i % 3 == 1 ? stepNanos / 2 * 5 : stepNanos * 2;
        }
        return wholeTicks(stepNanos);
    }

    private List<Tick> wholeTicks(long stepNanos) {
        List<Tick> ticks = new ArrayList<>();
        long atNanos = -Math.floorDiv(-fromNanos(), stepNanos) * stepNanos;
        for (; atNanos <= toNanos(); atNanos += stepNanos) {
            ticks.add(new Tick(x(atNanos), atNanos, TimeWords.instant(atNanos), false));
        }
        return ticks;
    }

    private boolean touch(List<Tick> ticks) {
        double freeX = 0;
        for (Tick tick : ticks) {
            if (leftOf(tick.x(), tick.label()) < freeX) {
                return true;
            }
            freeX = tick.x() + room(tick.label());
        }
        return false;
    }

    private List<Tick> burstTicks() {
        List<Tick> begins = new ArrayList<>();
        long leastNanos = leastOfBreaksNanos();
        double freeX = 0;
        for (int i = 0; i < instants.length; i++) {
            boolean begin = i == 0 || instants[i] - instants[i - 1] >= leastNanos;
            String label = TimeWords.briefInstant(instants[i]);
            if (begin && leftOf(xs[i], label) >= freeX) {
                begins.add(new Tick(xs[i], instants[i], label, false));
                freeX = xs[i] + room(label);
            }
        }
        List<Tick> ticks = new ArrayList<>();
        for (int i = 0; i < begins.size(); i++) {
            addBurst(
                    ticks,
                    begins.get(i),
                    i + 1 < begins.size()
                            ? leftOf(begins.get(i + 1).x(), begins.get(i + 1).label())
                            : width());
        }
        return ticks;
    }

    /** The begin of a burst, and as many of the instants after it as have room before the next one begins. */
    private void addBurst(List<Tick> ticks, Tick begin, double untilX) {
        ticks.add(begin);
        Tick last = begin;
        for (int i = 0; i < instants.length; i++) {
            String label = TimeWords.signed(instants[i] - begin.atNanos());
            if (xs[i] >= last.x() + room(last.label())
                    && xs[i] + room(label) <= untilX
                    && !label.equals(last.label())) {
                last = new Tick(xs[i], instants[i], label, true);
                ticks.add(last);
            }
        }
    }
}
