package dev.leasehold.engine.commit;

import dev.leasehold.engine.time.Drift;

/**
 * The settings of an engine, checked.
 *
 * @param namespace the leases it works on
 * @param instance the configured part of its writers' names
 * @param drift the largest rate error of any clock that takes part
 * @param operationBudgetNanos the longest time for one operation
 * @param closeBudgetNanos the longest time for closing
 * @param retentionNanos how long a vacant document is kept
 * @param sessionNanos the length of its session, once it has one
 * @param heartbeatNanos from one acknowledgement of the session to the next
 */
public record EngineSettings(
        String namespace,
        String instance,
        Drift drift,
        long operationBudgetNanos,
        long closeBudgetNanos,
        long retentionNanos,
        long sessionNanos,
        long heartbeatNanos) {}
