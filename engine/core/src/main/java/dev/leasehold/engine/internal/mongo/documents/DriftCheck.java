package dev.leasehold.engine.internal.mongo.documents;

import dev.leasehold.assertions.LeaseNames;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs one warning if another engine of the namespace has another drift, or a damaged one. Each engine waits by its own
 * drift before it acquires a lease, so the guarantee rests on the smallest. No decision rests on what is stored, so a
 * damaged drift counts as none and spoils nothing else.
 */
public final class DriftCheck {

    private static final Logger LOG = LoggerFactory.getLogger(DriftCheck.class);

    private final String partition;
    private final String instance;
    private final long ppm;
    private boolean logged;

    public DriftCheck(String partition, String instance, long ppm) {
        this.partition = partition;
        this.instance = instance;
        this.ppm = ppm;
    }

    /** For a store that only reads and has no drift of its own. */
    public static DriftCheck ofNoEngine(String partition) {
        DriftCheck silent = new DriftCheck(partition, "", 0);
        silent.logged = true;
        return silent;
    }

    /** The drift of this engine. */
    public long ppm() {
        return ppm;
    }

    /** The drift in an entry; null if it has none, as from an older engine version, or a damaged one. */
    static @Nullable Long ppmIn(BsonDocument entry) {
        return entry.isInt64(Fields.DRIFT) && entry.getInt64(Fields.DRIFT).getValue() >= 0
                ? entry.getInt64(Fields.DRIFT).getValue()
                : null;
    }

    /** Checks an entry of the clock document. */
    void check(String writer, BsonDocument entry) {
        BsonValue stored = entry.get(Fields.DRIFT);
        Long storedPpm = ppmIn(entry);
        if (logged || stored == null || storedPpm != null && storedPpm == ppm) {
            return;
        }
        logged = true;
        if (storedPpm == null) {
            LOG.warn(
                    "namespace '{}', writer {}: its maximum drift is damaged in the clock document, and is ignored: {}",
                    partition,
                    LeaseNames.quote(writer),
                    LeaseNames.visible(stored.toString()));
        } else {
            LOG.warn(
                    "namespace '{}', writer {}: its engine was built with a maximum drift of {} ppm, and the engine of instance"
                            + " '{}' with {} ppm: all engines of a namespace should agree, and the smaller one is what holds",
                    partition,
                    LeaseNames.quote(writer),
                    storedPpm,
                    instance,
                    ppm);
        }
    }
}
