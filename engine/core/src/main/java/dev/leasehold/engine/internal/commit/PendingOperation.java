package dev.leasehold.engine.internal.commit;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.metrics.OperationOutcome;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.rules.TicketId;
import dev.leasehold.engine.internal.runtime.LogContext;
import dev.leasehold.engine.internal.store.Waiter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A submitted request and its answer. The state decides which side may end it: before its commit is sent, the caller can
 * cancel it and be certain that it has no effect; afterwards only the engine thread knows the outcome.
 *
 * <pre>{@code
 * from        on                                       to
 * ----------  ---------------------------------------  ----------
 * WAITING     beginCommit                              COMMITTING
 * WAITING     cancel                                   CANCELLED
 * WAITING     claimAnswer, fail, timeOut               OVER
 * COMMITTING  commitDidNotHappen, commitOverwritten    WAITING
 * COMMITTING  claimAnswer                              OVER
 * COMMITTING  detach, failUnknown, timeOut,
 *             failForeverUnknown                       DETACHED
 * }</pre>
 *
 * <p>Any other call leaves the state as it is. {@code OVER}, {@code CANCELLED} and {@code DETACHED} are final. A detached
 * operation still has an unknown outcome: {@code complete}, {@code commitDidNotHappen}, {@code commitOverwritten} and
 * {@code failForeverUnknown} resolve its late answer.
 *
 * <p>A thread that took the right to answer always completes the answer, even if logging throws: no other thread would.
 */
public final class PendingOperation {

    private static final Logger LOG = LoggerFactory.getLogger(PendingOperation.class);

    private enum State {
        /** No commit was sent that could still take effect. */
        WAITING,
        /** The commit was sent, or is about to be. */
        COMMITTING,
        /** Answered. */
        OVER,
        /** The caller left before a commit was sent. It must not be carried out. */
        CANCELLED,
        /** The caller left, or was answered, while the outcome was unknown. */
        DETACHED
    }

    private final String namespace;
    private final Request request;
    private final long deadlineNanos;
    private final RetryState retryState;
    private final CompletableFuture<OperationResult> answer = new CompletableFuture<>();
    private final CompletableFuture<OperationResult> lateAnswer = new CompletableFuture<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

    private volatile Consumer<OperationOutcome> onEnd = outcome -> {};
    private volatile @Nullable LeaseStatus priorStatus;
    private volatile boolean sharesRound;
    private volatile @Nullable Tenure intendedTenure;
    private volatile @Nullable Waiter ticket;
    /** The log says that the outcome is unknown, so its resolution is logged too. */
    private volatile boolean unknownLogged;

    /** @param deadlineNanos on the engine's clock; past it nothing more is tried */
    public PendingOperation(String namespace, Request request, long deadlineNanos) {
        this.namespace = namespace;
        this.request = request;
        this.deadlineNanos = deadlineNanos;
        this.retryState = new RetryState(logContext(), request.kind());
    }

    public Request request() {
        return request;
    }

    public long deadlineNanos() {
        return deadlineNanos;
    }

    /** The status of the lease when this operation was last decided; null if it never was. */
    public @Nullable LeaseStatus priorStatus() {
        return priorStatus;
    }

    /** The tenure that the last decision would write; null if it writes none. */
    public @Nullable Tenure intendedTenure() {
        return intendedTenure;
    }

    /** The ticket that it has sent; null if it has sent none. */
    @Nullable Waiter ticket() {
        return ticket;
    }

    /** The name of that ticket; null if it has sent none. */
    public @Nullable TicketId ticketId() {
        Waiter sent = ticket;
        return sent == null ? null : new TicketId(sent.writer(), sent.stampNanos());
    }

    /** Records the ticket that is sent next. */
    void sends(Waiter sent) {
        ticket = sent;
    }

    /** Whether it was last decided in one round with others, which are answered at the same time. Any thread. */
    public boolean sharesRound() {
        return sharesRound;
    }

    /** Completes with the result, or with the exception for the caller. Never, once the operation is cancelled or detached. */
    public CompletableFuture<OperationResult> answer() {
        return answer;
    }

    /** Sets what learns once how it ended for its caller: just before the answer, or when the caller leaves. */
    void onEnd(Consumer<OperationOutcome> listener) {
        onEnd = listener;
    }

    // ---- the caller's side ----

    /** Cancels the operation. True: it was not carried out and never will be. */
    public boolean cancel() {
        return leave(State.WAITING, State.CANCELLED);
    }

    /** Whether it was cancelled, by the caller or since it could not be submitted. It is not answered then. */
    public boolean isCancelled() {
        return state.get() == State.CANCELLED;
    }

    /** Stops waiting for a commit that is under way. True: its outcome is unknown, and is learned later, if ever. */
    public boolean detach() {
        return leave(State.COMMITTING, State.DETACHED);
    }

    private boolean leave(State from, State to) {
        boolean left = state.compareAndSet(from, to);
        if (left) {
            onEnd.accept(OperationOutcome.INTERRUPTED);
        }
        return left;
    }

    /**
     * The caller's time is over. Answers that it was not carried out, or that the outcome is unknown if its commit was
     * sent. No effect if the engine thread has answered, or is about to.
     */
    public void timeOut() {
        fail(outOfTime());
        failUnknown(null);
    }

    /** Fails it as not carried out. No effect while its commit may be under way. */
    public void fail(RuntimeException cause) {
        if (state.compareAndSet(State.WAITING, State.OVER)) {
            answer(cause);
        }
    }

    private void answer(RuntimeException failure) {
        try {
            onEnd.accept(
                    failure instanceof LeaseException known ? OperationOutcome.of(known) : OperationOutcome.FAILED);
        } finally {
            answer.completeExceptionally(failure);
        }
    }

    private void answer(OperationResult result) {
        try {
            onEnd.accept(result.refusal() == null ? OperationOutcome.GRANTED : OperationOutcome.REFUSED);
        } finally {
            answer.complete(result);
        }
    }

    // ---- the engine's side ----

    public String name() {
        return request.name();
    }

    LogContext logContext() {
        return new LogContext(namespace, request.name(), request.holder(), request.token());
    }

    RetryState retryState() {
        return retryState;
    }

    void sharesRound(boolean shares) {
        sharesRound = shares;
    }

    /** Records the status of the lease on which this is decided now. */
    void decidedOn(LeaseStatus status) {
        priorStatus = status;
    }

    /** Records the tenure that the present decision would write. */
    void intends(@Nullable Tenure tenure) {
        intendedTenure = tenure;
    }

    /** From here on the caller cannot cancel. False: it already has, and the operation must not be sent. */
    boolean beginCommit() {
        return state.compareAndSet(State.WAITING, State.COMMITTING);
    }

    /**
     * The commit certainly did not happen. Resolves the late answer of a detached caller. A caller that still waits gets
     * no answer yet, since a later attempt may have an unknown outcome.
     */
    void commitDidNotHappen() {
        if (!state.compareAndSet(State.COMMITTING, State.WAITING) && isDetached()) {
            try {
                logKnown(logContext(), "was not carried out, and never will be");
            } finally {
                lateAnswer.completeExceptionally(outOfTime());
            }
        }
    }

    /** Whether the commit happened can no longer be known. A caller that still waits is answered by another attempt. */
    void commitOverwritten(LeaseException cause) {
        if (!state.compareAndSet(State.COMMITTING, State.WAITING)) {
            failForeverUnknown(cause);
        }
    }

    /** Takes the right to answer. False: the caller has cancelled, was detached or has its answer. */
    boolean claimAnswer() {
        return state.compareAndSet(State.WAITING, State.OVER) || state.compareAndSet(State.COMMITTING, State.OVER);
    }

    /** Completes the answer with a certain result, or the late answer if the caller was detached. */
    void complete(OperationResult result) {
        if (isDetached()) {
            try {
                logKnown(result.tenure() == null ? logContext() : LogContext.of(result.tenure()), "was carried out");
            } finally {
                lateAnswer.complete(result);
            }
        } else {
            answer(result);
        }
    }

    /** At debug level if the unknown outcome was not logged, as when a handle was closed. */
    private void logKnown(LogContext logContext, String what) {
        LOG.atLevel(unknownLogged ? Level.INFO : Level.DEBUG)
                .log("{}: it is known now that the {} {}", logContext, request.kind(), what);
    }

    /** Answers the caller that the outcome is unknown. No effect if no commit was sent. */
    void failUnknown(@Nullable LeaseException cause) {
        if (state.compareAndSet(State.COMMITTING, State.DETACHED)) {
            unknownLogged = true;
            try {
                LOG.error(
                        "{}: it is not known yet whether the {} was carried out, and nothing else is written until that"
                                + " is known: {}",
                        logContext(),
                        request.kind(),
                        cause == null ? "the commit is not answered" : cause.getMessage());
            } finally {
                answer(unknown(cause));
            }
        }
    }

    /** The outcome will never be known. No effect if no commit was sent. */
    void failForeverUnknown(LeaseException cause) {
        boolean awaited = state.compareAndSet(State.COMMITTING, State.DETACHED);
        if (isDetached() && !lateAnswer.isDone()) {
            try {
                // An acquisition whose caller no longer waits is released in any case.
                boolean released = !awaited && request instanceof Request.Acquire;
                LOG.atLevel(released ? Level.WARN : Level.ERROR)
                        .log("{}: it will never be known whether the {} was carried out", logContext(), request.kind());
            } finally {
                // First, since the caller may read it as soon as it has its answer.
                lateAnswer.completeExceptionally(new LeaseStoreException(
                        request.describeIn(namespace) + ": it will never be known what became of it", cause));
                if (awaited) {
                    answer(unknown(cause));
                }
            }
        }
    }

    private LeaseException unknown(@Nullable LeaseException cause) {
        String what = request.describeIn(namespace) + " may or may not have been carried out";
        // A removal or a pin changes no tenure, so it has no later answer.
        return request instanceof Request.Remove || request instanceof Request.Pin || request instanceof Request.OfQueue
                ? new LeaseOutcomeUnknownException(what, cause)
                : new LeaseOutcomeUnknownException(what, cause, lateAnswer.thenApply(OperationResult::toAnswer));
    }

    /** The exception for an operation that was not carried out before its deadline. */
    LeaseException outOfTime() {
        String what = request.describeIn(namespace) + " was not carried out within its time budget";
        LeaseException failure = retryState.lastFailure();
        return failure instanceof LeaseContentionException
                ? new LeaseContentionException(
                        what + ": others kept writing the same documents. The last try: " + failure.getMessage(),
                        failure)
                : new LeaseUnavailableException(
                        what + ": the database did not answer"
                                + (failure == null ? " in time, this or what was ahead of it" : ""),
                        failure);
    }

    boolean isOver() {
        return switch (state.get()) {
            case WAITING, COMMITTING -> false;
            case OVER, CANCELLED, DETACHED -> true;
        };
    }

    private boolean isDetached() {
        return state.get() == State.DETACHED;
    }
}
