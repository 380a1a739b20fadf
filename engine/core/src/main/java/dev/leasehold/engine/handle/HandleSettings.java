package dev.leasehold.engine.handle;

/**
 * What the handles need of the settings of an engine, checked.
 *
 * @param namespace the leases it works on
 * @param operationBudgetNanos the longest time for one operation
 * @param closeBudgetNanos the longest time for which closing a handle blocks
 */
public record HandleSettings(String namespace, long operationBudgetNanos, long closeBudgetNanos) {}
