package dev.leasehold.engine.internal.settings;

import dev.leasehold.engine.internal.time.Drift;

/**
 * The validated settings of an engine.
 *
 * @param namespace of its leases
 * @param partitions how many clock documents its leases are spread over
 * @param instance the configured part of its writer names
 * @param drift the largest rate error of any participating clock
 * @param operationBudgetNanos the longest time for one operation
 * @param closeBudgetNanos the longest time for closing
 * @param retentionNanos how long a vacant document is kept
 * @param occurrenceRetentionNanos how long the record of an occurrence is kept
 * @param sessionNanos the session length
 * @param heartbeatNanos from one acknowledgement of the session to the next
 * @param singleWritesMax how many single writes one command may have; more of them share a transaction
 * @param waitQueue whether the engine sends tickets, and grants leases to those of others
 */
public record EngineSettings(
        String namespace,
        int partitions,
        String instance,
        Drift drift,
        long operationBudgetNanos,
        long closeBudgetNanos,
        long retentionNanos,
        long occurrenceRetentionNanos,
        long sessionNanos,
        long heartbeatNanos,
        int singleWritesMax,
        boolean waitQueue) {

    /** Whether an engine takes part in the wait queues unless it is told otherwise. */
    public static final boolean WAIT_QUEUE = true;

    /**
     * A single write is cheaper than a transaction and does not contend for the clock document. But the server commits
     * and replicates each single write on its own, and a transaction only once. Measured in docs/benchmarks.md.
     */
    public static final int SINGLE_WRITES_MAX = 8;
}
