package dev.leasehold.engine.internal.watch;

import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.internal.commit.LeaseReader;
import dev.leasehold.engine.internal.eventloop.EventLoop.Timer;
import dev.leasehold.engine.internal.eventloop.LeaseContext;
import dev.leasehold.engine.internal.held.HeldLease;
import dev.leasehold.engine.internal.held.HeldLeases;
import dev.leasehold.engine.internal.metrics.EngineEvent.QueueViewed;
import dev.leasehold.engine.internal.rules.WaitQueue;
import dev.leasehold.engine.internal.rules.WaitQueue.QueueView;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads leases for what no change reports: all leases with idle wait queues periodically, the held leases periodically while changes
 * are unavailable, and possibly lost leases soon after a hint. Event loop only.
 */
public final class LeasePoller {

    private static final Logger LOG = LoggerFactory.getLogger(LeasePoller.class);

    private static final long WAITING_PERIOD_NANOS = 5_000_000_000L;
    /** After the refusal of a session lease: the next heartbeat of that session must be seen soon. Most waits are over by then. */
    private static final long FIRST_POLL_NANOS = 100_000_000;

    private static final long HOLDING_PERIOD_NANOS = 30_000_000_000L;
    /** Most hints come from the engine's own writes to leases that are released soon. */
    private static final long VERIFY_DELAY_NANOS = 50_000_000;
    /** After a failed read, which has most often used its whole time budget. */
    private static final long VERIFY_AGAIN_NANOS = 1_000_000_000;

    /** For a waiter near the head the lease is read so often; the second one if changes are unavailable. */
    private static final long NEAR_PERIOD_NANOS = 1_000_000_000;

    private static final long NEAR_PERIOD_WITHOUT_CHANGES_NANOS = 250_000_000;
    /** The queue of a held lease is read at most so often because of new tickets. */
    private static final long QUEUE_AFTER_TICKET_NANOS = 50_000_000;

    private final LeaseContext context;
    private final WaitQueues queues;
    private final HeldLeases heldLeases;
    private @Nullable Timer waitedTimer;
    private @Nullable Timer heldTimer;
    private @Nullable Timer verifyTimer;
    private @Nullable Timer nearTimer;
    /** The leases held here whose queues are read next, by name. */
    private final Map<String, Timer> queueTimers = new HashMap<>();
    /** The leases whose periodic read is not answered, each with whether its queue is read again afterwards. */
    private final Map<String, Boolean> unanswered = new HashMap<>();
    /** The leases that are read next. */
    private final Set<String> wanted = new LinkedHashSet<>();

    private final Set<HeldLease> possiblyLost = new LinkedHashSet<>();
    private boolean changesUnavailable;

    public LeasePoller(LeaseContext context, WaitQueues queues, HeldLeases heldLeases) {
        this.context = context;
        this.queues = queues;
        this.heldLeases = heldLeases;
    }

    /** Sets whether changes are unavailable from now on. */
    void changesUnavailable(boolean unavailable) {
        this.changesUnavailable = unavailable;
        if (!unavailable) {
            context.loop().cancel(heldTimer);
            heldTimer = null;
        }
    }

    public void schedule() {
        if (waitedTimer == null && !queues.isEmpty()) {
            schedulePollWaited(context.inNanos(WAITING_PERIOD_NANOS));
        }
        if (changesUnavailable && heldTimer == null && heldLeases.count() > 0) {
            heldTimer = context.after(HOLDING_PERIOD_NANOS, () -> {
                heldTimer = null;
                verify(heldLeases.all());
            });
        }
    }

    /** A session lease was refused, and acquires keep waiting for it. */
    public void pollSoon() {
        schedulePollWaited(context.inNanos(FIRST_POLL_NANOS));
    }

    private void schedulePollWaited(long atNanos) {
        if (waitedTimer == null || atNanos < waitedTimer.atNanos()) {
            context.loop().cancel(waitedTimer);
            waitedTimer = context.loop().at(atNanos, this::pollWaited);
        }
    }

    private void pollWaited() {
        waitedTimer = null;
        readPeriodically(queues.idleNames());
    }

    private void pollNear() {
        nearTimer = null;
        readPeriodically(queues.nearNames());
    }

    /**
     * Reads what is read periodically, apart from the leases whose last such read is not answered. If the database is slower than the period, these
     * reads would pile up in front of renewals and heartbeats.
     */
    private void readPeriodically(Collection<String> names) {
        Set<String> answered = new LinkedHashSet<>(names);
        answered.removeAll(unanswered.keySet());
        answered.forEach(name -> unanswered.put(name, false));
        poll(
                answered,
                polled -> {
                    scheduleHeartbeat(polled);
                    onAnswered(polled.states().stream().map(LeaseState::name).toList());
                },
                this::onAnswered);
    }

    private void onAnswered(Collection<String> names) {
        for (String name : names) {
            if (Boolean.TRUE.equals(unanswered.remove(name))) {
                readQueueIn(QUEUE_AFTER_TICKET_NANOS, name);
            }
        }
        scheduleNear();
    }

    private void scheduleNear() {
        if (nearTimer == null && !unanswered.keySet().containsAll(queues.nearNames())) {
            long nanos = changesUnavailable ? NEAR_PERIOD_WITHOUT_CHANGES_NANOS : NEAR_PERIOD_NANOS;
            nearTimer = context.after(nanos, this::pollNear);
        }
    }

    /** All that a read shows goes to all that it concerns. */
    private void deliver(LeaseReader.Polled polled) {
        for (LeaseState state : polled.states()) {
            QueueView view = polled.queue(state.name());
            context.metrics().record(new QueueViewed(view.total()));
            heldLeases.onViewed(state, view);
            queues.onPolled(state, view);
            if (view.total() > 0 && heldLeases.of(state.name()) != null) {
                readQueueIn(WaitQueue.PERIOD_NANOS, state.name());
            }
        }
        scheduleNear();
    }

    /** Nothing else would lead to a further read of these queues. */
    private void readQueuesAgain(Set<String> names) {
        for (String name : names) {
            HeldLease heldLease = heldLeases.of(name);
            if (heldLease != null && heldLease.expectsWaiters()) {
                readQueueIn(WaitQueue.PERIOD_NANOS, name);
            }
        }
    }

    private void readQueueIn(long nanos, String name) {
        long atNanos = context.inNanos(nanos);
        Timer next = queueTimers.get(name);
        if (next == null || atNanos < next.atNanos()) {
            context.loop().cancel(next);
            queueTimers.put(name, context.loop().at(atNanos, () -> {
                queueTimers.remove(name);
                if (heldLeases.of(name) != null) {
                    // What has led to this may have come behind a read that is not answered.
                    unanswered.computeIfPresent(name, (lease, again) -> true);
                    readPeriodically(Set.of(name));
                }
            }));
        }
    }

    /** A ticket was sent for a lease that is held here. */
    void onTicket(HeldLease heldLease) {
        heldLease.expectWaiters();
        readQueueIn(QUEUE_AFTER_TICKET_NANOS, heldLease.tenure().name());
    }

    private void scheduleHeartbeat(LeaseReader.Polled polled) {
        if (polled.nextNanos() < Long.MAX_VALUE && !queues.isEmpty()) {
            schedulePollWaited(polled.nextNanos());
        }
    }

    /** Reads a lease soon, together with others that are wanted at this moment. */
    public void readSoon(String name) {
        if (wanted.isEmpty()) {
            context.loop().post(() -> {
                Set<String> names = new LinkedHashSet<>(wanted);
                wanted.clear();
                poll(names, this::scheduleHeartbeat, failed -> {});
            });
        }
        wanted.add(name);
    }

    /** Reads a lease for what the read itself leads to. */
    public void read(String name) {
        poll(Set.of(name), this::scheduleHeartbeat, names -> {});
    }

    /** Reads a lease, and hands its state on as well, or tells that the read has failed. */
    public void read(String name, Consumer<LeaseState> seen, Runnable failed) {
        poll(Set.of(name), polled -> seen.accept(polled.states().get(0)), names -> failed.run());
    }

    /** These may have been ended. */
    public void verifySoon(Collection<HeldLease> held) {
        verifyIn(VERIFY_DELAY_NANOS, held);
    }

    private void verifyIn(long nanos, Collection<HeldLease> held) {
        possiblyLost.addAll(held);
        long atNanos = context.inNanos(nanos);
        if (!possiblyLost.isEmpty() && (verifyTimer == null || atNanos < verifyTimer.atNanos())) {
            context.loop().cancel(verifyTimer);
            verifyTimer = context.loop().at(atNanos, this::pollPossiblyLost);
        }
    }

    private void pollPossiblyLost() {
        verifyTimer = null;
        List<HeldLease> current = possiblyLost.stream().filter(heldLeases::has).toList();
        possiblyLost.clear();
        verify(current);
    }

    /** Reads whether the tenures are still held. If a read fails, the hint is not repeated, so the read must be. */
    private void verify(Collection<HeldLease> candidates) {
        // A tenure that began after the read was sent is not among these: the read may not have seen it.
        Map<String, HeldLease> byName = new LinkedHashMap<>();
        candidates.forEach(heldLease -> byName.put(heldLease.tenure().name(), heldLease));
        poll(
                byName.keySet(),
                polled -> polled.states().forEach(state -> {
                    HeldLease heldLease = Objects.requireNonNull(byName.get(state.name()));
                    if (!isHeldIn(state, heldLease)) {
                        heldLeases.lose(heldLease, reasonOf(state), null);
                    }
                }),
                names -> verifyIn(
                        VERIFY_AGAIN_NANOS, names.stream().map(byName::get).toList()));
    }

    /** Housekeeping removes documents of vacant leases only, and long after their release. */
    private static Reason reasonOf(LeaseState state) {
        return state instanceof LeaseState.Absent ? Reason.LEASE_DOCUMENT_LOST : Reason.TAKEN_OVER;
    }

    private static boolean isHeldIn(LeaseState state, HeldLease heldLease) {
        return state instanceof LeaseState.Corrupt
                || state instanceof LeaseState.Held seen && seen.tenure().equals(heldLease.tenure());
    }

    /**
     * Reads leases, those of each partition apart.
     *
     * @param seen gets the result of each read
     * @param failed gets the names that shared a failed read
     */
    void poll(Set<String> names, Consumer<LeaseReader.Polled> seen, Consumer<Set<String>> failed) {
        names.stream()
                .collect(Collectors.groupingBy(name -> context.partitions().idOf(name)))
                .values()
                .forEach(together -> pollPartition(together, seen, failed));
    }

    private void pollPartition(List<String> names, Consumer<LeaseReader.Polled> seen, Consumer<Set<String>> failed) {
        for (Set<String> part : LeaseReader.parts(names)) {
            context.partitions()
                    .poll(part, context.operations().deadlineNanos())
                    .whenComplete((poll, failure) ->
                            context.runInFuture(() -> context.loop().post(() -> {
                                if (poll == null) {
                                    LOG.debug(
                                            "namespace '{}': reading the leases has failed",
                                            context.settings().namespace(),
                                            failure);
                                    readQueuesAgain(part);
                                    failed.accept(part);
                                } else {
                                    deliver(poll);
                                    seen.accept(poll);
                                }
                            })));
        }
    }
}
