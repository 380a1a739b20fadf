package dev.leasehold.engine.internal.commit;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.rules.LogContext;
import dev.leasehold.engine.internal.rules.Request;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One request on its way. The caller and the engine's thread agree by its state who may still say what: as long as no
 * commit was sent the caller may walk away and be certain that nothing happens; afterwards only the engine knows. Who took the right to
 * answer does so even if what is logged before that cannot be: nobody else would.
 */
public final class PendingOperation {

    private static final Logger LOG = LoggerFactory.getLogger(PendingOperation.class);

    private enum State {
        /** Nothing was sent that could take effect. */
        WAITING,
        /** The commit was sent, or is about to be. */
        COMMITTING,
        /** Answered. */
        OVER,
        /** The caller went while it was waiting; it must not be carried out. */
        CANCELLED,
        /** The caller was sent away while it was committing, not knowing. */
        DETACHED
    }

    private final String namespace;
    private final Request request;
    private final long deadlineNanos;
    private final boolean renewal;
    private final RetryState retryState;
    private final CompletableFuture<OperationResult> answer = new CompletableFuture<>();
    private final CompletableFuture<OperationResult> lateAnswer = new CompletableFuture<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

    private volatile @Nullable LeaseStatus priorStatus;
    private volatile boolean sharesRound;
    private volatile @Nullable Tenure intendedTenure;
    /** The log has said that nobody knows: what becomes of it is said there too. */
    private volatile boolean unknownLogged;

    /**
     * An operation that was not started yet.
     *
     * @param namespace of the lease
     * @param request what is asked
     * @param deadlineNanos on the engine's clock; past it nothing more is tried
     */
    public PendingOperation(String namespace, Request request, long deadlineNanos) {
        this(namespace, request, deadlineNanos, false);
    }

    private PendingOperation(String namespace, Request request, long deadlineNanos, boolean renewal) {
        this.namespace = namespace;
        this.request = request;
        this.deadlineNanos = deadlineNanos;
        this.renewal = renewal;
        this.retryState = new RetryState(namespace, request);
    }

    /** An extension on behalf of handles, for which what is over is over: it prolongs a belief, and never begins one. */
    public static PendingOperation renewal(String namespace, Request.Extend request, long deadlineNanos) {
        return new PendingOperation(namespace, request, deadlineNanos, true);
    }

    public Request request() {
        return request;
    }

    public long deadlineNanos() {
        return deadlineNanos;
    }

    /** How the lease stood when this was last decided; null when it never was. */
    public @Nullable LeaseStatus priorStatus() {
        return priorStatus;
    }

    /** What its holder would have, by what was last decided; null where it was to write nothing. */
    public @Nullable Tenure intendedTenure() {
        return intendedTenure;
    }

    /** Completes with the answer, or with the exception that the caller is to see. */
    public CompletableFuture<OperationResult> answer() {
        return answer;
    }

    // ---- the caller's side ----

    /** Walks away. True: it was not carried out and never will be. */
    public boolean cancel() {
        return state.compareAndSet(State.WAITING, State.CANCELLED);
    }

    /** Gives up waiting for a commit that is under way. True: how it ended will be learned later, if at all. */
    public boolean detach() {
        return state.compareAndSet(State.COMMITTING, State.DETACHED);
    }

    /** Why it was not carried out in time. */
    public LeaseException outOfTime() {
        String what = describe() + " was not carried out within its time budget";
        LeaseException trouble = retryState.lastFailure();
        return trouble instanceof LeaseContentionException
                ? new LeaseContentionException(
                        what + ": others kept writing the same documents. The last try: " + trouble.getMessage(),
                        trouble)
                : new LeaseUnavailableException(
                        what + ": the database did not answer"
                                + (trouble == null ? " in time, this or what was ahead of it" : ""),
                        trouble);
    }

    /** What a caller is told who no longer waits for a commit. It is logged too: the caller may not look at it. */
    public LeaseException unknownLogged(@Nullable LeaseException cause) {
        logUnknown(cause);
        return unknown(cause);
    }

    /** The same, to be {@linkplain #logUnknown logged} once it was told. */
    public LeaseException unknown(@Nullable LeaseException cause) {
        String what = describe() + " may or may not have been carried out";
        // A removal or a pin touches no tenure, so there is no answer that could say later that it was.
        return request instanceof Request.Remove || request instanceof Request.Pin
                ? new LeaseOutcomeUnknownException(what, cause)
                : new LeaseOutcomeUnknownException(what, cause, lateAnswer.thenApply(OperationResult::toAnswer));
    }

    /** Logs that nobody knows yet whether it was carried out. */
    public void logUnknown(@Nullable LeaseException cause) {
        unknownLogged = true;
        LOG.error(
                "{}: nobody knows yet whether the {} was carried out, and nothing else is written until that is known: {}",
                logContext(),
                request.kind(),
                cause == null ? "the commit is not answered" : cause.getMessage());
    }

    private String describe() {
        return request.describe() + " in namespace '" + namespace + "'";
    }

    // ---- the engine's side ----

    String name() {
        return request.name();
    }

    LogContext logContext() {
        return LogContext.of(namespace, request);
    }

    RetryState retryState() {
        return retryState;
    }

    /** Whether it was last decided together with others, which are answered at the same time. Any thread may ask. */
    public boolean sharesRound() {
        return sharesRound;
    }

    void sharesRound(boolean shares) {
        sharesRound = shares;
    }

    boolean isRenewal() {
        return renewal;
    }

    /** How the lease stands of which this is decided now. */
    void decidedOn(LeaseStatus status) {
        priorStatus = status;
    }

    /** What was decided now. */
    void intends(@Nullable Tenure tenure) {
        intendedTenure = tenure;
    }

    /** From here on the caller cannot walk away with certainty. False: it already has. */
    boolean beginCommit() {
        return state.compareAndSet(State.WAITING, State.COMMITTING);
    }

    /**
     * The commit certainly did not happen. Whoever was sent away not knowing can know now. Nobody else must be told: a later
     * attempt may come to be in doubt.
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

    /**
     * Whether the commit happened can no longer be known. Who still waits is answered by another attempt; who was sent away
     * will never know.
     */
    void commitOverwritten(LeaseException cause) {
        if (!state.compareAndSet(State.COMMITTING, State.WAITING)) {
            failForeverUnknown(cause);
        }
    }

    /** Takes the right to answer yes or no. False: nobody listens. */
    boolean claimAnswer() {
        return state.compareAndSet(State.WAITING, State.OVER) || state.compareAndSet(State.COMMITTING, State.OVER);
    }

    /** Says what is certain, to the caller who waits or who was sent away not knowing. */
    void complete(OperationResult result) {
        if (isDetached()) {
            LogContext logContext = result.tenure() == null ? logContext() : LogContext.of(result.tenure());
            try {
                logKnown(logContext, "was carried out");
            } finally {
                lateAnswer.complete(result);
            }
        } else {
            answer.complete(result);
        }
    }

    /** Whoever gave it up without a word in the log, as by closing a handle, wants none now. */
    private void logKnown(LogContext logContext, String what) {
        LOG.atLevel(unknownLogged ? Level.INFO : Level.DEBUG)
                .log("{}: it is known now that the {} {}", logContext, request.kind(), what);
    }

    /** Ends it undone. Without effect while its commit may be under way. */
    void fail(LeaseException cause) {
        if (state.compareAndSet(State.WAITING, State.OVER)) {
            answer.completeExceptionally(cause);
        }
    }

    /** Sends the caller away not knowing whether its commit happened. Without effect when no commit was sent. */
    public void failUnknown(@Nullable LeaseException cause) {
        if (detach()) {
            try {
                logUnknown(cause);
            } finally {
                answer.completeExceptionally(unknown(cause));
            }
        }
    }

    /** Nobody will ever know whether its commit happened. Without effect when no commit was sent. */
    void failForeverUnknown(LeaseException cause) {
        boolean awaited = detach();
        if (isDetached()) {
            try {
                logForeverUnknown(awaited);
            } finally {
                answerForeverUnknown(cause, awaited);
            }
        }
    }

    /** An acquisition that nobody waits for any more is given up in any case, so that it does not matter much. */
    private void logForeverUnknown(boolean awaited) {
        boolean givenUp = !awaited && request instanceof Request.Acquire;
        LOG.atLevel(givenUp ? Level.WARN : Level.ERROR)
                .log("{}: nobody will ever know whether the {} was carried out", logContext(), request.kind());
    }

    private void answerForeverUnknown(LeaseException cause, boolean awaited) {
        // Before the caller is told, who may look at once.
        lateAnswer.completeExceptionally(
                new LeaseStoreException(describe() + ": nobody knows what became of it", cause));
        if (awaited) {
            answer.completeExceptionally(unknown(cause));
        }
    }

    boolean isOver() {
        return switch (state.get()) {
            case WAITING, COMMITTING -> false;
            case OVER, CANCELLED, DETACHED -> true;
        };
    }

    boolean isDetached() {
        return state.get() == State.DETACHED;
    }
}
