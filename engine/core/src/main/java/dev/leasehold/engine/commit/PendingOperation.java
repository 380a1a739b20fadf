package dev.leasehold.engine.commit;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.protocol.Request;
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
        ABANDONED,
        /** The caller was sent away while it was committing, not knowing. */
        FORSAKEN
    }

    private final String namespace;
    private final Request request;
    private final long deadlineNanos;
    private final boolean renewal;
    private final Tries tries;
    private final CompletableFuture<Reply> answer = new CompletableFuture<>();
    private final CompletableFuture<Reply> lateAnswer = new CompletableFuture<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

    private volatile @Nullable LeaseStatus priorStatus;
    private volatile @Nullable Tenure aim;
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
        this.tries = new Tries(namespace, request);
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
    public @Nullable Tenure aim() {
        return aim;
    }

    /** Completes with the answer, or with the exception that the caller is to see. */
    public CompletableFuture<Reply> answer() {
        return answer;
    }

    // ---- the caller's side ----

    /** Walks away. True: it was not carried out and never will be. */
    public boolean abandon() {
        return state.compareAndSet(State.WAITING, State.ABANDONED);
    }

    /** Gives up waiting for a commit that is under way. True: how it ended will be learned later, if at all. */
    public boolean forsake() {
        return state.compareAndSet(State.COMMITTING, State.FORSAKEN);
    }

    /** Why it was not carried out in time. */
    public LeaseException outOfTime() {
        String what = inWords() + " was not carried out within its time budget";
        LeaseException trouble = tries.lastTrouble();
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
    public LeaseException tellUnknown(@Nullable LeaseException cause) {
        logUnknown(cause);
        return unknown(cause);
    }

    /** The same, to be {@linkplain #logUnknown logged} once it was told. */
    public LeaseException unknown(@Nullable LeaseException cause) {
        String what = inWords() + " may or may not have been carried out";
        // A removal or a pin touches no tenure, so there is no answer that could say later that it was.
        return request instanceof Request.Remove || request instanceof Request.Pin
                ? new LeaseOutcomeUnknownException(what, cause)
                : new LeaseOutcomeUnknownException(what, cause, lateAnswer.thenApply(Reply::toAnswer));
    }

    /** Logs that nobody knows yet whether it was carried out. */
    public void logUnknown(@Nullable LeaseException cause) {
        unknownLogged = true;
        LOG.error(
                "{}: nobody knows yet whether the {} was carried out, and nothing else is written until that is known: {}",
                subject(),
                request.kind(),
                cause == null ? "the commit is not answered" : cause.getMessage());
    }

    private String inWords() {
        return request.describe() + " in namespace '" + namespace + "'";
    }

    // ---- the engine's side ----

    String name() {
        return request.name();
    }

    Subject subject() {
        return Subject.of(namespace, request);
    }

    Tries tries() {
        return tries;
    }

    boolean isRenewal() {
        return renewal;
    }

    /** How the lease stands of which this is decided now. */
    void found(LeaseStatus status) {
        priorStatus = status;
    }

    /** What was decided now. */
    void aims(@Nullable Tenure tenure) {
        aim = tenure;
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
        if (!state.compareAndSet(State.COMMITTING, State.WAITING) && isForsaken()) {
            try {
                logKnown(subject(), "was not carried out, and never will be");
            } finally {
                lateAnswer.completeExceptionally(outOfTime());
            }
        }
    }

    /**
     * Whether the commit happened can no longer be known. Who still waits is answered by another attempt; who was sent away
     * will never know.
     */
    void commitIsHidden(LeaseException cause) {
        if (!state.compareAndSet(State.COMMITTING, State.WAITING)) {
            lost(cause);
        }
    }

    /** Takes the right to answer yes or no. False: nobody listens. */
    boolean settle() {
        return state.compareAndSet(State.WAITING, State.OVER) || state.compareAndSet(State.COMMITTING, State.OVER);
    }

    /** Says what is certain, to the caller who waits or who was sent away not knowing. */
    void complete(Reply reply) {
        if (isForsaken()) {
            Subject subject = reply.tenure() == null ? subject() : Subject.of(reply.tenure());
            try {
                logKnown(subject, "was carried out");
            } finally {
                lateAnswer.complete(reply);
            }
        } else {
            answer.complete(reply);
        }
    }

    /** Whoever gave it up without a word in the log, as by closing a handle, wants none now. */
    private void logKnown(Subject subject, String what) {
        LOG.atLevel(unknownLogged ? Level.INFO : Level.DEBUG)
                .log("{}: it is known now that the {} {}", subject, request.kind(), what);
    }

    /** Ends it undone. Without effect while its commit may be under way. */
    void fail(LeaseException cause) {
        if (state.compareAndSet(State.WAITING, State.OVER)) {
            answer.completeExceptionally(cause);
        }
    }

    /** Sends the caller away not knowing whether its commit happened. Without effect when no commit was sent. */
    void failUnknown(@Nullable LeaseException cause) {
        if (forsake()) {
            try {
                logUnknown(cause);
            } finally {
                answer.completeExceptionally(unknown(cause));
            }
        }
    }

    /** Nobody will ever know whether its commit happened. Without effect when no commit was sent. */
    void lost(LeaseException cause) {
        boolean awaited = forsake();
        if (isForsaken()) {
            try {
                logLost(awaited);
            } finally {
                tellLost(cause, awaited);
            }
        }
    }

    /** An acquisition that nobody waits for any more is given up in any case, so that it does not matter much. */
    private void logLost(boolean awaited) {
        boolean givenUp = !awaited && request instanceof Request.Acquire;
        LOG.atLevel(givenUp ? Level.WARN : Level.ERROR)
                .log("{}: nobody will ever know whether the {} was carried out", subject(), request.kind());
    }

    private void tellLost(LeaseException cause, boolean awaited) {
        // Before the caller is told, who may look at once.
        lateAnswer.completeExceptionally(
                new LeaseStoreException(inWords() + ": nobody knows what became of it", cause));
        if (awaited) {
            answer.completeExceptionally(unknown(cause));
        }
    }

    boolean isOver() {
        return switch (state.get()) {
            case WAITING, COMMITTING -> false;
            case OVER, ABANDONED, FORSAKEN -> true;
        };
    }

    boolean isForsaken() {
        return state.get() == State.FORSAKEN;
    }
}
