package dev.leasehold.engine;

import com.mongodb.client.ClientSession;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseFence;
import dev.leasehold.assertions.OnceResult;
import dev.leasehold.assertions.Tenure;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A lease that this process holds. The engine renews it until it is closed or lost.
 *
 * <pre>{@code
 * try (Lease lease = engine.acquire("nightly-invoices")) {
 *     lease.onLost(loss -> job.stop());
 *     session.withTransaction(() -> {
 *         lease.assertion().check(session); // no commit unless the lease is still held
 *         return invoices.insertOne(session, invoice);
 *     });
 * }
 * }</pre>
 *
 * <p><b>What is guaranteed.</b> A transaction that carries {@link #assertion()} commits only if no write has ended this
 * tenure. While {@link #isHeld()} is true, it is true for no other holder, as long as clock rates keep within the drift
 * bound and no order ends the tenure, as {@link LeaseAdmin} and {@link LeaseRequest#supersede} can. Once it is false it
 * is never true again. What is not guaranteed: that a thread which looked at {@code isHeld()} is not paused right after
 * it.
 *
 * <p><b>Renewal.</b> Leases of the engine's session are renewed together by one small write. A lease with a term is
 * extended when a third of the term is over, or as the request says.
 *
 * <p>If a named holder acquires the lease again through the same engine, it gets another handle of the same tenure.
 * Closing the last handle releases the lease.
 *
 * <p>Safe for use by many threads. Made to be used, not to be implemented: methods may be added in any version.
 */
public interface Lease extends AutoCloseable {

    /** {@return the tenure: lease, holder and token} */
    Tenure tenure();

    /** {@return the name of the lease} */
    default String name() {
        return tenure().name();
    }

    /** {@return the holder: that of the request, or a name that the engine made for this acquisition} */
    default String holder() {
        return tenure().holder();
    }

    /** {@return the fencing token, which strictly increases from tenure to tenure of one lease} */
    default long token() {
        return tenure().token();
    }

    /** {@return the comment of the request; null for none. A further handle of the same tenure has that of the first} */
    @Nullable String comment();

    /**
     * Changes what this process {@linkplain LeaseRequest#payload publishes} with the lease. Token and time of the tenure stay, and so does
     * its validity. The next holder does not get the payload.
     *
     * <p>Blocks for at most the operation budget; it waits for open transactions that assert the lease, as a release does. So do not call
     * it inside of such a transaction: it would wait for its own caller. In those of {@link #inTransaction} and {@link
     * LeaseEngine#runOnce(LeaseRequest, String, OnceTask)} that is refused.
     *
     * @param payload up to 4,096 bytes in UTF-8, any characters but unpaired surrogates; empty for none
     * @throws IllegalArgumentException if it breaks that rule; nothing was sent
     * @throws dev.leasehold.assertions.LeaseNotHeldException if the lease is not held any more; nothing was changed
     * @throws IllegalStateException if it is called by the body of a transaction that asserts this tenure; nothing was sent
     * @throws InterruptedException if the thread was interrupted before it was sent; nothing was changed
     * @throws LeaseOutcomeUnknownException if it may have been changed. Call it again
     * @throws LeaseUnavailableException if the database could not be reached; nothing was changed
     */
    void updatePayload(String payload) throws InterruptedException;

    /**
     * Whether this process may still act as the holder. False for good once the lease was lost or this handle was closed.
     *
     * <p>Never blocks, does no I/O. Counted on this engine's own clock, by monotonic time and by time of day, whichever is
     * over first: on a machine that was suspended it is false on waking.
     *
     * @return whether the lease is held now, as far as this process knows
     */
    boolean isHeld();

    /**
     * Throws unless {@link #isHeld()} is true. Call it before each step that must not be taken without the lease.
     *
     * <p>Never blocks, does no I/O. What the database has to decide belongs into a transaction with {@link #assertion()}.
     *
     * @throws dev.leasehold.assertions.LeaseNotHeldException if it is not held; the message says why, as far as that is known, and the
     *     cause is that of the loss
     */
    void requireHeld();

    /**
     * {@return how long {@link #isHeld()} stays true from now on if the lease is never renewed again; zero when it is
     * not held} Never blocks, does no I/O.
     */
    Duration remaining();

    /**
     * The assertion of this tenure: a transaction that carries it commits only if the lease is still held under this
     * tenure. Never blocks, does no I/O.
     *
     * <p>The transaction must be in a session of the client that the engine was built with. One assertion serves any
     * number of transactions. With {@linkplain LeaseRequest#gateStripes(int) gate stripes} it spreads them over the
     * stripes, and over the lease document alone once the validity has ended.
     *
     * @return the assertion
     */
    LeaseAssertion assertion();

    /**
     * The fence of this tenure, for documents of the caller that are written without a transaction. Never blocks, does
     * no I/O.
     *
     * @param field the field of those documents that keeps the greatest token, as of {@link LeaseFence#of(long, String)}
     * @return the fence
     */
    default LeaseFence fence(String field) {
        return LeaseFence.of(tenure(), field);
    }

    /**
     * Runs a transaction that commits only if the lease is still held. Each run of the body begins with the assertion
     * of this tenure.
     *
     * <p>The driver runs the body again after a conflict, so it must have no effects outside the transaction. It reads from
     * the primary and commits with write concern majority, whatever client and session say: a commit that a fail-over
     * can take back must not count as made under a lease. The read concern is that of the session. Blocks for as long as
     * the driver's {@code withTransaction} does: up to two minutes, unless client or session has a timeout.
     *
     * <p>If it fails, the server may still have the transaction open, since an abort can be lost. The engine then ends it on
     * a thread of its own, as soon as the server answers; the session can be used and closed meanwhile. Where the client
     * has retryable writes turned off, or the engine is closed, the server ends it in its own time.
     *
     * @param session a session of the client that the engine was built with, with no transaction open
     * @param body what the transaction does, with the session; what it returns is returned
     * @param <T> what the body returns
     * @return what the last run of the body returned
     * @throws dev.leasehold.assertions.LeaseNotHeldException if the lease is no longer held under this tenure; nothing was
     *     committed
     * @throws IllegalStateException if the session has a transaction open, which stays as it is; {@link #assertion()} goes into
     *     that. Or if it is a session of another client. Or if the body has ended the transaction and begun another one, which is
     *     aborted
     */
    <T extends @Nullable Object> T inTransaction(
            ClientSession session, Function<? super ClientSession, ? extends T> body);

    /**
     * Asserts this tenure in the caller's open transaction, and records that the transaction does this occurrence of the work: the night
     * of an invoice run, an hour, the number of a batch. At most one transaction with the record of one occurrence ever commits, whatever
     * the clocks say and however many processes act as the holder of the lease. The same as {@link LeaseAssertion#once} of {@link
     * #assertion()}.
     *
     * <p>{@link LeaseEngine#runOnce(LeaseRequest, String, OnceTask)} does all of it in one call. Call this in a transaction of your own,
     * also for work that cannot be inside a transaction: work first, then record it in a short transaction. Such work runs at least once,
     * and its record is written once.
     *
     * @param session a session of the client that the engine was built with, with a transaction open that reads from the primary
     * @param occurrence its name, 1 to 512 bytes of UTF-8, not blank, without control characters; the same in all processes that may do it
     * @return whether this transaction is the first; otherwise the record, and nothing was written
     * @throws dev.leasehold.assertions.LeaseNotHeldException if the lease is no longer held under this tenure; the transaction does not
     *     commit
     * @throws IllegalStateException if the session has no open transaction, or is one of another client
     */
    default OnceResult once(ClientSession session, String occurrence) {
        return assertion().once(session, occurrence);
    }

    /**
     * Ends in the background what a failed transaction by hand may have left open on the server, as {@link #inTransaction}
     * does by itself. For transactions that carried {@link #assertion()} and were aborted, or whose commit has failed; it has
     * no effect on later ones of the session. Never blocks, does no I/O, and throws nothing if the session is closed.
     *
     * @param session of the transaction, with none open; it may be used and closed from then on
     */
    void endAbandoned(ClientSession session);

    /**
     * Calls the callback once when the lease is lost, or soon if it is lost already. Never blocks, does no I/O.
     *
     * <p>The callback is due when {@link #isHeld()} turns false: before any other process can hold the lease, unless an
     * order ended the tenure. It may run late, as any thread may. It is not called if this handle was closed before the
     * engine noticed the loss. What it throws is logged. Several callbacks start in the order of these calls and may run
     * at the same time, none before the acquisition has returned. One that blocks delays no renewal, only other
     * callbacks; {@link LeaseEngineBuilder#callbackExecutor} provides more threads than the engine's four.
     *
     * @param callback gets what is known about the loss
     */
    void onLost(Consumer<? super LeaseLoss> callback);

    /**
     * Releases the lease, unless another handle of the same tenure is open. {@link #isHeld()} is false from the start of the
     * call on.
     *
     * <p>This ends only its own tenure, so it is harmless after a loss. Blocks until the lease is free, for at most the
     * close budget; then the engine goes on trying for as long as it lives. Throws nothing. An interrupt ends the wait,
     * and the thread keeps its flag. In the body of {@link #inTransaction} or {@link
     * LeaseEngine#runOnce(LeaseRequest, String, OnceTask)} it does not block: the lease is free when the transaction has ended.
     * In a transaction that carries {@link #assertion()} by hand it blocks for the whole close budget, since the release waits
     * for the end of that transaction: call it after that, or {@link #closeAsync()}.
     */
    @Override
    void close();

    /**
     * Releases the lease as {@link #close()} does, and tells whether it is free. Never blocks, does no I/O. {@link
     * #isHeld()} is false from the start of the call on. The engine goes on trying for as long as it lives, so the
     * caller sets a limit of its own. Cancelling the stage changes nothing.
     *
     * @return completes on a callback thread, and never fails. True: the tenure is certainly over in the database.
     *     False: it is left to run out, because another handle of it is open, it was lost before and has a term, or the
     *     engine was closed first. A handle that was closed before gives the same answer
     */
    CompletionStage<Boolean> closeAsync();
}
