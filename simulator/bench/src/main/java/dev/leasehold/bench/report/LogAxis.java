package dev.leasehold.bench.report;

import java.util.ArrayList;
import java.util.List;

/** A logarithmic axis for positive values, on so many pixels. */
final class LogAxis {

    private static final double MARGIN = 1.2;
    private static final double FEW_DECADES = 1.7;
    private static final int[] FINE = {1, 2, 5};
    private static final int[] COARSE = {1};
    private static final double BASE = 10;

    private final double least;
    private final double greatest;
    private final double pixels;

    /**
     * An axis that has room for both values, and some more.
     *
     * @throws IllegalArgumentException if a value is not positive, or they are the wrong way round
     */
    LogAxis(double least, double greatest, double pixels) {
        if (!(least > 0) || least > greatest) {
            throw new IllegalArgumentException(
                    "axis from " + least + " to " + greatest + " is refused: both must be positive, in order");
        }
        this.least = least / MARGIN;
        this.greatest = greatest * MARGIN;
        this.pixels = pixels;
    }

    /** How far from its beginning a value lies. */
    double at(double value) {
        return pixels * (Math.log(value) - Math.log(least)) / (Math.log(greatest) - Math.log(least));
    }

    /** Round values on it: the powers of ten, and where there are few of those, twice and five times them too. */
    List<Double> ticks() {
        boolean isShort = Math.log10(greatest / least) < FEW_DECADES;
        List<Double> ticks = new ArrayList<>();
        for (int power = (int) Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(greatest)); power++) {
            for (int multiple : isShort ? FINE : COARSE) {
                double tick = multiple * Math.pow(BASE, power);
                if (tick >= least && tick <= greatest) {
                    ticks.add(tick);
                }
            }
        }
        return ticks;
    }
}
