package dev.leasehold.bench.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Results that were never measured. */
public final class Made {

    private Made() {}

    /** A series with a value of one quantity in each round. */
    public static Series series(String name, Role role, Quantity quantity, double... values) {
        List<Sample> rounds = new ArrayList<>();
        for (double value : values) {
            rounds.add(new Sample(Map.of(quantity, value), 1));
        }
        return new Series(name, role, "", rounds);
    }

    public static Result result(Series... series) {
        return new Result(List.of(series));
    }
}
