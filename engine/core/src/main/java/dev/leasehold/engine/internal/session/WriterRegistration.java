package dev.leasehold.engine.internal.session;

import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The present writer of the engine, and what is known of its entry in the clock document. An entry is created once,
 * before the writer's first transaction or session. If it is found missing, the engine continues as a new writer.
 * Engine thread only, except {@link #writer}.
 */
public final class WriterRegistration {

    private static final Logger LOG = LoggerFactory.getLogger(WriterRegistration.class);

    private final PartitionContext context;
    private final String instance;

    /** Changed by the engine thread only; other threads read it for their logs. */
    private volatile String writer;

    private boolean registered;
    private boolean joined;
    private long acknowledgedNanos;
    /** At least so many the document has, unless another was put in its place. */
    private long ticks;

    public WriterRegistration(PartitionContext context, String instance) {
        this.context = context;
        this.instance = instance;
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

    public boolean isJoined() {
        return joined;
    }

    /**
     * Creates the writer's entry if there is none yet, so that other engines know its driver session before any
     * transaction runs in it.
     *
     * @param timeNanos below the stamp of the first transaction
     */
    public void ensure(long timeNanos) {
        if (!registered) {
            write(new ClockWrite.Register(writer, timeNanos, context.store().driverSession(), null), timeNanos);
            registered = true;
        }
    }

    /** Begins a session, and creates the writer's entry if there is none yet. */
    void join(long stampNanos, long sessionNanos) {
        ClockWrite write = registered
                ? new ClockWrite.Join(writer, acknowledgedNanos, stampNanos, sessionNanos)
                : new ClockWrite.Register(writer, stampNanos, context.store().driverSession(), sessionNanos);
        write(write, stampNanos);
        registered = true;
        joined = true;
    }

    /** Returns only if the write has certainly landed. */
    private void write(ClockWrite write, long timeNanos) {
        WriteOutcome outcome = context.store().writeClock(write);
        switch (outcome.verdict()) {
            case APPLIED -> {
                acknowledgedNanos = timeNanos;
                // Every write of the document counts.
                ticks++;
            }
            case MISSED -> resolveMiss(timeNanos);
            case FAILED -> throw Objects.requireNonNull(outcome.cause());
            case UNKNOWN -> {
                LeaseException cause = notRegistered(outcome.cause());
                // The write may land later. It is harmless once the engine has another name.
                becomeNewWriter("an answer about its registration was lost");
                throw cause;
            }
            default -> throw notRegistered(outcome.cause());
        }
    }

    /**
     * The write may have landed before, with its answer lost. Throws otherwise; the read throws if there is no clock
     * document.
     */
    private void resolveMiss(long timeNanos) {
        WriterEntry entry =
                context.store().read(Set.of(), writer).clock().writers().get(writer);
        if (!(entry instanceof WriterEntry.Sound sound) || sound.timeNanos() != timeNanos) {
            LeaseException cause = notRegistered(null);
            // With an entry that is not this engine's, every further registration under the name would miss.
            if (registered || entry != null) {
                becomeNewWriter("its entry is not what it wrote");
            }
            throw cause;
        }
        acknowledgedNanos = timeNanos;
    }

    private LeaseException notRegistered(@Nullable LeaseException cause) {
        return new LeaseUnavailableException(
                "writer '" + writer + "' could not be registered in namespace '" + context.namespace() + "'", cause);
    }

    /** Compares the writer's entry as read with what is known of it. */
    public void examine(ClockDocument document) {
        boolean older = document.ticks() < ticks;
        ticks = document.ticks();
        if (!registered) {
            return;
        }
        WriterEntry entry = document.writers().get(writer);
        if (entry instanceof WriterEntry.Corrupt corrupt) {
            throw new CorruptDocumentException(
                    context.namespace(), "writers." + writer + "." + corrupt.field(), corrupt.found());
        }
        if (!(entry instanceof WriterEntry.Sound sound)) {
            if (older) {
                clockLost("another clock document is in the place of the one that had its entry");
            } else {
                becomeNewWriter("its entry was removed");
            }
        } else if (sound.timeNanos() < acknowledgedNanos) {
            clockLost("an older clock document was put in the place of the one that had acknowledged its stamp "
                    + acknowledgedNanos);
        } else if (sound.timeNanos() > context.clock().lastStampNanos()) {
            yieldToClone(sound.timeNanos());
        } else {
            acknowledgedNanos = sound.timeNanos();
        }
    }

    /**
     * What the clock document acknowledged is lost, so other engines cannot know what this one holds. That ends all
     * validities.
     */
    public void clockLost(String why) {
        context.validities().endAll(LeaseLoss.Reason.CLOCK_DOCUMENT_LOST);
        if (registered) {
            becomeNewWriter(why);
        }
    }

    /**
     * An entry ahead of every issued stamp was written by another process under this name, such as a clone. Other
     * engines count all terms of this writer from it and would find them expired before this engine does. So all
     * validities end.
     */
    private void yieldToClone(long timeNanos) {
        context.validities().endAll(LeaseLoss.Reason.CLOCK_ANOMALY);
        becomeNewWriter("its stored time " + timeNanos + " ns is ahead of its newest stamp "
                + context.clock().lastStampNanos()
                + " ns: the process or its machine was cloned, or restored from a snapshot");
    }

    private void becomeNewWriter(String why) {
        String old = toString();
        boolean wasRegistered = registered;
        writer = newWriter();
        registered = false;
        joined = false;
        context.cache().forgetAll();
        context.validities().evicted();
        if (wasRegistered) {
            LOG.warn("{}: {}; going on as writer '{}'", old, why, writer);
        }
    }

    /** A dot would be a path separator in the map of writers, so a character replaces it that no instance name has. */
    private String newWriter() {
        return instance.replace('.', '~') + "#" + context.runtime().uniqueText();
    }

    @Override
    public String toString() {
        return "namespace '" + context.namespace() + "', writer '" + writer + "'";
    }
}
