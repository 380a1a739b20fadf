package dev.leasehold.simulator.estimate;

import java.util.List;

/**
 * What was found out.
 *
 * @param circumstances for which
 * @param histories how many were played for each line
 * @param takeOvers how late they come
 * @param gates what becomes of gated transactions
 */
public record Estimate(Circumstances circumstances, int histories, List<TakeOvers> takeOvers, List<Gates> gates) {

    public Estimate {
        takeOvers = List.copyOf(takeOvers);
        gates = List.copyOf(gates);
    }
}
