package dev.leasehold.simulator.batch;

/**
 * How far a batch is.
 *
 * @param histories how many histories were played
 * @param failures how many of them failed
 */
public record Progress(long histories, int failures) {}
