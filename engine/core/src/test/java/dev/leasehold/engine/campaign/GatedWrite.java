package dev.leasehold.engine.campaign;

/**
 * A document that the application wrote in a gated transaction.
 *
 * @param sequence drawn in the same transaction from a counter of the lease, so that it tells the order of the commits
 */
record GatedWrite(String call, String lease, long token, long sequence) {}
