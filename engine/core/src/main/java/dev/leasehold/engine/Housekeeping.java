package dev.leasehold.engine;

/**
 * What a round of housekeeping did.
 *
 * @param leasesRemoved documents of long vacant leases that were removed
 * @param leasesKept vacant documents that stay for now
 * @param writersPruned entries of silent writers that were removed from the clock document
 * @param occurrencesRemoved old records of occurrences that were removed, as far as the database said so in time; what stays, the next
 *     round removes
 */
public record Housekeeping(int leasesRemoved, int leasesKept, int writersPruned, int occurrencesRemoved) {}
