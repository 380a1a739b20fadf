package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseChanges;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for changes on a thread of its own, as long as anybody wants to know. What it tells is a hint, and it tells when it
 * may have missed something.
 */
final class ChangeWatcher {

    private static final Logger LOG = LoggerFactory.getLogger(ChangeWatcher.class);

    /** After a call that brought nothing: such a call waits by itself, but one that does not must not become a busy loop. */
    private static final long BREATHER_NANOS = 5_000_000;

    /** After a refusal: somebody may grant the right meanwhile, but hardly at once. */
    static final long REFUSED_NANOS = 60_000_000_000L;

    /** So many failures in a row are no fail-over: the pauses between them alone add up to some 15 s, drawn evenly. */
    private static final int FAILURES_TOLD = 10;

    /** Who wants to know. Called on the watch's thread. */
    interface Listener {
        void onChanges(List<LeaseChange> changes);

        /** What happened before now was not told, what happens from now on is. */
        void onMissed();

        /** Nothing is told for now. */
        void onUnavailable();
    }

    private final String namespace;
    private final EngineRuntime runtime;
    private final Supplier<LeaseChanges> source;
    private final EngineThread thread;
    private final Listener listener;
    private volatile boolean wanted;
    private volatile boolean over;
    private volatile @Nullable LeaseChanges open;

    // Of the watch's thread alone.
    private boolean running;
    /** It was logged that nothing is told. */
    private boolean unavailable;

    private boolean listening;
    private int failures;

    /**
     * Does nothing yet.
     *
     * @param source begins to watch; what it makes is used on the thread of this
     * @param thread used by this alone, and stopped with it
     */
    ChangeWatcher(
            String namespace,
            EngineRuntime runtime,
            Supplier<LeaseChanges> source,
            EngineThread thread,
            Listener listener) {
        this.namespace = namespace;
        this.runtime = runtime;
        this.source = source;
        this.thread = thread;
        this.listener = listener;
    }

    /** Says whether anybody wants to know. Always called by the same thread. */
    void setWanted(boolean wanted) {
        if (this.wanted != wanted) {
            this.wanted = wanted;
            if (wanted) {
                handIn();
            }
        }
    }

    private void handIn() {
        try {
            thread.execute(this::begin);
        } catch (RuntimeException e) {
            // Whoever wants it still is to say so again.
            wanted = false;
            throw e;
        }
    }

    /** Ends the watch and its thread. Any thread may ask. Does not wait. */
    void close() {
        over = true;
        LeaseChanges changes = open;
        if (changes != null) {
            changes.close();
        }
        thread.execute(this::closeStream);
        thread.stop();
    }

    private void begin() {
        if (!running) {
            running = true;
            step();
        }
    }

    private void step() {
        if (over || !wanted) {
            running = false;
            closeStream();
            return;
        }
        try {
            listen();
        } catch (LeaseUnavailableException e) {
            onFailed(e);
        } catch (LeaseException e) {
            onRefused(e);
        } catch (RuntimeException e) {
            LOG.warn("namespace '{}': watching for changes has failed unexpectedly, and is tried again", namespace, e);
            onFailed(e);
        }
    }

    private void listen() {
        LeaseChanges changes = open;
        if (changes == null) {
            changes = source.get();
            open = changes;
        }
        List<LeaseChange> news = changes.await();
        if (listening) {
            onWorking();
        } else {
            listening = true;
            listener.onMissed();
        }
        if (news.isEmpty()) {
            thread.executeAfter(BREATHER_NANOS, this::step);
        } else {
            listener.onChanges(news);
            thread.execute(this::step);
        }
    }

    /** Not known before it has brought news, or that there are none: some servers let a watch begin, and no more. */
    private void onWorking() {
        failures = 0;
        if (unavailable) {
            unavailable = false;
            LOG.info("namespace '{}': the server lets this engine watch for changes now", namespace);
        }
    }

    private void onFailed(Throwable cause) {
        closeStream();
        failures++;
        if (!over) {
            LOG.debug("namespace '{}': watching for changes was interrupted: {}", namespace, cause.getMessage());
            listener.onUnavailable();
        }
        if (failures == FAILURES_TOLD && !over && !unavailable) {
            LOG.info(
                    "namespace '{}': watching for changes has failed {} times in a row; the engine goes on trying, and looks by itself"
                            + " now and then: {}",
                    namespace,
                    failures,
                    cause.getMessage());
            unavailable = true;
        }
        thread.executeAfter(runtime.randomNanos(LongBackoff.windowNanos(failures)), this::step);
    }

    private void onRefused(LeaseException cause) {
        closeStream();
        if (!over && !unavailable) {
            LOG.info(
                    "namespace '{}': the server does not let this engine watch for changes; it looks by itself now and then: {}",
                    namespace,
                    cause.getMessage());
            unavailable = true;
        }
        listener.onUnavailable();
        thread.executeAfter(REFUSED_NANOS, this::step);
    }

    private void closeStream() {
        listening = false;
        LeaseChanges changes = open;
        open = null;
        if (changes != null) {
            changes.close();
        }
    }
}
