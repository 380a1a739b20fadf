package dev.leasehold.engine.internal.store;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The whole clock document, to monitor its growth.
 *
 * @param sizeBytes as stored
 * @param driftsPpm the configured drift of engines, by writer, if stored; for people
 */
public record ClockSurvey(long sizeBytes, Collection<WriterEntry> writers, Map<String, Long> driftsPpm) {

    public ClockSurvey {
        writers = List.copyOf(writers);
        driftsPpm = Map.copyOf(driftsPpm);
    }
}
