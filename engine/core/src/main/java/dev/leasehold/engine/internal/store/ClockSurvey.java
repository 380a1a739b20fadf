package dev.leasehold.engine.internal.store;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The whole clock document, as those see it who watch how it grows.
 *
 * @param sizeBytes as stored
 * @param writers all entries
 * @param driftsPpm the drift bounds that engines were built with, by writer, as far as they have stored them; for people
 */
public record ClockSurvey(long sizeBytes, Collection<WriterEntry> writers, Map<String, Long> driftsPpm) {

    public ClockSurvey {
        writers = List.copyOf(writers);
        driftsPpm = Map.copyOf(driftsPpm);
    }

    /** Of whose drifts nothing is known. */
    public ClockSurvey(long sizeBytes, Collection<WriterEntry> writers) {
        this(sizeBytes, writers, Map.of());
    }
}
