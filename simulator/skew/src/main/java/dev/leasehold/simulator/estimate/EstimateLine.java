package dev.leasehold.simulator.estimate;

import java.util.List;

/**
 * What was measured in histories of one kind.
 *
 * @param delaysNanos from the death of the holder until the next one holds, the shortest first
 * @param histories how many were played; where the holder dies, the others had no next holder by their end
 * @param gates how many gated transactions have ended
 * @param refused how many of them were refused, because the tenure was over
 * @param runAgain how often the body of one was run once more, because of a conflict
 * @param unknown of how many of them nobody was told whether they were committed
 */
record EstimateLine(
        LeaseKind kind,
        HolderCase holder,
        List<Long> delaysNanos,
        int histories,
        long gates,
        long refused,
        long runAgain,
        long unknown) {

    static EstimateLine of(LeaseKind kind, HolderCase holder, List<Measurement> all) {
        return new EstimateLine(
                kind,
                holder,
                all.stream()
                        .map(Measurement::takeOverNanos)
                        .filter(nanos -> nanos != Measurement.NEVER)
                        .sorted()
                        .toList(),
                all.size(),
                all.stream().mapToLong(Measurement::gates).sum(),
                all.stream().mapToLong(Measurement::refused).sum(),
                all.stream().mapToLong(Measurement::runAgain).sum(),
                all.stream().mapToLong(Measurement::unknown).sum());
    }

    /** The smallest delay that such a share is not above; from 0, and not with 0, to 1. Only where there are delays. */
    long quantileNanos(double share) {
        return delaysNanos.get(Math.max(0, (int) Math.ceil(share * delaysNanos.size()) - 1));
    }
}
