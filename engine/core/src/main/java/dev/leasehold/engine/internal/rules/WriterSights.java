package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.ExpiryBound;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Of each other writer the newest stamp that any read of the clock document has shown, and when it was first seen. At that
 * instant the writer's clock had reached the stamp, so it bounds the expiry of every lease that the writer had written by
 * then, whether or not the lease was read.
 *
 * <p>A read that shows an older stamp, as after a restore of the database, starts a new sight, which bounds no earlier. A writer
 * whose entry is gone keeps its sight for its terms while there is room; an entry that is there again starts anew. Forgetting a sight is always safe.
 * Engine thread of the partition only.
 */
public final class WriterSights {

    private static final long SILENCE_NANOS = TimeUnit.HOURS.toNanos(1);

    private final int limit;

    /** Of the writers with an entry, the least recently read first. */
    private final Map<String, Sight> present = new LinkedHashMap<>();

    /** Of the writers without. */
    private final LruCache<Sight> gone;

    /** How many entries the clock document had when it was last read as a whole. */
    private int entries;

    /**
     * What the reads of one writer's entry say of its clock.
     *
     * @param stampNanos the newest stamp, on the writer's clock
     * @param firstSeenNanos the end of the first read that showed it, on this engine's clock
     */
    record Sight(long stampNanos, long firstSeenNanos) {

        /** The bound for an instant of the writer's clock, for leases whose last write is not younger than the stamp. */
        long safeAfterNanos(long xNanos, Drift drift) {
            return ExpiryBound.nanos(firstSeenNanos, stampNanos, xNanos, drift);
        }
    }

    /** @param limit how many writers are kept that a read of the whole clock document has not shown */
    WriterSights(int limit) {
        this.limit = limit;
        this.gone = new LruCache<>(limit);
    }

    /** Records a read of one entry. */
    void saw(String writer, long stampNanos, long readEndedNanos) {
        // Put anew, so that it is now the most recently read.
        Sight known = present.remove(writer);
        boolean moved = known == null || stampNanos != known.stampNanos;
        present.put(writer, moved ? new Sight(stampNanos, readEndedNanos) : known);
        gone.removeAll(List.of(writer));
        if (present.size() > Math.max(limit, entries)) {
            present.remove(present.keySet().iterator().next());
        }
    }

    /** Records a read that found no entry of the writer. */
    void sawNone(String writer) {
        Sight last = present.remove(writer);
        if (last != null) {
            gone.put(writer, last);
        }
    }

    /**
     * Records a read of all entries. Its own entry is no sight for an engine, which compares what it wrote with its own clock.
     *
     * @param stampsNanos by writer
     */
    public void sawAll(Map<String, Long> stampsNanos, String own, long readEndedNanos) {
        entries = stampsNanos.size();
        List.copyOf(present.keySet()).stream()
                .filter(writer -> !stampsNanos.containsKey(writer))
                .forEach(this::sawNone);
        stampsNanos.forEach((writer, stampNanos) -> {
            if (!writer.equals(own)) {
                saw(writer, stampNanos, readEndedNanos);
            }
        });
    }

    /** The stamps of all sound entries. */
    public static Map<String, Long> stampsNanos(Collection<WriterEntry> entries) {
        Map<String, Long> stampsNanos = new HashMap<>();
        for (WriterEntry entry : entries) {
            if (entry instanceof WriterEntry.Sound sound) {
                stampsNanos.put(sound.writer(), sound.timeNanos());
            }
        }
        return stampsNanos;
    }

    /** The sight that bounds the expiries of leases whose last write by this writer has this stamp; null if there is none. */
    @Nullable Sight since(String writer, long writtenNanos) {
        Sight sight = present.get(writer);
        if (sight == null) {
            sight = gone.peek(writer);
        }
        // An older sight proves nothing: between it and the write the writer may have been suspended.
        return sight != null && sight.stampNanos >= writtenNanos ? sight : null;
    }

    /**
     * When the time of an entry was first seen, for a read that shows it; the end of that read if another time is known.
     */
    long firstSeenNanos(WriterEntry.Sound entry, long readEndedNanos) {
        Sight sight = present.get(entry.writer());
        return sight != null && sight.stampNanos == entry.timeNanos() ? sight.firstSeenNanos : readEndedNanos;
    }

    /**
     * The instant on this engine's clock strictly after which the session of an entry that was just read has certainly
     * expired, unless the entry shows a newer time by then; {@link ExpiryBound#NEVER} without a session.
     */
    long sessionBoundNanos(WriterEntry.Sound entry, long readEndedNanos, Drift drift) {
        Long sessionNanos = entry.sessionNanos();
        return sessionNanos == null ? ExpiryBound.NEVER : bound(entry, sessionNanos, readEndedNanos, drift);
    }

    private long bound(WriterEntry.Sound entry, long nanos, long readEndedNanos, Drift drift) {
        return ExpiryBound.nanos(firstSeenNanos(entry, readEndedNanos), 0, nanos, drift);
    }

    /**
     * The stale ones of all writers, which were just read: their time has certainly not changed for longer than their session,
     * or for an hour without a session. If one was only paused, it continues as a new writer.
     *
     * @param own this engine's current writer, which is never stale
     */
    public List<WriterEntry.Sound> stale(Collection<WriterEntry> all, String own, long readEndedNanos, Drift drift) {
        List<WriterEntry.Sound> stale = new ArrayList<>();
        for (WriterEntry each : all) {
            if (each instanceof WriterEntry.Sound entry && !entry.writer().equals(own)) {
                long silenceNanos = entry.sessionNanos() == null ? SILENCE_NANOS : entry.sessionNanos();
                if (ExpiryBound.hasPassed(readEndedNanos, bound(entry, silenceNanos, readEndedNanos, drift))) {
                    stale.add(entry);
                }
            }
        }
        return stale;
    }
}
