package dev.leasehold.engine.internal.lease;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Granted;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.commit.OperationResult;
import dev.leasehold.engine.internal.lease.EventLoop.Timer;
import dev.leasehold.engine.internal.metrics.EngineEvent.HandedOver;
import dev.leasehold.engine.internal.rules.LogContext;
import dev.leasehold.engine.internal.store.LeaseChange;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wait queue of one lease: its pending acquires in arrival order. One attempt runs at a time, for the first of them. A refusal
 * applies to every acquire that arrived before the attempt began. Event loop only.
 *
 * <p>States and transitions:
 * <ul>
 *   <li><b>idle</b>: no attempt runs. A wake-up (new acquire, release, change, poll or timer) starts an attempt, unless a release that
 *       keeps the lease free is still pending here.
 *   <li><b>attempting</b>: wake-ups are remembered. A grant, a refusal, a failure or a cancelled attempt leads back to idle; a
 *       remembered wake-up starts the next attempt at once.
 *   <li><b>empty</b>: the last acquire was answered and no attempt runs. The listener removes the queue.
 * </ul>
 */
final class AcquireQueue {

    private static final Logger LOG = LoggerFactory.getLogger(AcquireQueue.class);

    private final String name;
    private final LeaseContext context;
    private final HeldLeases heldLeases;
    private final Releaser releaser;
    private final Listener listener;
    private final PendingAcquires pending;
    private @Nullable AcquireAttempt acquireAttempt;
    private boolean attemptDue;
    private boolean hasWaited;
    private @Nullable Timer wakeTimer;
    private @Nullable LeaseState lastSeen;
    private @Nullable Long freedNanos;
    /** The latest change of the lease reported since the current attempt began. */
    private LeaseChange.@Nullable OfLease changeDuringAttempt;

    /** Is called on the event loop. */
    interface Listener {
        void onEnqueued();

        void onAnswered();

        /** For the first time an acquire keeps waiting after an attempt. */
        void onFirstWait();

        /** A session lease was refused, and acquires keep waiting for it. */
        void onRefusedBySession();

        /** The tenure just granted may have been ended already. */
        void onPossiblyLost(HeldLease heldLease);

        /** No acquire is pending and no attempt runs. */
        void onEmpty(AcquireQueue queue);
    }

    AcquireQueue(String name, LeaseContext context, HeldLeases heldLeases, Releaser releaser, Listener listener) {
        this.name = name;
        this.context = context;
        this.heldLeases = heldLeases;
        this.releaser = releaser;
        this.listener = listener;
        this.pending = new PendingAcquires(context, listener::onAnswered);
    }

    String name() {
        return name;
    }

    /** Whether an acquire ever kept waiting here after an attempt. */
    boolean hasWaited() {
        return hasWaited;
    }

    /** Whether no attempt runs, so that a poll tells something new. */
    boolean isIdle() {
        return acquireAttempt == null;
    }

    /** Whether the lease was last seen as a session lease, or its last state is unknown or not held. */
    boolean waitsForSession() {
        return !(lastSeen instanceof LeaseState.Held held) || held.session();
    }

    void enqueue(PendingAcquire acquire) {
        pending.add(acquire);
        listener.onEnqueued();
        if (acquire.endNanos() > acquire.arrivedNanos()) {
            acquire.timer(context.loop().at(acquire.endNanos(), () -> onWaitEnd(acquire)));
        } else {
            scheduleHardEnd(acquire);
        }
        wake();
    }

    /** Starts an attempt, now or after the running one. */
    void wake() {
        attemptDue = true;
        proceed();
    }

    /** The lease was reported as released. */
    void onFreed() {
        if (freedNanos == null) {
            freedNanos = context.nowNanos();
        }
        wake();
    }

    /** The lease has changed. A change that ends what the running attempt is being granted is reported only this once. */
    void onChange(LeaseChange.OfLease change) {
        changeDuringAttempt = change;
        if (change instanceof LeaseChange.Freed freed) {
            context.partitions().noteVacant(freed);
            onFreed();
        }
    }

    /** The state of the lease as read by a poll over all wait queues. */
    void onPolled(LeaseState state) {
        if (isTakeable(state)) {
            wake();
        } else {
            scheduleWake(state);
        }
    }

    private static boolean isTakeable(LeaseState state) {
        return switch (state.status()) {
            case FREE ->
                !(state instanceof LeaseState.Vacant vacant)
                        || vacant.pins().isEmpty() && vacant.keptFreeUntil() == null;
            case EXPIRED ->
                !(state instanceof LeaseState.Held held) || held.pins().isEmpty();
            case ACTIVE -> false;
            // The attempt fails and so tells the waiters.
            case CORRUPT -> true;
        };
    }

    private void proceed() {
        if (acquireAttempt == null && attemptDue && !pending.isEmpty() && !releaser.isKeepingFree(name)) {
            attemptDue = false;
            PendingAcquire next = pending.next();
            next.maySupersede(false);
            changeDuringAttempt = null;
            acquireAttempt = new AcquireAttempt(context, next, pending.lastPosition(), this::onAttemptEnded);
            acquireAttempt.send();
        } else if (acquireAttempt == null && pending.isEmpty()) {
            scheduleWake(null);
            listener.onEmpty(this);
        }
    }

    private void onAttemptEnded(
            AcquireAttempt ended, @Nullable OperationResult result, @Nullable LeaseException failure) {
        acquireAttempt = null;
        if (result == null) {
            failed(ended, Objects.requireNonNull(failure, "no reply without a failure"));
        } else if (result.refusal() != null) {
            refused(ended, result.refusal());
        } else {
            granted(
                    ended,
                    Objects.requireNonNull(result.tenure(), "a granted acquisition names its tenure"),
                    result.stripes());
        }
        noteStillWaiting();
        proceed();
    }

    private void noteStillWaiting() {
        if (!hasWaited && pending.anyAttempted()) {
            hasWaited = true;
            listener.onFirstWait();
        }
    }

    // ---- granted ----

    private void granted(AcquireAttempt granted, Tenure tenure, int stripes) {
        if (releaser.isReleasing(tenure)) {
            // A release of the same tenure is pending; its end wakes this queue.
            pending.endOverdue();
            return;
        }
        List<PendingAcquire> recipients = eligible(granted, tenure);
        if (recipients.isEmpty()) {
            releaser.release(tenure);
            LOG.debug("{}: granted, but no acquire waits for it any more", LogContext.of(tenure));
        } else {
            recordHandOver();
            HeldLease heldLease = heldLeases.begin(tenure, granted.acquire().spec(), stripes);
            recipients.forEach(recipient -> pending.grant(recipient, heldLeases.open(heldLease)));
            loseIfEndReported(heldLease);
            scheduleWake(null);
        }
        // No event may report the end of this tenure, and a former one is not released: acquires without an attempt
        // need one.
        attemptDue |= !pending.allAttempted();
    }

    private void loseIfEndReported(HeldLease heldLease) {
        if (changeDuringAttempt != null && !changeDuringAttempt.wasLookedAt()) {
            listener.onPossiblyLost(heldLease);
        } else if (changeDuringAttempt != null && changeDuringAttempt.showsTheEndOf(heldLease.tenure())) {
            heldLeases.lose(heldLease, Reason.TAKEN_OVER, null);
        }
    }

    /**
     * The acquires that get the tenure: all of its holder. If its validity had ended when the answer came, another holder may
     * have had the lease since, so only acquires that arrived before the attempt get it.
     */
    private List<PendingAcquire> eligible(AcquireAttempt granted, Tenure tenure) {
        List<PendingAcquire> ofHolder = pending.of(tenure.holder());
        return context.partitions().remainingNanos(tenure) > 0
                ? ofHolder
                : ofHolder.stream().filter(granted::covers).toList();
    }

    private void recordHandOver() {
        if (freedNanos != null) {
            context.metrics().record(new HandedOver(context.nowNanos() - freedNanos));
            freedNanos = null;
        }
    }

    // ---- refused ----

    private void refused(AcquireAttempt refused, Refusal refusal) {
        if (!attemptDue) {
            freedNanos = null;
        }
        scheduleWake(refusal.state());
        for (PendingAcquire acquire : pending.all()) {
            if (acquire.couldSupersede(refusal.state()) && !refused.acquire().couldSupersede(refusal.state())) {
                acquire.maySupersede(true);
                attemptDue = true;
            } else if (refused.covers(acquire)) {
                acquire.refused(refusal);
                endIfOver(acquire);
            }
        }
        if (refusal.state() instanceof LeaseState.Held held && held.session() && !pending.isEmpty()) {
            listener.onRefusedBySession();
        }
    }

    /** Sets the timer to just after the bound. A bound that had passed when it was read did not help, so an event must wake the queue. */
    private void scheduleWake(@Nullable LeaseState state) {
        lastSeen = state;
        if (wakeTimer != null) {
            context.loop().cancel(wakeTimer);
            wakeTimer = null;
        }
        Instant last = takeableAfter(state);
        if (last != null) {
            long boundNanos = nanos(last);
            if (boundNanos < Long.MAX_VALUE && (boundNanos >= context.nowNanos() || wasPending(state))) {
                wakeTimer = context.loop().at(boundNanos + 1, this::wake);
            }
        }
    }

    /** The instant after which the lease may be taken; null if unknown. */
    private static @Nullable Instant takeableAfter(@Nullable LeaseState state) {
        if (state instanceof LeaseState.Held held) {
            return held.latestExpiry();
        }
        return state instanceof LeaseState.Vacant vacant ? vacant.keptFreeUntil() : null;
    }

    /** Whether the bound was in the future when the lease was read. The engine's own session stays active past its bound. */
    private static boolean wasPending(@Nullable LeaseState state) {
        return !(state instanceof LeaseState.Held held) || held.status() == LeaseStatus.ACTIVE && !held.session();
    }

    private static long nanos(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
    }

    // ---- failed ----

    private void failed(AcquireAttempt failed, LeaseException failure) {
        PendingAcquire acquire = failed.acquire();
        if (failure instanceof LeaseOutcomeUnknownException unknown) {
            releaseIfLanded(failed, unknown);
        }
        if (!pending.has(acquire)) {
            attemptDue = true;
        } else if (isTransient(failure) && context.nowNanos() < acquire.endNanos()) {
            acquire.failed(failure);
            context.loop().at(context.inNanos(context.backoffNanos(acquire.failures())), this::wake);
        } else {
            pending.fail(acquire, failure);
            attemptDue = true;
        }
    }

    private static boolean isTransient(LeaseException failure) {
        return failure instanceof LeaseUnavailableException || failure instanceof LeaseContentionException;
    }

    /** The caller gets an exception, so a grant that landed must be released. */
    private void releaseIfLanded(AcquireAttempt failed, LeaseOutcomeUnknownException unknown) {
        unknown.resolution().whenComplete((answer, failure) -> {
            if (answer instanceof Granted granted) {
                context.loop().post(() -> releaser.releaseUntold(granted.tenure()));
            } else if (isForeverUnknown(failure) && failed.intendedTenure() != null) {
                // If it landed, the session would keep it for ever.
                context.loop().post(() -> releaser.releaseUntold(Objects.requireNonNull(failed.intendedTenure())));
            }
        });
    }

    private static boolean isForeverUnknown(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof LeaseStoreException;
    }

    // ---- the end of a wait ----

    private void onWaitEnd(PendingAcquire acquire) {
        if (!pending.has(acquire)) {
            return;
        }
        // The first attempt is made in any case, and one whose commit was sent may still be granted.
        if (acquire.wasAttempted() && cancelAttempt(acquire)) {
            pending.end(acquire);
        } else {
            scheduleHardEnd(acquire);
        }
        proceed();
    }

    /** Whether no attempt of this acquire can still take effect. */
    private boolean cancelAttempt(PendingAcquire acquire) {
        if (acquireAttempt == null || acquireAttempt.acquire() != acquire) {
            return true;
        }
        if (acquireAttempt.cancel()) {
            acquireAttempt = null;
            attemptDue = true;
            return true;
        }
        return false;
    }

    private void scheduleHardEnd(PendingAcquire acquire) {
        acquire.timer(context.loop().at(acquire.hardEndNanos(), () -> onHardEnd(acquire)));
    }

    private void onHardEnd(PendingAcquire acquire) {
        boolean attempting = acquireAttempt != null && acquireAttempt.acquire() == acquire;
        if (pending.has(acquire) && !attempting) {
            pending.end(acquire);
            proceed();
        }
    }

    private void endIfOver(PendingAcquire acquire) {
        if (context.nowNanos() >= acquire.endNanos()) {
            pending.end(acquire);
        }
    }

    /** The caller cancelled. A tenure that its attempt was granted is released when the answer arrives. */
    boolean cancel(PendingAcquire acquire) {
        if (!pending.has(acquire)) {
            return false;
        }
        pending.cancel(acquire);
        cancelAttempt(acquire);
        proceed();
        return true;
    }

    /** The engine is closed. */
    void close(LeaseException closed) {
        pending.all().forEach(acquire -> pending.fail(acquire, closed));
        scheduleWake(null);
        if (acquireAttempt != null && acquireAttempt.cancel()) {
            acquireAttempt = null;
        }
        proceed();
    }
}
