package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.metrics.EngineEvent.OperationEnded;
import dev.leasehold.engine.internal.metrics.OperationOutcome;
import dev.leasehold.engine.internal.rules.LogContext;
import dev.leasehold.engine.internal.store.LeaseChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Those who wait, a line for each lease. Of the agenda's thread alone, apart from their number. */
final class AcquireQueues implements AcquireQueue.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(AcquireQueues.class);

    private final LeaseContext context;
    private final HeldLeases heldLeases;
    private final Releaser releaser;
    private final Map<String, AcquireQueue> lines = new HashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private int waitingQueues;
    private boolean onRefusedBySession;
    private final List<HeldLease> onPossiblyLost = new ArrayList<>();

    AcquireQueues(LeaseContext context, HeldLeases heldLeases, Releaser releaser) {
        this.context = context;
        this.heldLeases = heldLeases;
        this.releaser = releaser;
    }

    /** How many wait. Any thread may ask. */
    int count() {
        return count.get();
    }

    /** Whether anybody goes on waiting who has looked: not those whose first attempt is under way. */
    boolean hasWaiters() {
        return waitingQueues > 0;
    }

    /** Whether somebody was refused a lease that a session keeps, and goes on waiting, since this was asked last. */
    boolean pollRefusedBySession() {
        boolean refused = onRefusedBySession;
        onRefusedBySession = false;
        return refused;
    }

    /** What was granted and may be over, since this was asked last. */
    List<HeldLease> pollPossiblyLost() {
        List<HeldLease> taken = List.copyOf(onPossiblyLost);
        onPossiblyLost.clear();
        return taken;
    }

    int size() {
        return lines.size();
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }

    /** Takes an acquisition on: what its holder has already is granted at once. */
    void enqueue(PendingAcquire acquire) {
        HeldLease heldLease = heldLeases.validFor(acquire.name(), acquire.holder());
        if (heldLease != null) {
            grantReentrant(acquire, heldLease);
        } else {
            warnOfSelfDeadlock(acquire);
            lines.computeIfAbsent(acquire.name(), name -> new AcquireQueue(name, context, heldLeases, releaser, this))
                    .enqueue(acquire);
        }
    }

    /** It is no error: another thread may close the handle. */
    private void warnOfSelfDeadlock(PendingAcquire acquire) {
        Thread caller = acquire.caller();
        HeldLease heldLease = heldLeases.of(acquire.name());
        if (caller != null
                && heldLease != null
                && acquire.endNanos() > context.nowNanos()
                && heldLease.isFirstToWaitForItself(caller)) {
            LOG.warn(
                    "{}: thread '{}' waits for the lease that it holds itself, under another holder name: unless another thread"
                            + " closes its handle, it waits in vain",
                    LogContext.of(heldLease.tenure()),
                    caller.getName());
        }
    }

    private void grantReentrant(PendingAcquire acquire, HeldLease heldLease) {
        context.metrics()
                .record(new OperationEnded(
                        acquire.request().kind(), acquire.name(), OperationOutcome.GRANTED, null, 0));
        acquire.granted(heldLeases.open(heldLease));
    }

    /** The caller went. A lease that was granted all the same is given back. */
    void withdraw(PendingAcquire acquire) {
        AcquireQueue queue = lines.get(acquire.name());
        if (queue != null && queue.cancel(acquire)) {
            return;
        }
        Acquisition granted = resultOf(acquire);
        if (granted instanceof Acquisition.Acquired acquired && acquired.lease() instanceof LeaseHandle handle) {
            handle.closeUndelivered();
        }
    }

    private static @Nullable Acquisition resultOf(PendingAcquire acquire) {
        return acquire.result().isCompletedExceptionally()
                ? null
                : acquire.result().getNow(null);
    }

    /** A lease was given up. */
    void onFreed(String name) {
        withQueue(name, AcquireQueue::onFreed);
    }

    /** The session of some writer in a partition is over; which leases it kept is not known here. */
    void onSessionEnded(String partition) {
        List.copyOf(lines.values()).stream()
                .filter(queue -> queue.waitsForSession() && context.operations().isInPartition(partition, queue.name()))
                .forEach(AcquireQueue::onFreed);
    }

    /** Somebody has changed a lease. What is told of one for which nobody waits is of no use. */
    void onChange(LeaseChange.OfLease change) {
        withQueue(change.name(), queue -> queue.onChange(change));
    }

    /** Something may have been missed. */
    void wakeAll() {
        List.copyOf(lines.values()).forEach(AcquireQueue::wake);
    }

    void withQueue(String name, Consumer<AcquireQueue> action) {
        AcquireQueue queue = lines.get(name);
        if (queue != null) {
            action.accept(queue);
        }
    }

    /** The leases that somebody waits for while nobody is looking. */
    Set<String> idleNames() {
        Set<String> sleeping = new HashSet<>();
        for (AcquireQueue queue : lines.values()) {
            if (queue.isIdle()) {
                sleeping.add(queue.name());
            }
        }
        return sleeping;
    }

    void close(LeaseException closed) {
        List.copyOf(lines.values()).forEach(queue -> queue.close(closed));
    }

    @Override
    public void onEnqueued() {
        count.incrementAndGet();
    }

    @Override
    public void onAnswered() {
        count.decrementAndGet();
    }

    @Override
    public void onFirstWait() {
        waitingQueues++;
    }

    @Override
    public void onRefusedBySession() {
        onRefusedBySession = true;
    }

    @Override
    public void onPossiblyLost(HeldLease heldLease) {
        onPossiblyLost.add(heldLease);
    }

    @Override
    public void onEmpty(AcquireQueue queue) {
        if (lines.remove(queue.name(), queue) && queue.hasWaited()) {
            waitingQueues--;
        }
    }
}
