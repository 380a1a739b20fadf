package dev.leasehold.engine.internal.mongo;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells, once, of another engine of the namespace that was built with another drift. Each waits by its own before it takes a lease, so
 * that the smallest of them is what the guarantee rests on. Nothing is decided from it.
 */
final class DriftCheck {

    private static final Logger LOG = LoggerFactory.getLogger(DriftCheck.class);

    private final String partition;
    private final String instance;
    private final long ppm;
    private final AtomicBoolean told;

    DriftCheck(String partition, String instance, long ppm) {
        this(partition, instance, ppm, false);
    }

    private DriftCheck(String partition, String instance, long ppm, boolean told) {
        this.partition = partition;
        this.instance = instance;
        this.ppm = ppm;
        this.told = new AtomicBoolean(told);
    }

    /** For one who only reads, and has no drift that could differ. */
    static DriftCheck ofNoEngine(String partition) {
        return new DriftCheck(partition, "", 0, true);
    }

    /** The drift of this engine. */
    long ppm() {
        return ppm;
    }

    /**
     * An entry of the clock document was read.
     *
     * @param storedPpm null where the entry has none, as one of an engine that did not store it yet
     */
    void check(String writer, @Nullable Long storedPpm) {
        if (storedPpm != null && storedPpm != ppm && told.compareAndSet(false, true)) {
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
