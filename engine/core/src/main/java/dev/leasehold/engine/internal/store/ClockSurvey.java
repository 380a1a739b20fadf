package dev.leasehold.engine.internal.store;

import java.util.Collection;
import java.util.Map;

/**
 * The whole clock document.
 *
 * @param sizeBytes as stored, to monitor its growth
 * @param driftsPpm the configured drift of engines, by writer, if stored; for people
 */
public record ClockSurvey(ClockDocument clock, long sizeBytes, Map<String, Long> driftsPpm) {

    public ClockSurvey {
        driftsPpm = Map.copyOf(driftsPpm);
    }

    /** All entries. */
    public Collection<WriterEntry> writers() {
        return clock.writers().values();
    }
}
