package dev.leasehold.engine.internal.mongo;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs one warning if another engine of the namespace has another drift. Each engine waits by its own drift before it
 * acquires a lease, so the guarantee rests on the smallest. No decision rests on this check.
 */
final class DriftCheck {

    private static final Logger LOG = LoggerFactory.getLogger(DriftCheck.class);

    private final String partition;
    private final String instance;
    private final long ppm;
    private final AtomicBoolean logged;

    DriftCheck(String partition, String instance, long ppm) {
        this(partition, instance, ppm, false);
    }

    private DriftCheck(String partition, String instance, long ppm, boolean logged) {
        this.partition = partition;
        this.instance = instance;
        this.ppm = ppm;
        this.logged = new AtomicBoolean(logged);
    }

    /** For a store that only reads and has no drift of its own. */
    static DriftCheck ofNoEngine(String partition) {
        return new DriftCheck(partition, "", 0, true);
    }

    /** The drift of this engine. */
    long ppm() {
        return ppm;
    }

    /**
     * Checks an entry of the clock document.
     *
     * @param storedPpm null if the entry has none, as from an older engine version
     */
    void check(String writer, @Nullable Long storedPpm) {
        if (storedPpm != null && storedPpm != ppm && logged.compareAndSet(false, true)) {
            LOG.warn(
                    "namespace '{}', writer '{}': its engine was built with a maximum drift of {} ppm, and the engine of instance"
                            + " '{}' with {} ppm: all engines of a namespace should agree, and the smaller one is what holds",
                    partition,
                    writer,
                    storedPpm,
                    instance,
                    ppm);
        }
    }
}
