package dev.leasehold.engine.internal.store;

import java.util.Map;

/**
 * The clock document of a partition, with the requested writers. Section 4 of the specification shows it.
 *
 * @param ticks grows by one at every write
 * @param tokenFloor a new lease document starts above it
 */
public record ClockDocument(long ticks, long tokenFloor, Map<String, WriterEntry> writers) {

    /** The format that this engine reads and writes. */
    public static final int SCHEMA = 1;

    public ClockDocument {
        writers = Map.copyOf(writers);
    }
}
