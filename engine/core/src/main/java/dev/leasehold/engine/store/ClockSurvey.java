package dev.leasehold.engine.store;

import java.util.Collection;
import java.util.List;

/**
 * The whole clock document, as those see it who watch how it grows.
 *
 * @param sizeBytes as stored
 * @param writers all entries
 */
public record ClockSurvey(long sizeBytes, Collection<WriterEntry> writers) {

    public ClockSurvey {
        writers = List.copyOf(writers);
    }
}
