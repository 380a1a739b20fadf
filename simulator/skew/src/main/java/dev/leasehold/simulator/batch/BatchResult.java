package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.report.Statistics;
import java.util.List;

/**
 * What came of a batch.
 *
 * @param histories how many were played, up to the failure that ended it
 * @param statistics of all of them
 * @param failures in the order of the batch
 * @param fingerprint of all histories that were played twice; the same for the same order on every JVM
 */
public record BatchResult(long histories, Statistics statistics, List<Failure> failures, long fingerprint) {

    public BatchResult {
        failures = List.copyOf(failures);
    }
}
