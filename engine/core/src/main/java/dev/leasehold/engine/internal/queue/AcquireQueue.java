package dev.leasehold.engine.internal.queue;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Granted;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.commit.OperationResult;
import dev.leasehold.engine.internal.eventloop.EventLoop.Timer;
import dev.leasehold.engine.internal.eventloop.LeaseContext;
import dev.leasehold.engine.internal.eventloop.Submission;
import dev.leasehold.engine.internal.held.HeldLease;
import dev.leasehold.engine.internal.held.HeldLeases;
import dev.leasehold.engine.internal.held.LeaseHandle;
import dev.leasehold.engine.internal.held.Releaser;
import dev.leasehold.engine.internal.metrics.EngineEvent.HandOverKind;
import dev.leasehold.engine.internal.metrics.EngineEvent.HandedOver;
import dev.leasehold.engine.internal.metrics.OperationOutcome;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.rules.WaitQueue.QueueView;
import dev.leasehold.engine.internal.runtime.LogContext;
import dev.leasehold.engine.internal.store.LeaseChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a lease's wait queue that this engine knows: its pending acquires, by priority and then in arrival order, and their tickets in the queue
 * of all engines. One attempt runs at a time, for the first of them. A refusal applies to every acquire that arrived before the attempt began.
 * Event loop only.
 *
 * <p>States and transitions:
 * <ul>
 *   <li><b>idle</b>: no attempt runs. A wake-up (new acquire, release, change, poll or timer) starts an attempt, unless a release of
 *       the lease is still pending here: it may begin the next tenure for the first of them.
 *   <li><b>attempting</b>: wake-ups are remembered. A grant, a refusal, a failure or a cancelled attempt leads back to idle; a
 *       remembered wake-up starts the next attempt at once.
 *   <li><b>empty</b>: the last acquire was answered and no attempt runs. The queue is removed.
 * </ul>
 */
final class AcquireQueue {

    private static final Logger LOG = LoggerFactory.getLogger(AcquireQueue.class);

    /** How much later than the first waiter each next one tries to acquire a lease that is vacant. */
    private static final long DELAY_NANOS = 20_000_000;

    private static final int DELAYS_MAX = 25;

    /** How long a waiter near the head sends heartbeats often after each read. */
    private static final long HASTENED_NANOS = 6_000_000_000L;

    private static final Comparator<PendingAcquire> ORDER =
            Comparator.comparingInt(PendingAcquire::priority).reversed().thenComparingLong(PendingAcquire::position);

    private final String name;
    private final LeaseContext context;
    private final HeldLeases heldLeases;
    private final Releaser releaser;
    private final AcquireQueues queues;
    /** In the order of arrival. */
    private final Set<PendingAcquire> pending = new LinkedHashSet<>();

    private long arrivals;
    private @Nullable AcquireAttempt attempt;
    /** The attempt whose answer is being passed on; the one for which an error ended that. */
    private AcquireAttempt.@Nullable Answered answering;

    private boolean attemptDue;
    private boolean hasWaited;
    private @Nullable Timer wakeTimer;
    private @Nullable LeaseState lastSeen;
    private final LeaseTickets tickets;
    /** Wakes those that are not the first. */
    private @Nullable Timer turn;
    /** The latest change of the lease reported since the current attempt began. */
    private LeaseChange.@Nullable OfLease changeDuringAttempt;

    AcquireQueue(String name, LeaseContext context, HeldLeases heldLeases, Releaser releaser, AcquireQueues queues) {
        this.name = name;
        this.context = context;
        this.heldLeases = heldLeases;
        this.releaser = releaser;
        this.queues = queues;
        this.tickets = new LeaseTickets(name, context, queues);
    }

    String name() {
        return name;
    }

    /** Whether an acquire ever kept waiting here after an attempt. */
    boolean hasWaited() {
        return hasWaited;
    }

    boolean isPending(PendingAcquire acquire) {
        return pending.contains(acquire);
    }

    /** Whether no attempt runs, so that a poll tells something new. */
    boolean isIdle() {
        return attempt == null;
    }

    /** Whether the lease was last seen as a session lease, or its last state is unknown or not held. */
    boolean waitsForSession() {
        return !(lastSeen instanceof LeaseState.Held) || TakeableLease.isSessionLease(lastSeen);
    }

    void enqueue(PendingAcquire acquire) {
        acquire.enqueuedAt(++arrivals);
        pending.add(acquire);
        queues.onEnqueued();
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

    /** The lease may be vacant: wakes the first waiter of all engines at once, and the others one after the other. */
    void onFreed() {
        long delayNanos = Math.min(tickets.view().position(), DELAYS_MAX) * DELAY_NANOS;
        if (delayNanos == 0) {
            wake();
        } else if (turn == null) {
            turn = context.after(delayNanos, () -> {
                turn = null;
                wake();
            });
        }
    }

    private void cancelTurn() {
        context.loop().cancel(turn);
        turn = null;
    }

    /** The lease has changed. A change that ends what the running attempt is being granted is reported only this once. */
    void onChange(LeaseChange.OfLease change) {
        changeDuringAttempt = change;
        if (change instanceof LeaseChange.Freed freed) {
            context.partitions().noteVacant(freed);
            onFreed();
        } else {
            cancelTurn();
        }
    }

    /** The lease and its queue as read by a poll. */
    void onPolled(LeaseState state, QueueView seen) {
        tickets.seen(seen);
        boolean lost = tickets.dropLost();
        if (TakeableLease.isTakeable(state)) {
            onFreed();
        } else {
            scheduleWake(state);
            if (state instanceof LeaseState.Held && !lost) {
                tickets.send(inOrder());
            }
        }
        if (seen.isNear()) {
            // Not from now on: there may have been a pause since.
            context.partitions().hasten(name, seen.sentNanos() + HASTENED_NANOS);
            if (seen.position() == 0 && !seen.absent().isEmpty()) {
                queues.tickets().dropAbsent(name, seen.absent());
            }
        }
    }

    /** Goes on with what was remembered, unless an attempt runs or a release is pending. */
    void proceed() {
        if (attempt != null) {
            return;
        }
        if (pending.isEmpty()) {
            scheduleWake(null);
            cancelTurn();
            queues.onEmpty(this);
        } else if (attemptDue && releaser.isReleasing(name)) {
            // It follows the answer to the release.
            releaser.hasten(name);
        } else if (attemptDue) {
            attemptDue = false;
            cancelTurn();
            PendingAcquire next = next();
            next.maySupersede(false);
            boolean heard = next.mayHaveTicket() && tickets.isHeard(next.holder());
            tickets.forgetHeard();
            changeDuringAttempt = null;
            long deadlineNanos = Math.min(context.operations().deadlineNanos(), next.hardEndNanos());
            Submission submission =
                    new Submission(context, tickets.withTicket(next), deadlineNanos, this::onAttemptEnded);
            attempt = new AcquireAttempt(next, arrivals, heard, submission);
            submission.send();
        }
    }

    /** The acquire for the next attempt: one that was granted, else the first that may supersede, else the first. */
    private PendingAcquire next() {
        List<PendingAcquire> inOrder = inOrder();
        return inOrder.stream()
                .filter(acquire -> acquire.mayHaveTicket() && tickets.isHeard(acquire.holder()))
                .findFirst()
                .or(() -> inOrder.stream().filter(PendingAcquire::maySupersede).findFirst())
                .orElseGet(() -> inOrder.get(0));
    }

    private List<PendingAcquire> inOrder() {
        return pending.stream().sorted(ORDER).toList();
    }

    // ---- tickets ----

    /** Those for which a release of this engine may begin the next tenure: all with tickets, and the first of each holder without. */
    List<Request.Acquire> waiting() {
        Map<String, Request.Acquire> byHolder = new LinkedHashMap<>();
        long nowNanos = context.nowNanos();
        for (PendingAcquire acquire : inOrder()) {
            // One that does not wait any more is refused by its own attempt.
            if (acquire.mayHaveTicket() && nowNanos < acquire.endNanos()) {
                byHolder.computeIfAbsent(acquire.holder(), holder -> tickets.withTicket(acquire));
            }
        }
        return List.copyOf(byHolder.values());
    }

    private void closeTicket(String holder, boolean held) {
        boolean waits = pending.stream().anyMatch(acquire -> acquire.mayWaitAs(holder));
        if (waits || tickets.close(holder, held)) {
            // Another may need its room, or wait for the same holder and ask for something else.
            tickets.send(inOrder());
        }
    }

    /** Whether the lease is near for this engine, which then reads it often. */
    boolean isNear() {
        return tickets.view().isNear();
    }

    /** The lease was granted to a ticket of this engine. False: no waiter has it. */
    boolean hear(String writer, long stampNanos) {
        boolean waits = tickets.hear(writer, stampNanos);
        if (waits && (attempt == null || !attempt.follows(stampNanos))) {
            wake();
        }
        return waits;
    }

    /** A release of this engine has granted the lease to another one. */
    void onGrantedAway() {
        tickets.seen(QueueView.NONE);
        tickets.send(inOrder());
    }

    /** A release of this engine has begun the next tenure for one of these. */
    void onNext(Tenure tenure, int stripes) {
        List<PendingAcquire> recipients = inOrder().stream()
                .filter(acquire -> acquire.mayWaitAs(tenure.holder()))
                .toList();
        if (recipients.isEmpty()) {
            releaser.release(tenure, Releaser.Manner.READING_FIRST);
        } else {
            // What an attempt of theirs would be granted as well, no waiter would want.
            recipients.forEach(this::cancelAttempt);
            begin(tenure, recipients.get(0).request(), stripes, recipients, false);
        }
        if (attempt != null && !pending.contains(attempt.acquire())) {
            // It waited for the end of the release, and would begin a tenure that no acquire waits for.
            cancelAttempt(attempt.acquire());
        }
        proceed();
    }

    private void onAttemptEnded(@Nullable OperationResult result, @Nullable Throwable failure) {
        AcquireAttempt ended = Objects.requireNonNull(attempt, "only the present attempt is answered");
        answering = new AcquireAttempt.Answered(ended, result, failure);
        attempt = null;
        ended.acquire().priorStatus(ended.submission().operation().priorStatus());
        if (result == null) {
            failed(ended, ended.asLeaseException(failure));
        } else if (result.refusal() != null) {
            refused(ended, result.refusal());
        } else {
            Tenure tenure = Objects.requireNonNull(result.tenure(), "a granted acquisition names its tenure");
            granted(ended, tenure, result.stripes());
        }
        if (!hasWaited && pending.stream().anyMatch(PendingAcquire::wasAttempted)) {
            hasWaited = true;
            queues.onFirstWait();
        }
        answering = null;
        proceed();
    }

    // ---- granted ----

    private void granted(AcquireAttempt granted, Tenure tenure, int stripes) {
        if (releaser.isReleasing(tenure)) {
            // Its caller has released it by the tenure, whose end wakes this queue.
            endOverdue();
            return;
        }
        boolean wasHeard = granted.wasHeard();
        if (wasHeard) {
            // Also if others wait for its holder: another engine may have ended the tenure since, and it would be
            // granted again.
            tickets.close(tenure.holder(), stripes == 0);
        }
        List<PendingAcquire> recipients = eligible(granted, tenure);
        if (recipients.isEmpty()) {
            releaser.release(tenure, Releaser.Manner.READING_FIRST);
            LOG.debug("{}: granted, but no acquire waits for it any more", LogContext.of(tenure));
        } else {
            if (wasHeard) {
                context.metrics().record(new HandedOver(HandOverKind.HEARD));
            }
            begin(tenure, granted.acquire().request(), stripes, recipients, wasHeard);
        }
        // No event may report the end of this tenure, and a former one is not released: acquires without an attempt
        // need one.
        attemptDue |= !pending.stream().allMatch(PendingAcquire::wasAttempted);
    }

    /** @param heard whether it may have been superseded since, which then only a read shows */
    private void begin(
            Tenure tenure, Request.Acquire request, int stripes, List<PendingAcquire> recipients, boolean heard) {
        boolean waited = heard || hasWaited || recipients.get(0).wasAttempted();
        HeldLease heldLease = heldLeases.begin(tenure, request, stripes);
        for (PendingAcquire recipient : recipients) {
            LeaseHandle handle = heldLeases.open(heldLease, heldLease.grantedAtNanos(), recipient.request());
            answer(recipient, OperationOutcome.GRANTED, stripes == 0, () -> recipient.granted(handle));
        }
        if (waited && context.settings().waitQueue()) {
            heldLease.expectWaiters();
            queues.poller().readSoon(name);
        }
        if (heard) {
            queues.poller().verifySoon(List.of(heldLease));
        }
        cancelTurn();
        loseIfEndReported(heldLease);
        heldLeases.loseIfClosed(heldLease);
        scheduleWake(null);
    }

    private void loseIfEndReported(HeldLease heldLease) {
        if (changeDuringAttempt != null && !changeDuringAttempt.showsDocument()) {
            queues.poller().verifySoon(List.of(heldLease));
        } else if (isEndReported(heldLease.tenure())) {
            heldLeases.lose(heldLease, Reason.TAKEN_OVER, null);
        }
    }

    private boolean isEndReported(Tenure tenure) {
        return changeDuringAttempt != null && changeDuringAttempt.showsTheEndOf(tenure);
    }

    /**
     * The acquires that get the tenure: all of its holder. If it was over when the answer came, another holder may have had
     * the lease since, so only acquires that arrived before the attempt get it.
     */
    private List<PendingAcquire> eligible(AcquireAttempt granted, Tenure tenure) {
        boolean valid = context.validities(tenure).isValid(tenure) && !isEndReported(tenure);
        return pending.stream()
                .filter(acquire -> acquire.holder().equals(tenure.holder()) && (valid || granted.covers(acquire)))
                .toList();
    }

    // ---- refused ----

    private void refused(AcquireAttempt refused, Refusal refusal) {
        scheduleWake(refusal.state());
        boolean lapsed = wasGrantedWhileLapsed(refused, refusal);
        for (PendingAcquire acquire : List.copyOf(pending)) {
            if (!lapsed
                    && acquire.couldSupersede(refusal.state())
                    && !refused.acquire().couldSupersede(refusal.state())) {
                acquire.maySupersede(true);
                attemptDue = true;
            } else if (refused.covers(acquire)) {
                acquire.refused(refusal);
                if (context.nowNanos() >= acquire.endNanos()) {
                    end(acquire);
                }
            }
        }
        if (lapsed) {
            // It was the attempt's own read that reported the grant: without a pause the next one would find the same.
            attemptDue = !pending.stream().allMatch(PendingAcquire::wasAttempted);
        }
        if (refusal.reason() == Refusal.Reason.HELD) {
            tickets.send(inOrder());
            boolean polled = tickets.isEmpty() && TakeableLease.isSessionLease(refusal.state());
            if ((polled || lapsed) && !pending.isEmpty()) {
                queues.poller().pollSoon();
            }
        }
    }

    /** Whether the attempt has found the grant to its own ticket, which counts again after the next heartbeat. */
    private boolean wasGrantedWhileLapsed(AcquireAttempt refused, Refusal refusal) {
        String holder = refused.acquire().holder();
        return tickets.isHeard(holder)
                && refusal.state() instanceof LeaseState.Held held
                && held.tenure().holder().equals(holder);
    }

    /** Sets the timer to just after the bound. */
    private void scheduleWake(@Nullable LeaseState state) {
        lastSeen = state;
        context.loop().cancel(wakeTimer);
        Long atNanos = state == null ? null : TakeableLease.fromNanos(state, context.nowNanos());
        if (atNanos != null) {
            wakeTimer = context.loop().at(atNanos, this::onFreed);
        }
    }

    // ---- failed ----

    private void failed(AcquireAttempt failed, LeaseException failure) {
        PendingAcquire acquire = failed.acquire();
        if (failure instanceof LeaseOutcomeUnknownException unknown) {
            releaseIfLanded(failed, unknown);
        }
        if (!pending.contains(acquire)) {
            attemptDue = true;
        } else if (isTransient(failure) && context.nowNanos() < acquire.endNanos()) {
            acquire.failed(failure);
            context.after(context.backoffNanos(acquire.failures()), this::wake);
        } else {
            fail(acquire, failure);
            attemptDue = true;
        }
    }

    private static boolean isTransient(LeaseException failure) {
        return failure instanceof LeaseUnavailableException || failure instanceof LeaseContentionException;
    }

    /** The caller gets an exception, so a grant that landed must be released. */
    private void releaseIfLanded(AcquireAttempt failed, LeaseOutcomeUnknownException unknown) {
        unknown.resolution()
                .whenComplete((answer, failure) -> context.runInFuture(() -> {
                    if (answer instanceof Granted granted) {
                        context.loop().post(() -> releaser.releaseUntold(granted.tenure()));
                    } else if (isForeverUnknown(failure) && failed.intendedTenure() != null) {
                        // If it landed, the session would keep it for ever.
                        context.loop()
                                .post(() -> releaser.releaseUntold(Objects.requireNonNull(failed.intendedTenure())));
                    }
                }));
    }

    private static boolean isForeverUnknown(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof LeaseStoreException;
    }

    // ---- the end of a wait ----

    private void onWaitEnd(PendingAcquire acquire) {
        if (!pending.contains(acquire)) {
            return;
        }
        // The first attempt is made in any case, and one whose commit was sent may still be granted.
        if (acquire.wasAttempted() && cancelAttempt(acquire)) {
            end(acquire);
        } else {
            scheduleHardEnd(acquire);
        }
        proceed();
    }

    /** Whether no attempt of this acquire can still take effect. */
    private boolean cancelAttempt(PendingAcquire acquire) {
        if (attempt == null || attempt.acquire() != acquire) {
            return true;
        }
        if (attempt.submission().cancel()) {
            attempt = null;
            attemptDue = true;
            return true;
        }
        return false;
    }

    private void scheduleHardEnd(PendingAcquire acquire) {
        acquire.timer(context.loop().at(acquire.hardEndNanos(), () -> onHardEnd(acquire)));
    }

    private void onHardEnd(PendingAcquire acquire) {
        boolean attempting = attempt != null && attempt.acquire() == acquire;
        if (pending.contains(acquire) && !attempting) {
            end(acquire);
            proceed();
        }
    }

    /** The caller cancelled. A tenure that its attempt was granted is released when the answer arrives. */
    boolean cancel(PendingAcquire acquire) {
        if (!pending.contains(acquire)) {
            return false;
        }
        answer(acquire, OperationOutcome.INTERRUPTED, () -> acquire.result().cancel(false));
        cancelAttempt(acquire);
        proceed();
        return true;
    }

    /**
     * Fails all pending acquires.
     *
     * @param failed whether an error has ended the engine. Then nothing would release what an attempt is granted: the acquire whose
     *     attempt was sent waits for what is known of it, and the one whose answer was being passed on is told that it is unknown
     */
    void close(LeaseException closed, boolean failed) {
        if (attempt != null && attempt.submission().cancel()) {
            attempt = null;
        }
        PendingAcquire sent = attempt != null && failed ? attempt.acquire() : null;
        List<Runnable> ends = new ArrayList<>();
        for (PendingAcquire acquire : pending) {
            if (acquire != sent) {
                ends.add(() -> fail(acquire, answering == null ? closed : answering.untold(acquire, closed)));
            }
        }
        ends.add(() -> scheduleWake(null));
        ends.add(this::cancelTurn);
        ends.add(this::proceed);
        context.loop().guardedEach(ends);
    }

    // ---- answers ----

    private void fail(PendingAcquire acquire, LeaseException failure) {
        answer(acquire, OperationOutcome.of(failure), () -> acquire.result().completeExceptionally(failure));
    }

    /** Its wait has ended: answers with the last refusal or failure. */
    private void end(PendingAcquire acquire) {
        String namespace = context.settings().namespace();
        Refusal refusal = acquire.lastRefusal(namespace);
        if (refusal == null) {
            fail(acquire, acquire.lastFailure(namespace));
        } else {
            answer(
                    acquire,
                    OperationOutcome.REFUSED,
                    () -> acquire.result().complete(new Acquisition.NotAcquired(refusal)));
            LOG.debug("{}: {}", new LogContext(namespace, acquire.name(), acquire.holder(), null), refusal.message());
        }
    }

    /** Ends the acquires whose hard-end timer fired while their attempt was unanswered: it does not fire again. */
    private void endOverdue() {
        for (PendingAcquire acquire : List.copyOf(pending)) {
            if (context.nowNanos() >= acquire.hardEndNanos()) {
                end(acquire);
            }
        }
    }

    /** Removes, measures and answers. It is answered even if the rest throws: nothing else refers to it any more. */
    private void answer(PendingAcquire acquire, OperationOutcome outcome, Runnable answer) {
        answer(acquire, outcome, false, answer);
    }

    /** @param held whether a tenure without gate stripes follows */
    private void answer(PendingAcquire acquire, OperationOutcome outcome, boolean held, Runnable answer) {
        try {
            pending.remove(acquire);
            closeTicket(acquire.holder(), held);
            queues.onAnswered();
            context.loop().cancel(acquire.timer());
            context.operations().measure(acquire.request(), outcome, acquire.priorStatus(), acquire.arrivedNanos());
        } finally {
            answer.run();
        }
    }
}
