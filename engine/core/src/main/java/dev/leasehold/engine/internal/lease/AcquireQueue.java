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
 * Those who wait for one lease, in the order in which they came. One attempt at a time is made, by the first of them; its refusal
 * answers all who had arrived before it began. Between attempts the line sleeps until something says that a look is
 * worthwhile. Of the agenda's thread alone.
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
    private boolean lookWorthwhile;
    private boolean hasWaited;
    private @Nullable Timer wakeTimer;
    private @Nullable LeaseState lastSeen;
    private @Nullable Long freedNanos;
    /** The newest that was told of the lease since the present attempt began. */
    private LeaseChange.@Nullable OfLease changeDuringAttempt;

    /** Hears who comes and goes. */
    interface Listener {
        void onEnqueued();

        void onAnswered();

        /** For the first time somebody goes on waiting after a look. */
        void onFirstWait();

        /** Somebody goes on waiting for a lease that a session keeps. */
        void onRefusedBySession();

        /** Somebody may have ended what was just granted. */
        void onPossiblyLost(HeldLease heldLease);

        /** Nobody is left. */
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

    /** Whether anybody in it ever went on waiting after a look. */
    boolean hasWaited() {
        return hasWaited;
    }

    /** Nobody is looking, so that a look by others tells something. */
    boolean isIdle() {
        return acquireAttempt == null;
    }

    /** Whether the lease was last seen to be kept by somebody's session. */
    boolean waitsForSession() {
        return !(lastSeen instanceof LeaseState.Held held) || held.session();
    }

    void enqueue(PendingAcquire acquire) {
        pending.add(acquire);
        listener.onEnqueued();
        if (acquire.endNanos() > acquire.arrivedNanos()) {
            acquire.timer(context.loop().at(acquire.endNanos(), () -> waitOver(acquire)));
        } else {
            scheduleHardEnd(acquire);
        }
        wake();
    }

    /** A look is worthwhile. */
    void wake() {
        lookWorthwhile = true;
        proceed();
    }

    /** The lease was given up, so somebody says. */
    void onFreed() {
        if (freedNanos == null) {
            freedNanos = context.nowNanos();
        }
        wake();
    }

    /** Somebody has changed the lease. What the attempt under way is granted may be over by then, and that is not told again. */
    void onChange(LeaseChange.OfLease change) {
        changeDuringAttempt = change;
        if (change instanceof LeaseChange.Freed freed) {
            context.operations().noteVacant(freed);
            onFreed();
        }
    }

    /** How the lease stood at a look that was made for all who wait for anything. */
    void onPolled(LeaseState state) {
        if (mayBeTaken(state)) {
            wake();
        } else {
            scheduleWake(state);
        }
    }

    private static boolean mayBeTaken(LeaseState state) {
        return switch (state.status()) {
            case FREE ->
                !(state instanceof LeaseState.Vacant vacant)
                        || vacant.pins().isEmpty() && vacant.keptFreeUntil() == null;
            case EXPIRED ->
                !(state instanceof LeaseState.Held held) || held.pins().isEmpty();
            case ACTIVE -> false;
            // Its waiters are to be told.
            case CORRUPT -> true;
        };
    }

    private void proceed() {
        if (acquireAttempt == null && lookWorthwhile && !pending.isEmpty() && !releaser.isKeepingFree(name)) {
            lookWorthwhile = false;
            PendingAcquire next = pending.next();
            next.maySupersede(false);
            changeDuringAttempt = null;
            acquireAttempt = new AcquireAttempt(context, next, pending.lastPosition(), this::ended);
            acquireAttempt.send();
        } else if (acquireAttempt == null && pending.isEmpty()) {
            scheduleWake(null);
            listener.onEmpty(this);
        }
    }

    private void ended(AcquireAttempt ended, @Nullable OperationResult result, @Nullable LeaseException failure) {
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

    // ---- yes ----

    private void granted(AcquireAttempt granted, Tenure tenure, int stripes) {
        if (releaser.isReleasing(tenure)) {
            // An end of the same tenure is on its way; when it is over this line is woken.
            pending.endOverdue();
            return;
        }
        List<PendingAcquire> takers = eligible(granted, tenure);
        if (takers.isEmpty()) {
            releaser.release(tenure);
            LOG.debug("{}: granted, but nobody waits for it any more", LogContext.of(tenure));
        } else {
            noteHandOver();
            HeldLease heldLease = heldLeases.begin(tenure, granted.acquire().spec(), stripes);
            takers.forEach(taker -> pending.grant(taker, heldLeases.open(heldLease)));
            loseIfEndReported(heldLease);
            scheduleWake(null);
        }
        // Nobody may come to hear of an end: what was there before is not given back.
        lookWorthwhile |= !pending.allAttempted();
    }

    private void loseIfEndReported(HeldLease heldLease) {
        if (changeDuringAttempt != null && !changeDuringAttempt.wasLookedAt()) {
            listener.onPossiblyLost(heldLease);
        } else if (changeDuringAttempt != null && changeDuringAttempt.showsTheEndOf(heldLease.tenure())) {
            heldLeases.lose(heldLease, Reason.TAKEN_OVER, null);
        }
    }

    /** If its time was over when the answer came, others may have had it since: it is for those alone who had asked before. */
    private List<PendingAcquire> eligible(AcquireAttempt granted, Tenure tenure) {
        List<PendingAcquire> owners = pending.of(tenure.holder());
        return context.operations().remainingNanos(tenure) > 0
                ? owners
                : owners.stream().filter(granted::covers).toList();
    }

    private void noteHandOver() {
        if (freedNanos != null) {
            context.metrics().record(new HandedOver(context.nowNanos() - freedNanos));
            freedNanos = null;
        }
    }

    // ---- no ----

    private void refused(AcquireAttempt refused, Refusal refusal) {
        if (!lookWorthwhile) {
            freedNanos = null;
        }
        scheduleWake(refusal.state());
        for (PendingAcquire acquire : pending.all()) {
            if (acquire.couldSupersede(refusal.state()) && !refused.acquire().couldSupersede(refusal.state())) {
                acquire.maySupersede(true);
                lookWorthwhile = true;
            } else if (refused.covers(acquire)) {
                acquire.refused(refusal);
                endIfOver(acquire);
            }
        }
        if (refusal.state() instanceof LeaseState.Held held && held.session() && !pending.isEmpty()) {
            listener.onRefusedBySession();
        }
    }

    /** Sleeps until the instant after the bound. One that had passed before did not help, so others have to wake the line. */
    private void scheduleWake(@Nullable LeaseState state) {
        lastSeen = state;
        if (wakeTimer != null) {
            context.loop().cancel(wakeTimer);
            wakeTimer = null;
        }
        Instant last = takeableAfter(state);
        if (last != null) {
            long boundNanos = nanos(last);
            if (boundNanos < Long.MAX_VALUE && (boundNanos >= context.nowNanos() || hadNotPassed(state))) {
                wakeTimer = context.loop().at(boundNanos + 1, this::wake);
            }
        }
    }

    /** After which the lease may be taken, as far as that is known. */
    private static @Nullable Instant takeableAfter(@Nullable LeaseState state) {
        if (state instanceof LeaseState.Held held) {
            return held.latestExpiry();
        }
        return state instanceof LeaseState.Vacant vacant ? vacant.keptFreeUntil() : null;
    }

    /** Whether the bound was yet to come when the lease was seen. An engine's own session is active for it past its bound too. */
    private static boolean hadNotPassed(@Nullable LeaseState state) {
        return !(state instanceof LeaseState.Held held) || held.status() == LeaseStatus.ACTIVE && !held.session();
    }

    private static long nanos(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
    }

    // ---- neither ----

    private void failed(AcquireAttempt failed, LeaseException failure) {
        PendingAcquire acquire = failed.acquire();
        if (failure instanceof LeaseOutcomeUnknownException unknown) {
            releaseIfLanded(failed, unknown);
        }
        if (!pending.has(acquire)) {
            lookWorthwhile = true;
        } else if (mayPass(failure) && context.nowNanos() < acquire.endNanos()) {
            acquire.failed(failure);
            context.loop().at(context.inNanos(context.backoffNanos(acquire.failures())), this::wake);
        } else {
            pending.fail(acquire, failure);
            lookWorthwhile = true;
        }
    }

    private static boolean mayPass(LeaseException failure) {
        return failure instanceof LeaseUnavailableException || failure instanceof LeaseContentionException;
    }

    /** The caller was told that it does not hold the lease. */
    private void releaseIfLanded(AcquireAttempt failed, LeaseOutcomeUnknownException unknown) {
        unknown.resolution().whenComplete((answer, failure) -> {
            if (answer instanceof Granted granted) {
                context.loop().post(() -> releaser.release(granted.tenure()));
            } else if (isForeverUnknown(failure) && failed.intendedTenure() != null) {
                // The session would keep it for ever.
                context.loop().post(() -> releaser.release(Objects.requireNonNull(failed.intendedTenure())));
            }
        });
    }

    private static boolean isForeverUnknown(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof LeaseStoreException;
    }

    // ---- the end of a wait ----

    private void waitOver(PendingAcquire acquire) {
        if (!pending.has(acquire)) {
            return;
        }
        // Its first attempt is made in any case, and one whose commit was sent counts.
        if (acquire.wasAttempted() && cancelAttempt(acquire)) {
            pending.end(acquire);
        } else {
            scheduleHardEnd(acquire);
        }
        proceed();
    }

    /** Whether nothing is under way for it that could still take effect. */
    private boolean cancelAttempt(PendingAcquire acquire) {
        if (acquireAttempt == null || acquireAttempt.acquire() != acquire) {
            return true;
        }
        if (acquireAttempt.cancel()) {
            acquireAttempt = null;
            lookWorthwhile = true;
            return true;
        }
        return false;
    }

    private void scheduleHardEnd(PendingAcquire acquire) {
        acquire.timer(context.loop().at(acquire.hardEndNanos(), () -> hardEnd(acquire)));
    }

    private void hardEnd(PendingAcquire acquire) {
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

    /** Its caller went. What may have been granted for it by now is given back when that is known. */
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
