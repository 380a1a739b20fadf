package dev.leasehold.engine.internal.store;

import dev.leasehold.engine.CorruptDocumentException;
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

    private static final String ID = "_id";
    private static final String WRITERS = "writers";

    public ClockDocument {
        writers = Map.copyOf(writers);
    }

    /** Whether a read has found no clock document, or one without its writers: then all that it acknowledged is lost. */
    public static boolean isLost(String partition, CorruptDocumentException found) {
        return found.documentId().equals(partition)
                && (found.field().equals(ID) || found.field().equals(WRITERS));
    }
}
