package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.time.Drift;

/**
 * The settings of an engine, checked.
 *
 * @param namespace the leases it works on
 * @param partitions how many clock documents its leases are spread over
 * @param instance the configured part of its writers' names
 * @param drift the largest rate error of any clock that takes part
 * @param operationBudgetNanos the longest time for one operation
 * @param closeBudgetNanos the longest time for closing
 * @param retentionNanos how long a vacant document is kept
 * @param sessionNanos the length of its session, once it has one
 * @param heartbeatNanos from one acknowledgement of the session to the next
 * @param singleWritesMax how many leases are written each for itself in one command; more of them share a transaction
 */
public record EngineSettings(
        String namespace,
        int partitions,
        String instance,
        Drift drift,
        long operationBudgetNanos,
        long closeBudgetNanos,
        long retentionNanos,
        long sessionNanos,
        long heartbeatNanos,
        int singleWritesMax) {

    /**
     * A single write is cheaper than a transaction, and in nobody's way; but each is a commit of its own to the server and to those
     * that replicate it, where a transaction is one for all. Measured in docs/benchmarks.md.
     */
    public static final int SINGLE_WRITES_MAX = 8;

    /** The same for one partition, which its commit path takes for a namespace of its own. */
    public EngineSettings in(Partition partition) {
        return new EngineSettings(
                partition.id(),
                partitions,
                instance,
                drift,
                operationBudgetNanos,
                closeBudgetNanos,
                retentionNanos,
                sessionNanos,
                heartbeatNanos,
                singleWritesMax);
    }
}
