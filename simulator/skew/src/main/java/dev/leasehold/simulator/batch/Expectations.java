package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.check.Coverage;
import dev.leasehold.simulator.report.Statistics;
import java.util.List;

/** What a batch must have reached to be worth something. */
public final class Expectations {

    /** Fewer histories than this prove nothing by what they did not reach. */
    public static final long HISTORIES_MIN = 2_000;

    private Expectations() {}

    /**
     * What is missing; nothing, if the batch is too small to say.
     *
     * @param profile of all its histories
     */
    public static List<String> missing(String profile, Statistics statistics) {
        return statistics.histories() < HISTORIES_MIN ? List.of() : Coverage.missing(profile, statistics.reached());
    }
}
