package dev.leasehold.engine;

import dev.leasehold.assertions.Tenure;
import java.util.List;

/**
 * What people do to leases who are not their holders. Errors, blocking and interruption are those of {@link LeaseEngine}. What they
 * want to see besides, engines and changes, and all of it without the right to write, {@link LeaseInspector} shows.
 *
 * <p>Made to be used, not to be implemented: methods may be added in any version.
 */
public interface LeaseAdmin {

    /**
     * Lists all leases of the namespace, as {@link LeaseEngine#leases()} does.
     *
     * @return an unmodifiable list in the order of the names
     * @throws InterruptedException if the thread was interrupted
     */
    List<LeaseState> leases() throws InterruptedException;

    /**
     * Reads one lease.
     *
     * @param name the lease
     * @return how it stands
     * @throws InterruptedException if the thread was interrupted
     */
    LeaseState inspect(String name) throws InterruptedException;

    /**
     * Ends a tenure at once, expired or not, pinned or not. The token moves on, so that no transaction gated by the
     * old tenure commits any more, and the lease may be acquired at once.
     *
     * <p>A lease that nobody holds and that is kept free because its last holder had it for {@linkplain LeaseRequest#atLeast at least} a
     * time may be acquired at once, too.
     *
     * <p>Its holder does not know: it may believe that it holds the lease until its engine has noticed, usually within a
     * second. So this breaks the promise that two holders never both believe, on an operator's order, for
     * effects outside the database. Use it for a holder that hangs, and know what that one might still do.
     *
     * @param name the lease
     * @param reason for people, 1 to 512 characters, not all of them blank and none a control character; logged, and shown with the vacant
     *     lease until somebody acquires it
     * @return {@link Granted} with the tenure that this call ended; for a lease that was only kept free the one that had ended
     *     before, with the writer that had ended it in the place of the holder. {@link Refusal} if nobody held it
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    LeaseResult forceExpire(String name, String reason) throws InterruptedException;

    /**
     * The same for one tenure alone: for an order that was given after a look, since the lease may have been handed over meanwhile.
     *
     * @param tenure the only one to be ended, as {@link LeaseState.Held} shows it
     * @param reason as of {@link #forceExpire(String, String)}
     * @return {@link Granted} with the tenure that this call ended, or {@link Refusal} if the lease is not held under it any more
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    LeaseResult forceExpire(Tenure tenure, String reason) throws InterruptedException;

    /**
     * Makes sure that nobody takes a lease: neither a vacant one nor one past its expiry. Its holder, if there is one, goes on as
     * before: it may renew and give up. Each entity has a pin of its own, and the lease is pinned as long as there is one.
     *
     * @param name the lease; only one that was held before has a document to be pinned
     * @param entity who pins it, and is shown to who is refused: 1 to 512 bytes of UTF-8, not blank, without control characters
     * @return true if the lease is pinned by that entity now; false if there is no such lease
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    boolean pin(String name, String entity) throws InterruptedException;

    /**
     * Takes an entity's pin away.
     *
     * @param name the lease
     * @param entity who pinned it
     * @return true if the lease is not pinned by that entity now; false if there is no such lease
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    boolean unpin(String name, String entity) throws InterruptedException;

    /**
     * Gives a lease up on behalf of its holder, as {@link Tenures#release} does. For a lease that another engine's session
     * keeps this is refused: only {@link #forceExpire(Tenure, String)} can end that. As there, the holder may believe until its engine has noticed.
     *
     * @param tenure what is to end, as a listing shows it
     * @return {@link Granted} with the tenure that this call ended, or {@link Refusal}
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    LeaseResult release(Tenure tenure) throws InterruptedException;
}
