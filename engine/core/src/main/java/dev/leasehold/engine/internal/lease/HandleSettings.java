package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.internal.time.Drift;

/**
 * The engine settings that this package needs, validated.
 *
 * @param namespace the namespace of the leases
 * @param drift the largest rate error of any clock that takes part
 * @param operationBudgetNanos the longest time for one operation
 * @param closeBudgetNanos the longest time for which closing a handle blocks
 */
public record HandleSettings(String namespace, Drift drift, long operationBudgetNanos, long closeBudgetNanos) {}
