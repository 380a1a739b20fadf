package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.report.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What a batch must have seen to be worth something.
 *
 * @param overlaps whether beliefs must have overlapped, since the clocks broke their bound for this purpose
 * @param missing names what was never reached and must be
 */
public record Expectations(boolean overlaps, Function<Statistics, List<String>> missing) {

    /** Fewer histories than this prove nothing by what they did not reach. */
    public static final long HISTORIES_MIN = 2_000;

    /** What is missing; empty if nothing is, or the batch is too small to say. */
    public List<String> missingIn(Statistics statistics) {
        List<String> names = new ArrayList<>();
        if (statistics.histories() >= HISTORIES_MIN) {
            if (overlaps && statistics.overlaps() == 0) {
                names.add("an overlap of beliefs");
            }
            names.addAll(missing.apply(statistics));
        }
        return names;
    }
}
