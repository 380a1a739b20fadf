package dev.leasehold.engine.internal.watch;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.eventloop.EventLoop.Timer;
import dev.leasehold.engine.internal.eventloop.LeaseContext;
import dev.leasehold.engine.internal.held.HeldLease;
import dev.leasehold.engine.internal.held.HeldLeases;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseChanges;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the change stream on a thread of its own while it is wanted, and tells the wait queues, held leases and observers. Changes are
 * hints, and may be missed; after a gap everything is read.
 *
 * <p>The stream is wanted at once if an acquire waits; for held leases only once one has been held for long, since opening a stream costs
 * more than a short lease does in all. It stays wanted for a while after. While it is wanted:
 *
 * <ul>
 *   <li><b>opening</b>: the first call that returns leads to listening, and is a gap, even if it brings no change.
 *   <li><b>listening</b>: changes are reported.
 *   <li><b>unavailable</b>: a failure or refusal closes the stream, and the held leases are polled; after a pause it is opened again.
 * </ul>
 */
public final class ChangeWatcher {

    private static final Logger LOG = LoggerFactory.getLogger(ChangeWatcher.class);

    /** A caller that has waited often waits again soon. */
    public static final long LINGER_NANOS = 30_000_000_000L;

    /** After a call without changes. Such a call waits by itself; this prevents a busy loop if it does not. */
    private static final long EMPTY_PAUSE_NANOS = 5_000_000;

    /** After a refusal: an administrator may grant the right meanwhile, but hardly at once. */
    public static final long REFUSED_NANOS = 60_000_000_000L;

    /** More failures in a row than a failover causes: the random pauses between them alone add up to about 15 s. */
    private static final int FAILURES_LOGGED = 10;

    private final LeaseContext context;
    private final WaitQueues queues;
    private final HeldLeases heldLeases;
    private final LeaseObservers observers;
    private final LeasePoller poller;
    private final Function<Boolean, LeaseChanges> source;
    private final EngineThread thread;
    private final String namespace;
    private volatile boolean wanted;
    /** Whether the next stream is for observers as well, which costs events that no other needs. */
    private volatile boolean observing;

    private volatile boolean over;
    private volatile @Nullable LeaseChanges open;

    /** Set while the stream is wanted although nothing needs it any more. Event loop only. */
    private @Nullable Timer endOfLinger;
    /** Event loop only. */
    private boolean reports;

    // Watcher's thread only.
    private boolean running;
    private boolean listening;
    private boolean openForObservers;
    private int failures;
    /** Whether it was logged that no changes are reported. */
    private boolean outageLogged;

    /**
     * @param source opens a stream, see {@link dev.leasehold.engine.internal.store.LeaseStore#changes(boolean)}
     * @param thread used by this watcher only, and stopped with it
     */
    public ChangeWatcher(
            LeaseContext context,
            WaitQueues queues,
            HeldLeases heldLeases,
            LeaseObservers observers,
            LeasePoller poller,
            Function<Boolean, LeaseChanges> source,
            EngineThread thread) {
        this.context = context;
        this.queues = queues;
        this.heldLeases = heldLeases;
        this.observers = observers;
        this.poller = poller;
        this.source = source;
        this.thread = thread;
        this.namespace = context.settings().namespace();
    }

    // ---- on the event loop ----

    /** Decides whether the stream is wanted, from the current state. */
    public void update() {
        observing = !observers.isEmpty();
        boolean needed = queues.needChanges() || !observers.isEmpty() || heldLeases.anyHeldForLong();
        if (!needed && wanted && endOfLinger == null) {
            endOfLinger = context.after(LINGER_NANOS, () -> {
                endOfLinger = null;
                wanted = false;
            });
        } else if (needed && endOfLinger != null) {
            context.loop().cancel(endOfLinger);
            endOfLinger = null;
        } else if (needed && !wanted) {
            wanted = true;
            submitBegin();
        }
    }

    private void submitBegin() {
        try {
            thread.execute(this::begin);
        } catch (RuntimeException e) {
            // The next update must submit it again.
            wanted = false;
            throw e;
        }
    }

    private void onChange(LeaseChange change) {
        if (change instanceof LeaseChange.ClockLost lost) {
            context.partitions().clockLost(lost.partition());
        } else if (change instanceof LeaseChange.ClockReplaced replaced) {
            context.partitions().clockReplaced(replaced.partition());
        } else if (change instanceof LeaseChange.WriterGone gone) {
            context.partitions().writerGone(gone.partition(), gone.writer());
            queues.onSessionEnded(gone.partition());
            observers.onSessionEnded(gone.partition());
        } else if (change instanceof LeaseChange.Queued queued) {
            HeldLease held = heldLeases.of(queued.name());
            if (held != null) {
                poller.onTicket(held);
            }
        } else if (change instanceof LeaseChange.OfLease ofLease) {
            observers.onChange(ofLease);
            if (!(ofLease instanceof LeaseChange.Described)) {
                onChange(ofLease);
            }
        }
    }

    private void onChange(LeaseChange.OfLease change) {
        HeldLease held = heldLeases.of(change.name());
        if (held == null) {
            queues.onChange(change);
            judgeIfKept(change);
        } else if (!change.showsDocument()) {
            // Most often it comes from this engine. If not, the loss wakes the wait queue.
            poller.verifySoon(List.of(held));
        } else if (change.showsTheEndOf(held.tenure())) {
            heldLeases.lose(held, LeaseLoss.Reason.TAKEN_OVER, null);
            judgeIfKept(change);
        }
    }

    /**
     * The session of this engine keeps a lease that is not held here: another engine has granted it to a ticket of this one, or a document was put back,
     * of which a read shows whether it is still so.
     */
    private void judgeIfKept(LeaseChange.OfLease change) {
        if (change.showsKeptBy(context.partitions().writer(change.name()))) {
            if (change instanceof LeaseChange.Freed) {
                poller.read(change.name());
            } else {
                // In this order: the attempt of the waiter that hears it finds what was judged.
                context.partitions().judge(change);
                queues.onGranted(change);
            }
        }
    }

    /** Changes before now may be missing; changes from now on are reported. */
    private void onGap() {
        reports = true;
        poller.changesUnavailable(false);
        queues.onGap();
        observers.readAll();
        poller.verifySoon(heldLeases.all());
    }

    /** Whether changes are reported now. Event loop only. */
    public boolean reports() {
        return reports;
    }

    /** Ends the watch and its thread. Does not wait. */
    public void close() {
        over = true;
        LeaseChanges changes = open;
        if (changes != null) {
            changes.close();
        }
        thread.execute(this::closeStream);
        thread.stop();
    }

    // ---- on the watcher's thread ----

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
            context.loop().post(() -> reports = false);
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
        if (observing && !openForObservers) {
            closeStream();
        }
        LeaseChanges changes = open;
        if (changes == null) {
            openForObservers = observing;
            changes = source.apply(openForObservers);
            open = changes;
        }
        List<LeaseChange> received = changes.await();
        if (listening) {
            onWorking();
        } else {
            listening = true;
            context.loop().post(this::onGap);
        }
        if (received.isEmpty()) {
            thread.executeAfter(EMPTY_PAUSE_NANOS, this::step);
        } else {
            // On this thread, if no other runs the loop now: a waiter hears of its grant by this.
            context.loop().runHere(() -> received.forEach(this::onChange));
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
        failures++;
        LOG.debug("namespace '{}': watching for changes was interrupted: {}", namespace, cause.getMessage());
        if (failures == FAILURES_LOGGED) {
            logOutage("watching for changes has failed " + failures + " times in a row, and is tried again", cause);
        }
        openAgainAfter(context.backoffNanos(failures));
    }

    private void onRefused(LeaseException cause) {
        logOutage("the server does not let this engine watch for changes", cause);
        openAgainAfter(REFUSED_NANOS);
    }

    private void logOutage(String what, Throwable cause) {
        if (!over && !outageLogged) {
            outageLogged = true;
            LOG.info("namespace '{}': {}; the engine polls meanwhile: {}", namespace, what, cause.getMessage());
        }
    }

    private void openAgainAfter(long pauseNanos) {
        closeStream();
        context.loop().post(() -> {
            reports = false;
            poller.changesUnavailable(true);
        });
        thread.executeAfter(pauseNanos, this::step);
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
