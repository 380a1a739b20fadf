package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.report.Statistics;
import java.util.List;

/**
 * What came of a batch.
 *
 * @param statistics of all histories that were played, up to the failure that ended it
 * @param failures in the order of the batch
 * @param fingerprint of all histories that were played twice; the same for the same order on every JVM
 */
public record BatchResult(Statistics statistics, List<Failure> failures, long fingerprint) {

    public BatchResult {
        failures = List.copyOf(failures);
    }
}
