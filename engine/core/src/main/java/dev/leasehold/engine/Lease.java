package dev.leasehold.engine;

import com.mongodb.client.ClientSession;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseFence;
import dev.leasehold.assertions.Tenure;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A lease that this process holds. It stays held until it is closed or lost; nobody has to renew it.
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
 * <p><b>What is guaranteed.</b> A transaction that carries {@link #assertion()} commits only while nobody has ended this
 * tenure. While {@link #isHeld()} is true, it is true for no other holder, as long as clock rates keep within the drift and
 * nobody orders the end of the tenure, as a {@link LeaseAdmin} or {@link LeaseRequest#supersede} can. Once it is false it is never true
 * again. What is not guaranteed: that a thread which looked at {@code isHeld()} is not paused right after it.
 *
 * <p><b>Renewal.</b> Leases of the engine's session are renewed together by one small write. A lease with a term is extended when a third of
 * the term is over, or as the request says.
 *
 * <p>A named holder that acquires a lease which it holds already, through the same engine, gets another handle of the same tenure. The lease
 * is released when the last of them is closed.
 *
 * <p>Safe for use by many threads. Made to be used, not to be implemented: methods may be added in any version.
 */
public interface Lease extends AutoCloseable {

    /** {@return the tenure: who holds which lease, under which token} */
    Tenure tenure();

    /** {@return the name of the lease} */
    default String name() {
        return tenure().name();
    }

    /** {@return who holds it: the holder of the request, or the name that the engine made up for this acquisition} */
    default String holder() {
        return tenure().holder();
    }

    /** {@return the fencing token, which strictly increases from tenure to tenure of one lease} */
    default long token() {
        return tenure().token();
    }

    /** {@return what the holder said about it; null for nothing. A further handle of the same tenure shows that of the first} */
    @Nullable String comment();

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
     * Goes on only if {@link #isHeld()} is true: to be called before each step that must not be taken without the lease.
     *
     * <p>Never blocks, does no I/O. It asks this process alone; what the database has to decide belongs into a transaction with {@link
     * #assertion()}.
     *
     * @throws dev.leasehold.assertions.LeaseNotHeldException if it is not held; the message says why, as far as that is known, and the
     *     cause is that of the loss
     */
    void requireHeld();

    /**
     * How long {@link #isHeld()} stays true from now on if the lease is never renewed again.
     *
     * <p>Never blocks, does no I/O.
     *
     * @return zero when it is not held
     */
    Duration remaining();

    /**
     * What to put into a transaction of one's own: it commits only if the lease is still held under this tenure. Never blocks, does no I/O.
     *
     * <p>The transaction must be in a session of the client that the engine was built with. One assertion serves any number of transactions,
     * and stays with this tenure for ever.
     *
     * <p>With {@linkplain LeaseRequest#gateStripes(int) gate stripes} it spreads the transactions of this engine's callers over them, so that
     * as many as there are stripes go beside each other. After the end of the lease's validity it asserts on the lease document, and leaves
     * the stripes to whoever ends the tenure.
     *
     * @return the assertion
     */
    LeaseAssertion assertion();

    /**
     * The fence of this tenure for documents of one's own that are not written in a transaction. Never blocks, does no I/O.
     *
     * @param field the field of those documents that keeps the greatest token, as of {@link LeaseFence#of(long, String)}
     * @return the fence
     */
    default LeaseFence fence(String field) {
        return LeaseFence.of(tenure(), field);
    }

    /**
     * Runs a transaction of one's own that commits only if the lease is still held: in every run of the body the assertion
     * comes first, always of this tenure.
     *
     * <p>The driver runs the body again after a conflict, so it must have no effects outside the transaction. Concerns are those of the
     * session: with a write concern below majority a fail-over can take back what was committed, the assertion included. Blocks for as long
     * as the driver's {@code withTransaction} does, which tries again for up to two minutes unless the client or the session has a timeout.
     *
     * @param session a session of the client that the engine was built with, with no transaction open
     * @param body what the transaction does, with the session; what it returns is returned
     * @param <T> what the body returns
     * @return what the last run of the body returned
     * @throws dev.leasehold.assertions.LeaseNotHeldException if the lease is no longer held under this tenure; nothing was
     *     committed
     * @throws IllegalStateException if the session has a transaction open, which stays as it is; {@link #assertion()} goes into
     *     that. Or if it is a session of another client
     */
    <T extends @Nullable Object> T inTransaction(
            ClientSession session, Function<? super ClientSession, ? extends T> body);

    /**
     * Has the callback called once when the lease is lost; soon if it was lost already. Never blocks, does no I/O.
     *
     * <p>The callback is due by the instant at which {@link #isHeld()} turns false, which is before anybody else can hold the lease, unless
     * somebody has ordered the end; like any thread it may run late. It is not called when this handle was closed before the engine had
     * noticed the loss. What it throws is logged. Several callbacks are handed over in the order of these calls, and may run at the same
     * time; none runs before the acquisition has answered.
     *
     * <p>A callback may block: it holds up no renewal. The engine has four threads for all callbacks, so that many which block
     * hold up each other; with {@link LeaseEngineBuilder#callbackExecutor} there are as many as you like.
     *
     * @param callback gets what is known about the loss
     */
    void onLost(Consumer<? super LeaseLoss> callback);

    /**
     * Releases the lease, unless another handle of the same tenure is open. {@link #isHeld()} is false from the start of the
     * call on.
     *
     * <p>Only this tenure is ended: a close that comes after the lease was lost is harmless. A second call does nothing. Blocks
     * until the lease is free, for at most the close budget; if it is not by then, the engine goes on trying for
     * as long as it lives. Throws nothing. An interrupt ends the wait, and the thread keeps its interrupt flag.
     */
    @Override
    void close();

    /**
     * Gives the lease up as {@link #close()} does, and tells whether it is free. Never blocks, does no I/O. {@link #isHeld()} is false from
     * the start of the call on. The engine goes on trying for as long as it lives, however long that takes, so the caller sets its own
     * limit. Cancelling what is returned changes nothing.
     *
     * @return completes, on a thread for callbacks, with true once the tenure is certainly over in the database; with false if it is left to
     *     run out: another handle of it is open, it was lost before and has a term, or the engine was closed first. A handle that was
     *     closed before answers in the same way. It never fails
     */
    CompletionStage<Boolean> closeAsync();
}
