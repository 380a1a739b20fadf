package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.runtime.Backoff;
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
 * Reads the change stream on a thread of its own while it is wanted. Changes are hints, and may be missed; a gap is reported.
 *
 * <p>States and transitions, for the listener:
 * <ul>
 *   <li><b>off</b>: not wanted. When wanted, the stream is opened.
 *   <li><b>opening</b>: the first call that returns leads to listening and reports {@code onMissed}, even if it brings no change.
 *   <li><b>listening</b>: changes are reported.
 *   <li><b>unavailable</b>: a failure or refusal closes the stream and reports {@code onUnavailable}; after a pause it is opened again.
 * </ul>
 * Not wanted or closed leads to off.
 */
final class ChangeWatcher {

    private static final Logger LOG = LoggerFactory.getLogger(ChangeWatcher.class);

    /** After a call without changes. Such a call waits by itself; this prevents a busy loop if it does not. */
    private static final long EMPTY_PAUSE_NANOS = 5_000_000;

    /** After a refusal: an administrator may grant the right meanwhile, but hardly at once. */
    static final long REFUSED_NANOS = 60_000_000_000L;

    /** More failures in a row than a failover causes: the random pauses between them alone add up to about 15 s. */
    private static final int FAILURES_LOGGED = 10;

    /** Called on the watcher's thread. */
    interface Listener {
        void onChanges(List<LeaseChange> changes);

        /** Changes before now may be missing; changes from now on are reported. */
        void onMissed();

        /** No changes are reported for now. */
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

    // Watcher's thread only.
    private boolean running;
    /** Whether it was logged that no changes are reported. */
    private boolean outageLogged;

    private boolean listening;
    private int failures;

    /**
     * Not wanted yet.
     *
     * @param source opens a stream, which is used on the given thread
     * @param thread used by this watcher only, and stopped with it
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

    /** Sets whether changes are wanted. Calls must not overlap. */
    void setWanted(boolean wanted) {
        if (this.wanted != wanted) {
            this.wanted = wanted;
            if (wanted) {
                submitBegin();
            }
        }
    }

    private void submitBegin() {
        try {
            thread.execute(this::begin);
        } catch (RuntimeException e) {
            // The next call must submit it again.
            wanted = false;
            throw e;
        }
    }

    /** Ends the watch and its thread. Any thread. Does not wait. */
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
        List<LeaseChange> received = changes.await();
        if (listening) {
            onWorking();
        } else {
            listening = true;
            listener.onMissed();
        }
        if (received.isEmpty()) {
            thread.executeAfter(EMPTY_PAUSE_NANOS, this::step);
        } else {
            listener.onChanges(received);
            thread.execute(this::step);
        }
    }

    /** Called at the second return of the stream: some servers let a watch begin and then refuse to read it. */
    private void onWorking() {
        failures = 0;
        if (outageLogged) {
            outageLogged = false;
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
        if (failures == FAILURES_LOGGED && !over && !outageLogged) {
            LOG.info(
                    "namespace '{}': watching for changes has failed {} times in a row; the engine goes on trying, and"
                            + " polls meanwhile: {}",
                    namespace,
                    failures,
                    cause.getMessage());
            outageLogged = true;
        }
        thread.executeAfter(runtime.randomNanos(Backoff.longWindowNanos(failures)), this::step);
    }

    private void onRefused(LeaseException cause) {
        closeStream();
        if (!over && !outageLogged) {
            LOG.info(
                    "namespace '{}': the server does not let this engine watch for changes; it polls instead: {}",
                    namespace,
                    cause.getMessage());
            outageLogged = true;
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
