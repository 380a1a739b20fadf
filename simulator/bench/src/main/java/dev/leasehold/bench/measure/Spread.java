package dev.leasehold.bench.measure;

import java.util.List;
import java.util.function.DoubleFunction;

/**
 * Values of several rounds, in short.
 *
 * @param least the least of them
 * @param median the one in the middle; of an even number, the mean of the two in the middle
 * @param greatest the greatest of them
 */
public record Spread(double least, double median, double greatest) {

    /**
     * The spread of some values.
     *
     * @throws IllegalArgumentException if there are none
     */
    public static Spread of(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("no values: a spread needs one at least");
        }
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        double median = sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        return new Spread(sorted.get(0), median, sorted.get(sorted.size() - 1));
    }

    /** {@return the median, and the least and the greatest where they look different} */
    public String show(DoubleFunction<String> value) {
        String first = value.apply(least);
        String last = value.apply(greatest);
        String middle = value.apply(median);
        return first.equals(last) ? middle : middle + " (" + first + " to " + last + ")";
    }
}
