package dev.leasehold.engine.internal.session;

import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.rules.LeaseCache;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Under which writer the engine writes, and what the clock document is known to hold of it. A writer's entry is made
 * once, before its first write; when it is found gone the engine goes on as a new writer. Used by the engine's
 * own thread alone.
 */
public final class WriterRegistration {

    private static final Logger LOG = LoggerFactory.getLogger(WriterRegistration.class);

    private final String namespace;
    private final String instance;
    private final LeaseStore store;
    private final EngineRuntime runtime;
    private final StampClock clock;
    private final LeaseCache cache;
    private final ValidityTracker validities;

    /** Changed by the engine's thread alone, and read by others for their logs. */
    private volatile String writer;

    private boolean registered;
    private boolean joined;
    private long acknowledgedNanos;

    public WriterRegistration(PartitionContext context, String instance, LeaseCache cache, ValidityTracker validities) {
        this.namespace = context.namespace();
        this.instance = instance;
        this.store = context.store();
        this.runtime = context.runtime();
        this.clock = context.clock();
        this.cache = cache;
        this.validities = validities;
        this.writer = newWriter();
    }

    public String writer() {
        return writer;
    }

    /** The newest stamp of the present writer that is certainly stored. */
    public long acknowledgedNanos() {
        return acknowledgedNanos;
    }

    void acknowledged(long stampNanos) {
        acknowledgedNanos = stampNanos;
    }

    public boolean isRegistered() {
        return registered;
    }

    /** Whether the writer's entry has a session. */
    public boolean isJoined() {
        return joined;
    }

    /**
     * Makes the writer's entry if there is none yet, so that its driver session is known to others before any
     * transaction runs in it.
     *
     * @param timeNanos below the stamp of the first transaction
     */
    public void ensure(long timeNanos) {
        if (!registered) {
            write(new ClockWrite.Register(writer, timeNanos, store.driverSession(), null), timeNanos);
            registered = true;
        }
    }

    /**
     * Begins a session, making the writer's entry if there is none yet.
     *
     * @param stampNanos of this write
     * @param sessionNanos how long the session lasts from a stamp on
     */
    void join(long stampNanos, long sessionNanos) {
        ClockWrite write = registered
                ? new ClockWrite.Join(writer, acknowledgedNanos, stampNanos, sessionNanos)
                : new ClockWrite.Register(writer, stampNanos, store.driverSession(), sessionNanos);
        write(write, stampNanos);
        registered = true;
        joined = true;
    }

    /** Returns when the entry is certainly as it was to be. */
    private void write(ClockWrite write, long timeNanos) {
        WriteOutcome outcome = store.writeClock(write);
        switch (outcome.verdict()) {
            case APPLIED -> acknowledgedNanos = timeNanos;
            case MISSED -> resolveMiss(timeNanos);
            case FAILED -> throw Objects.requireNonNull(outcome.cause());
            case UNKNOWN -> {
                LeaseException cause = notRegistered(outcome.cause());
                // It may land later. Under a fresh name it can do no harm then.
                goOnAsNewWriter("an answer about its registration was lost");
                throw cause;
            }
            default -> throw notRegistered(outcome.cause());
        }
    }

    /** The write may have been done already, its answer having been lost; or there is no clock document, which is said. */
    private void resolveMiss(long timeNanos) {
        WriterEntry entry = store.read(Set.of(), writer).clock().writers().get(writer);
        if (!(entry instanceof WriterEntry.Sound sound) || sound.timeNanos() != timeNanos) {
            LeaseException cause = notRegistered(null);
            // An entry that this engine does not know it made would make every further registration under the name
            // miss.
            if (registered || entry != null) {
                goOnAsNewWriter("its entry is not what it wrote");
            }
            throw cause;
        }
        acknowledgedNanos = timeNanos;
    }

    private LeaseException notRegistered(@Nullable LeaseException cause) {
        return new LeaseUnavailableException(
                "writer '" + writer + "' could not be registered in namespace '" + namespace + "'", cause);
    }

    /** Compares what was read with what is known. */
    public void examine(ClockDocument document) {
        if (!registered) {
            return;
        }
        WriterEntry entry = document.writers().get(writer);
        if (entry instanceof WriterEntry.Corrupt corrupt) {
            throw new CorruptDocumentException(namespace, "writers." + writer + "." + corrupt.field(), corrupt.found());
        }
        if (!(entry instanceof WriterEntry.Sound sound) || sound.timeNanos() < acknowledgedNanos) {
            goOnAsNewWriter("its entry was removed");
        } else if (sound.timeNanos() > clock.lastStampNanos()) {
            yieldToClone(sound.timeNanos());
        } else {
            acknowledgedNanos = sound.timeNanos();
        }
    }

    /**
     * An entry ahead of every stamp that was issued was written by somebody else under this name. Others count all terms of this writer
     * from it, and would be done with them before this engine is: nothing that it wrote is to be believed any more.
     */
    private void yieldToClone(long timeNanos) {
        validities.endAll(LeaseLoss.Reason.CLOCK_ANOMALY);
        goOnAsNewWriter("its stored time " + timeNanos + " ns is ahead of its newest stamp " + clock.lastStampNanos()
                + " ns: the process or its machine was cloned, or restored from a snapshot");
    }

    private void goOnAsNewWriter(String why) {
        String old = writer;
        boolean wasRegistered = registered;
        writer = newWriter();
        registered = false;
        joined = false;
        cache.forgetAll();
        validities.evicted();
        if (wasRegistered) {
            LOG.warn("namespace '{}', writer '{}': {}; going on as writer '{}'", namespace, old, why, writer);
        }
    }

    /** A dot would be a path in the map of writers, so it becomes a character that no instance name has. */
    private String newWriter() {
        return instance.replace('.', '~') + "#" + runtime.uniqueText();
    }
}
