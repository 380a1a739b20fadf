package dev.leasehold.simulator.batch;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What came of a batch.
 *
 * @param histories how many were played, up to the failure that ended it
 * @param overlaps how often two holders believed at the same instant, because the clocks broke their bound
 * @param reached how often each state was reached that is worth counting
 * @param failures in the order of the batch
 * @param fingerprint of all histories that were played twice; the same for the same order on every JVM
 */
public record BatchResult(
        long histories, long overlaps, SortedMap<String, Long> reached, List<Failure> failures, long fingerprint) {

    public BatchResult {
        reached = Collections.unmodifiableSortedMap(new TreeMap<>(reached));
        failures = List.copyOf(failures);
    }
}
