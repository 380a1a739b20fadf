package dev.leasehold.engine;

/**
 * A clock document as an inspector saw it.
 *
 * @param partition its partition; the name of the namespace for the first
 * @param ticks grows with every write of the document. While it stands still no engine of the partition has written
 * @param tokenFloor a new lease starts above it
 * @param sizeBytes as stored
 * @param writers how many entries it has
 */
public record ClockState(String partition, long ticks, long tokenFloor, long sizeBytes, int writers) {}
