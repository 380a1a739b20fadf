package dev.leasehold.engine.internal.queue;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.internal.commit.OperationResult;
import dev.leasehold.engine.internal.commit.ReleaseOutcome;
import dev.leasehold.engine.internal.eventloop.LeaseContext;
import dev.leasehold.engine.internal.held.HeldLease;
import dev.leasehold.engine.internal.held.HeldLeases;
import dev.leasehold.engine.internal.held.LeaseHandle;
import dev.leasehold.engine.internal.held.Releaser;
import dev.leasehold.engine.internal.held.Waiters;
import dev.leasehold.engine.internal.metrics.EngineEvent.HandOverAcknowledged;
import dev.leasehold.engine.internal.metrics.EngineEvent.HandOverKind;
import dev.leasehold.engine.internal.metrics.EngineEvent.HandedOver;
import dev.leasehold.engine.internal.metrics.OperationOutcome;
import dev.leasehold.engine.internal.rules.HandOver;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.rules.WaitQueue.QueueView;
import dev.leasehold.engine.internal.runtime.LogContext;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.watch.LeasePoller;
import dev.leasehold.engine.internal.watch.WaitQueues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The wait queues, one for each lease that is waited for. Event loop only, apart from {@link #count()}. */
public final class AcquireQueues implements Waiters, WaitQueues {

    private static final Logger LOG = LoggerFactory.getLogger(AcquireQueues.class);

    private final LeaseContext context;
    private final HeldLeases heldLeases;
    private final Releaser releaser;
    private final Map<String, AcquireQueue> queues = new HashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private int waitingQueues;
    private final LeasePoller poller;
    private final Tickets tickets;

    public AcquireQueues(LeaseContext context, HeldLeases heldLeases, Releaser releaser) {
        this.context = context;
        this.heldLeases = heldLeases;
        this.releaser = releaser;
        this.poller = new LeasePoller(context, this, heldLeases);
        this.tickets = new Tickets(context, poller);
    }

    public Tickets tickets() {
        return tickets;
    }

    /** Whether this engine holds the lease, or its release is not answered yet. */
    boolean isHeldHere(String name) {
        return heldLeases.of(name) != null || releaser.isReleasing(name);
    }

    @Override
    public @Nullable HandOver handOver(String name, boolean readFirst, @Nullable String instance, boolean withdrawing) {
        if (!context.settings().waitQueue()) {
            return null;
        }
        AcquireQueue queue = queues.get(name);
        List<Request.Acquire> own = queue == null ? List.of() : queue.waiting();
        return new HandOver(
                readFirst || !own.isEmpty(), own, instance, withdrawing ? tickets.takeForRelease(name) : null);
    }

    @Override
    public void onAnswered(HandOver handOver, boolean applied) {
        tickets.released(handOver.withdrawn(), applied);
    }

    @Override
    public void onReleased(String name, ReleaseOutcome outcome, OperationResult result, long nanos) {
        AcquireQueue queue = queues.get(name);
        if (outcome.isHandOver()) {
            context.metrics().record(new HandedOver(HandOverKind.GRANTED));
            context.metrics().record(new HandOverAcknowledged(nanos));
        } else if (queue != null) {
            context.metrics().record(new HandedOver(HandOverKind.VACANT));
        }
        switch (outcome) {
            case NEXT -> {
                Tenure next = Objects.requireNonNull(result.tenure(), "the next tenure of this engine");
                if (queue == null) {
                    releaser.release(next, Releaser.Manner.READING_FIRST);
                } else {
                    queue.onNext(next, result.stripes());
                }
            }
            case GRANTED, GRANTED_AS_ASKED -> withQueue(name, AcquireQueue::onGrantedAway);
            case OVER_BEFORE, VACANT, NOT_RELEASED -> onFreed(name);
        }
        // One that was waiting for the end of the release, with nothing to follow.
        withQueue(name, AcquireQueue::proceed);
    }

    /** A lease that is not held here shows a ticket of this engine. Whether an acquisition waits with it. */
    public boolean hear(String name, long stampNanos) {
        AcquireQueue queue = queues.get(name);
        return queue != null && queue.hear(context.partitions().writer(name), stampNanos);
    }

    public LeasePoller poller() {
        return poller;
    }

    /** The number of waiting acquires. Any thread. */
    public int count() {
        return count.get();
    }

    @Override
    public boolean needChanges() {
        return waitingQueues > 0 || !tickets.areAllDead();
    }

    public int size() {
        return queues.size();
    }

    @Override
    public boolean isEmpty() {
        return queues.isEmpty();
    }

    /** Enqueues an acquire. If its holder has the lease already, it is granted at once. */
    public void enqueue(PendingAcquire acquire) {
        HeldLease heldLease = heldLeases.validFor(acquire.name(), acquire.holder());
        if (heldLease != null) {
            context.operations().measure(acquire.request(), OperationOutcome.GRANTED, null, context.nowNanos());
            acquire.granted(heldLeases.open(heldLease, context.nowNanos(), acquire.request()));
        } else {
            warnOfSelfDeadlock(acquire);
            queues.computeIfAbsent(acquire.name(), name -> new AcquireQueue(name, context, heldLeases, releaser, this))
                    .enqueue(acquire);
        }
    }

    /** Only a warning: another thread may close the handle. */
    private void warnOfSelfDeadlock(PendingAcquire acquire) {
        Thread caller = acquire.caller();
        HeldLease heldLease = heldLeases.of(acquire.name());
        if (caller != null
                && heldLease != null
                && acquire.endNanos() > context.nowNanos()
                && heldLease.isFirstSelfWait(caller)) {
            LOG.warn(
                    "{}: thread {} waits for the lease that it holds itself, under another holder name: unless"
                            + " another thread closes its handle, it waits in vain",
                    LogContext.of(heldLease.tenure()),
                    LeaseNames.quote(caller.getName()));
        }
    }

    /** The caller cancelled. A lease that was granted already is released. */
    public void cancel(PendingAcquire acquire) {
        AcquireQueue queue = queues.get(acquire.name());
        if (queue != null && queue.cancel(acquire)) {
            return;
        }
        Acquisition granted =
                acquire.result().handle((result, failure) -> result).getNow(null);
        if (granted instanceof Acquisition.Acquired acquired && acquired.lease() instanceof LeaseHandle handle) {
            handle.closeUndelivered();
        }
    }

    /** Whether it was enqueued and has no answer yet. */
    public boolean isPending(PendingAcquire acquire) {
        AcquireQueue queue = queues.get(acquire.name());
        return queue != null && queue.isPending(acquire);
    }

    public void onFreed(String name) {
        withQueue(name, AcquireQueue::onFreed);
    }

    @Override
    public void onSessionEnded(String partition) {
        List.copyOf(queues.values()).stream()
                .filter(queue -> queue.waitsForSession()
                        && context.partitions().idOf(queue.name()).equals(partition))
                .forEach(AcquireQueue::onFreed);
    }

    @Override
    public void onChange(LeaseChange.OfLease change) {
        tickets.onChange(change);
        withQueue(change.name(), queue -> queue.onChange(change));
    }

    @Override
    public void onGranted(LeaseChange.OfLease change) {
        Long writtenNanos = change.writtenNanos();
        if (writtenNanos != null && !isHeldHere(change.name())) {
            hear(change.name(), writtenNanos);
        }
    }

    /** {@inheritDoc} An attempt started meanwhile knows better. */
    @Override
    public void onPolled(LeaseState state, QueueView view) {
        tickets.onSeen(state);
        withQueue(state.name(), queue -> {
            if (queue.isIdle()) {
                queue.onPolled(state, view);
            }
        });
    }

    @Override
    public Set<String> nearNames() {
        return names(queue -> queue.isIdle() && queue.isNear());
    }

    @Override
    public void onGap() {
        List.copyOf(queues.values()).forEach(AcquireQueue::wake);
        tickets.readAll();
    }

    private void withQueue(String name, Consumer<AcquireQueue> action) {
        AcquireQueue queue = queues.get(name);
        if (queue != null) {
            action.accept(queue);
        }
    }

    @Override
    public Set<String> idleNames() {
        return names(AcquireQueue::isIdle);
    }

    private Set<String> names(Predicate<AcquireQueue> test) {
        return queues.values().stream().filter(test).map(AcquireQueue::name).collect(Collectors.toSet());
    }

    /** As {@link AcquireQueue#close}. */
    public void close(LeaseException closed, boolean failed) {
        List<Runnable> ends = new ArrayList<>();
        queues.values().forEach(queue -> ends.add(() -> queue.close(closed, failed)));
        ends.add(tickets::close);
        context.loop().guardedEach(ends);
    }

    // ---- what the queues report ----

    void onEnqueued() {
        count.incrementAndGet();
    }

    void onAnswered() {
        count.decrementAndGet();
    }

    /** For the first time an acquire keeps waiting after an attempt. */
    void onFirstWait() {
        waitingQueues++;
    }

    /** No acquire is pending and no attempt runs. */
    void onEmpty(AcquireQueue queue) {
        if (queues.remove(queue.name(), queue) && queue.hasWaited()) {
            waitingQueues--;
        }
    }
}
