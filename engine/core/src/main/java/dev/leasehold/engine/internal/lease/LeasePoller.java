package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.internal.commit.LeaseReader;
import dev.leasehold.engine.internal.commit.PollResult;
import dev.leasehold.engine.internal.lease.EventLoop.Timer;
import java.util.Collection;
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
 * Looks by itself, for whatever no message tells of: now and then at all leases that somebody waits for, and at those held
 * here when there are no messages at all. Of the agenda's thread alone.
 */
final class LeasePoller {

    private static final Logger LOG = LoggerFactory.getLogger(LeasePoller.class);

    private static final long WAITING_PERIOD_NANOS = 5_000_000_000L;
    /** After a refusal because of a session, whose next heartbeat is to be seen soon. Most waits are over by then. */
    private static final long FIRST_LOOK_NANOS = 100_000_000;

    private static final long HOLDING_PERIOD_NANOS = 30_000_000_000L;
    /** Most suspicions come from an engine's own writes, and are about leases that are given up again soon. */
    private static final long SUSPENSE_NANOS = 50_000_000;
    /** After a look that failed, which has most often taken its whole time. */
    private static final long LOOK_AGAIN_NANOS = 1_000_000_000;

    private final LeaseContext context;
    private final AcquireQueues queues;
    private final HeldLeases heldLeases;
    private @Nullable Timer waitedTimer;
    private @Nullable Timer heldTimer;
    private @Nullable Timer verifyTimer;
    private final Set<HeldLease> possiblyLost = new LinkedHashSet<>();
    private boolean changesUnavailable;

    LeasePoller(LeaseContext context, AcquireQueues queues, HeldLeases heldLeases) {
        this.context = context;
        this.queues = queues;
        this.heldLeases = heldLeases;
    }

    /** Whether nobody tells of changes from now on. */
    void changesUnavailable(boolean blind) {
        this.changesUnavailable = blind;
        if (!blind && heldTimer != null) {
            context.loop().cancel(heldTimer);
            heldTimer = null;
        }
    }

    /** Sets the next looks, if there is anything to look at. */
    void schedule() {
        if (waitedTimer == null && !queues.isEmpty()) {
            pollWaitedBy(context.inNanos(WAITING_PERIOD_NANOS));
        }
        verifySoon(queues.pollPossiblyLost());
        if (queues.pollRefusedBySession()) {
            pollWaitedBy(context.inNanos(FIRST_LOOK_NANOS));
        }
        if (changesUnavailable && heldTimer == null && heldLeases.count() > 0) {
            heldTimer = context.loop().at(context.inNanos(HOLDING_PERIOD_NANOS), this::pollHeld);
        }
    }

    private void pollWaitedBy(long atNanos) {
        if (waitedTimer != null && waitedTimer.atNanos() > atNanos) {
            context.loop().cancel(waitedTimer);
            waitedTimer = null;
        }
        if (waitedTimer == null) {
            waitedTimer = context.loop().at(atNanos, this::pollWaited);
        }
    }

    private void pollWaited() {
        waitedTimer = null;
        poll(queues.idleNames(), this::deliver, names -> {});
    }

    private void deliver(PollResult poll) {
        poll.states().forEach(this::deliver);
        if (poll.nextNanos() < Long.MAX_VALUE && !queues.isEmpty()) {
            pollWaitedBy(poll.nextNanos());
        }
    }

    private void deliver(LeaseState state) {
        queues.withQueue(state.name(), queue -> {
            // Who is looking by now will know better.
            if (queue.isIdle()) {
                queue.onPolled(state);
            }
        });
    }

    private void pollHeld() {
        heldTimer = null;
        verify(heldLeases.all());
    }

    /** Somebody may have ended these. */
    void verifySoon(Collection<HeldLease> holdings) {
        verifySoon(holdings, SUSPENSE_NANOS);
    }

    private void verifySoon(Collection<HeldLease> holdings, long forNanos) {
        possiblyLost.addAll(holdings);
        if (verifyTimer == null && !possiblyLost.isEmpty()) {
            verifyTimer = context.loop().at(context.inNanos(forNanos), this::pollPossiblyLost);
        }
    }

    private void pollPossiblyLost() {
        verifyTimer = null;
        List<HeldLease> present = possiblyLost.stream().filter(heldLeases::has).toList();
        possiblyLost.clear();
        verify(present);
    }

    /** Something may have been missed about all that is held. */
    void verifyAll() {
        verifySoon(heldLeases.all());
    }

    /** Looks whether tenures still stand. */
    private void verify(Collection<HeldLease> suspects) {
        // One that began after the read was sent is not among the suspects: the read may not have seen it.
        Map<String, List<HeldLease>> byName = suspects.stream()
                .collect(Collectors.groupingBy(
                        heldLease -> heldLease.tenure().name(), LinkedHashMap::new, Collectors.toList()));
        poll(
                byName.keySet(),
                poll -> poll.states()
                        .forEach(state -> Objects.requireNonNull(byName.get(state.name())).stream()
                                .filter(heldLease -> !isHeldIn(state, heldLease))
                                .forEach(heldLease -> heldLeases.lose(heldLease, Reason.TAKEN_OVER, null))),
                names -> names.forEach(name -> verifyAgain(Objects.requireNonNull(byName.get(name)))));
    }

    /** The word that raised the suspicion does not come twice. */
    private void verifyAgain(Collection<HeldLease> holdings) {
        verifySoon(holdings, LOOK_AGAIN_NANOS);
    }

    private static boolean isHeldIn(LeaseState state, HeldLease heldLease) {
        return state instanceof LeaseState.Corrupt
                || state instanceof LeaseState.Held held && held.tenure().equals(heldLease.tenure());
    }

    /**
     * Looks at leases.
     *
     * @param seen gets what each read has shown
     * @param failed gets the names of all that shared a read which has shown nothing
     */
    private void poll(Set<String> names, Consumer<PollResult> seen, Consumer<Set<String>> failed) {
        for (Set<String> part : LeaseReader.parts(names)) {
            context.operations()
                    .poll(part, context.budgetEndNanos())
                    .forEach(read ->
                            read.whenComplete((poll, failure) -> context.loop().post(() -> {
                                if (poll == null) {
                                    LOG.debug(
                                            "namespace '{}': a look at the leases has failed",
                                            context.settings().namespace(),
                                            failure);
                                    failed.accept(part);
                                } else {
                                    seen.accept(poll);
                                }
                            })));
        }
    }
}
