package dev.leasehold.engine.campaign;

/**
 * A lease as it is stored in the end.
 *
 * @param token of its latest tenure; 0 when there is no document
 * @param gatedWrites how many gated writes were counted for it
 */
record FinalLease(String lease, long token, long gatedWrites) {}
