package dev.leasehold.engine.internal.store;

import java.util.Map;

/**
 * The newest stamps of all writers.
 *
 * @param clock the clock document with the entry of one writer
 * @param stampsNanos by writer; without entries whose time is damaged
 */
public record ClockStamps(ClockDocument clock, Map<String, Long> stampsNanos) {

    public ClockStamps {
        stampsNanos = Map.copyOf(stampsNanos);
    }
}
