package dev.leasehold.engine;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The operations on leases with a term, for callers that keep their tenures themselves. Most callers need {@link Lease} alone, which
 * renews itself and tells when it is lost; a tenure does neither.
 *
 * <p>A tenure that was claimed or taken over here has no {@link Lease}, and gets none: while it is held, {@link LeaseEngine#tryAcquire}
 * and its variants are refused, or wait, under the name of the same holder too, through this engine too. Only acquisitions by the same
 * holder through one engine share a tenure. The other way round, the methods here accept the tenure of a {@link Lease}: an extension
 * counts for its handles, if it has a term, and a release ends them.
 *
 * <p>Clocks, blocking, interruption and errors are those of {@link LeaseEngine}. Safe for use by many threads.
 *
 * <p>Made to be used, not to be implemented: methods may be added in any version.
 */
public interface Tenures {

    /**
     * Claims a vacant lease.
     *
     * <p>After a yes the lease is held under the returned tenure until at least {@code duration} after the start of
     * this call, on this engine's clock, unless it is released or an operator ends it. It is refused while the lease is
     * held, by the same holder too, past its expiry too, and while the lease is pinned. If the call takes longer than
     * {@code duration}, {@link #isHeld} is false from the start; the tenure can be extended unless another holder took
     * the lease.
     *
     * <p>Blocks for at most the operation budget.
     *
     * @param name the lease: 1 to 512 bytes of UTF-8, not blank, without control characters
     * @param holder its holder, under the same rule
     * @param duration the term, 1 ms to 36,500 days
     * @return {@link Granted} with the new tenure, or {@link Refusal}
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    default LeaseResult claim(String name, String holder, Duration duration) throws InterruptedException {
        return claim(name, holder, duration, null);
    }

    /**
     * As {@link #claim(String, String, Duration)}, with a comment.
     *
     * @param name the lease
     * @param holder its holder
     * @param duration the term, 1 ms to 36,500 days
     * @param comment for people, up to 512 characters (code points), none of them a control character; null for none
     * @return {@link Granted} with the new tenure, or {@link Refusal}
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    LeaseResult claim(String name, String holder, Duration duration, @Nullable String comment)
            throws InterruptedException;

    /**
     * Ends a tenure that has certainly expired and begins the next one, in one write.
     *
     * <p>It is refused until this engine knows that the clock of the lease's last writer has passed the stored expiry,
     * or the end of the session that keeps the lease. That wait counts from the first read of the lease, or from the
     * first sight of a later stamp of that writer; {@link LeaseState.Held#latestExpiry()} of the refusal says when it may
     * succeed. The token grows by one, for the same holder too. A pinned lease is not taken.
     *
     * <p>Blocks for at most the operation budget.
     *
     * @param name the lease
     * @param holder its holder
     * @param duration the term, 1 ms to 36,500 days
     * @return {@link Granted} with the new tenure, or {@link Refusal}
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    default LeaseResult takeOver(String name, String holder, Duration duration) throws InterruptedException {
        return takeOver(name, holder, duration, null);
    }

    /**
     * As {@link #takeOver(String, String, Duration)}, with a comment.
     *
     * @param name the lease
     * @param holder its holder
     * @param duration the term, 1 ms to 36,500 days
     * @param comment as of a claim; null for none
     * @return {@link Granted} with the new tenure, or {@link Refusal}
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    LeaseResult takeOver(String name, String holder, Duration duration, @Nullable String comment)
            throws InterruptedException;

    /**
     * Extends the term of a lease, under the same token.
     *
     * <p>After a yes the lease is held until at least {@code duration} after the start of this call, on this engine's
     * clock, unless it is released through any engine or an operator ends it. A yes never comes from memory: the database
     * showed the lease under this tenure during the call. If the call takes longer than {@code duration}, {@link #isHeld}
     * is false when the yes arrives.
     *
     * <p>It extends <em>to</em> that instant, not by that time, and never shortens. A lease past its expiry that no
     * other holder took can be extended. If another engine wrote it last, this engine becomes its writer. The extend of a
     * lease that a session keeps is refused.
     *
     * <p>Only reads, if this engine wrote the lease last and its term is long enough already. Blocks for at most the
     * operation budget.
     *
     * @param tenure as a claim or take-over returned it
     * @param duration the term from now on, 1 ms to 36,500 days
     * @return {@link Granted} with the same tenure, or {@link Refusal} if the lease is no longer held under it
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    LeaseResult extend(Tenure tenure, Duration duration) throws InterruptedException;

    /**
     * Releases a lease.
     *
     * <p>{@link #isHeld} of this engine is false from the start of this call on, for good, however the call ends. A
     * late or repeated release is refused, and changes nothing. Of the other users of the tenure only a {@link Lease} is
     * told of the loss. A lease that the session of another engine keeps is not released.
     *
     * <p>Blocks for at most the operation budget.
     *
     * @param tenure as a claim or take-over returned it
     * @return {@link Granted} with the tenure that this call ended, or {@link Refusal} if the lease was not held under it
     * @throws InterruptedException if the thread was interrupted before anything could take effect; the lease then runs
     *     out by itself
     */
    LeaseResult release(Tenure tenure) throws InterruptedException;

    /**
     * Ends a tenure that has certainly expired, and leaves the lease vacant. Under the same conditions as {@link
     * #takeOver(String, String, Duration)}.
     *
     * <p>Blocks for at most the operation budget.
     *
     * @param name the lease
     * @return {@link Granted} with the tenure that this call ended, or {@link Refusal}
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    LeaseResult expire(String name) throws InterruptedException;

    /**
     * Whether this process may act as holder.
     *
     * <p>True only while less time than the granted duration has passed since the attempt that landed was decided, by
     * monotonic time and by wall time, so on a machine that was suspended it is false on waking. While it is true, it is
     * true for no other holder, as long as clock rates keep within the drift bound and no order and no {@link #release}
     * ends the tenure. Never blocks, does no I/O. It knows the operations of this engine alone.
     *
     * @param tenure as a claim or take-over returned it
     * @return whether it may act as holder now
     */
    boolean isHeld(Tenure tenure);

    /**
     * How long {@link #isHeld} stays true from now on, if nothing else happens. Never blocks, does no I/O.
     *
     * @param tenure as a claim or take-over returned it
     * @return zero when {@link #isHeld} is false
     */
    Duration remaining(Tenure tenure);

    /**
     * The assertion of a tenure: a transaction that carries it commits only if the lease is still held under this
     * tenure. Its session must be of the client that this engine was built with. Never blocks, does no I/O. Safe for
     * many threads, also after this engine was closed. It uses no gate stripes; {@link Lease#assertion()} does.
     *
     * @param tenure as a claim or take-over returned it
     * @return what to put into the transaction
     */
    LeaseAssertion assertion(Tenure tenure);
}
