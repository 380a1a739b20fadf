package dev.leasehold.engine.handle;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.runtime.EngineRuntime;
import dev.leasehold.engine.runtime.EngineThread;
import dev.leasehold.engine.store.LeaseChange;
import dev.leasehold.engine.store.LeaseChanges;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for changes on a thread of its own, as long as anybody wants to know. What it tells is a hint, and it tells when it
 * may have missed something.
 */
final class LeaseWatch {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseWatch.class);

    /** After a call that brought nothing: such a call waits by itself, but one that does not must not become a busy loop. */
    private static final long BREATHER_NANOS = 5_000_000;

    /** After a refusal: somebody may grant the right meanwhile, but hardly at once. */
    static final long REFUSED_NANOS = 60_000_000_000L;

    /** So many failures in a row are no fail-over: the pauses between them alone add up to some 15 s, drawn evenly. */
    private static final int FAILURES_TOLD = 10;

    /** Who wants to know. Called on the watch's thread. */
    interface Listener {
        void changed(List<LeaseChange> changes);

        /** What happened before now was not told, what happens from now on is. */
        void missed();

        /** Nothing is told for now. */
        void blind();
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
    private boolean blind;

    private boolean listening;
    private int failures;

    /**
     * Does nothing yet.
     *
     * @param source begins to watch; what it makes is used on the thread of this
     * @param thread used by this alone, and stopped with it
     */
    LeaseWatch(
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
    void want(boolean wanted) {
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
        thread.execute(this::shut);
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
            shut();
            return;
        }
        try {
            listen();
        } catch (LeaseUnavailableException e) {
            again(e);
        } catch (LeaseException e) {
            refused(e);
        } catch (RuntimeException e) {
            LOG.warn("namespace '{}': watching for changes has failed unexpectedly, and is tried again", namespace, e);
            again(e);
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
            works();
        } else {
            listening = true;
            listener.missed();
        }
        if (news.isEmpty()) {
            thread.executeAfter(BREATHER_NANOS, this::step);
        } else {
            listener.changed(news);
            thread.execute(this::step);
        }
    }

    /** Not known before it has brought news, or that there are none: some servers let a watch begin, and no more. */
    private void works() {
        failures = 0;
        if (blind) {
            blind = false;
            LOG.info("namespace '{}': the server lets this engine watch for changes now", namespace);
        }
    }

    private void again(Throwable cause) {
        shut();
        failures++;
        if (!over) {
            LOG.debug("namespace '{}': watching for changes was interrupted: {}", namespace, cause.getMessage());
            listener.blind();
        }
        if (failures == FAILURES_TOLD && !over && !blind) {
            LOG.info(
                    "namespace '{}': watching for changes has failed {} times in a row; the engine goes on trying, and looks by itself"
                            + " now and then: {}",
                    namespace,
                    failures,
                    cause.getMessage());
            blind = true;
        }
        thread.executeAfter(runtime.randomNanos(Pauses.windowNanos(failures)), this::step);
    }

    private void refused(LeaseException cause) {
        shut();
        if (!over && !blind) {
            LOG.info(
                    "namespace '{}': the server does not let this engine watch for changes; it looks by itself now and then: {}",
                    namespace,
                    cause.getMessage());
            blind = true;
        }
        listener.blind();
        thread.executeAfter(REFUSED_NANOS, this::step);
    }

    private void shut() {
        listening = false;
        LeaseChanges changes = open;
        open = null;
        if (changes != null) {
            changes.close();
        }
    }
}
