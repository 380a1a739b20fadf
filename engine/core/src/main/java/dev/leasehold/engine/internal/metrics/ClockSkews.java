package dev.leasehold.engine.internal.metrics;

import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * By how much this engine's clock is ahead of each other writer's, at the most.
 *
 * <p>When a read has ended, the writer's clock is at its newest stamp or past it. So the difference is an upper bound, and
 * the tighter the fresher the stamp was; of all that were seen the least counts. Used by one thread at a time.
 */
final class ClockSkews {

    private final Map<String, Long> boundsNanos = new HashMap<>();

    /** Takes in what a read found. Differences that do not fit are no clocks that anybody compares. */
    void seen(String own, Collection<WriterEntry> entries, long readEndedNanos) {
        for (WriterEntry entry : entries) {
            if (entry instanceof WriterEntry.Sound sound && !sound.writer().equals(own)) {
                boundsNanos.merge(sound.writer(), readEndedNanos - sound.timeNanos(), Math::min);
            }
        }
    }

    /** Forgets all writers but these. */
    void keepOnly(Collection<WriterEntry> entries) {
        Set<String> writers = new HashSet<>();
        entries.forEach(entry -> writers.add(entry.writer()));
        boundsNanos.keySet().retainAll(writers);
    }

    /** The bounds by writer, in nanoseconds; negative when this engine's clock is certainly behind. */
    Map<String, Long> boundsNanos() {
        return Map.copyOf(boundsNanos);
    }
}
