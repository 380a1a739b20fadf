package dev.leasehold.engine;

import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.assertions.Tenure;
import java.util.List;
import java.util.Optional;

/**
 * Orders of operators to leases that other processes hold. Errors, blocking and interruption are those of {@link
 * LeaseEngine}. {@link LeaseInspector} shows leases, engines and changes without the right to write.
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
     * Reads the waiters of a lease, in all processes. Waiters that ask for a {@linkplain LeaseRequest#term term}, those of engines without the
     * {@linkplain LeaseEngineBuilder#waitQueue wait queue} and those behind the first 128 are not among them.
     *
     * @param name the lease, whether it has a document or not
     * @return an unmodifiable list of the tickets in its wait queue, the first one first
     * @throws InterruptedException if the thread was interrupted
     */
    List<WaiterDetails> waiters(String name) throws InterruptedException;

    /**
     * Ends a tenure at once, expired or not, pinned or not, or the time for which a vacant lease is {@linkplain
     * LeaseRequest#atLeast kept free}. The token grows, no transaction gated by the old tenure commits any more, and the
     * lease can be acquired at once.
     *
     * <p>The old holder acts as holder until its engine has noticed, usually within a second: outside the database two
     * processes may act as holder. Use it for a holder that hangs, and know what that process might still do.
     *
     * <p>It reads the lease first, and ends only the tenure that it finds then: if the lease changes hands meanwhile, it is refused.
     *
     * @param name the lease
     * @param reason for people, 1 to 512 characters, not all of them blank and none a control character; logged, and
     *     shown with the vacant lease until it is acquired
     * @return {@link Granted} with the tenure that this call ended. For a lease that was only kept free: the tenure
     *     that had ended before, with the writer that ended it in place of the holder. {@link Refusal} if the lease was
     *     not held, or is held under another tenure by then
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    LeaseResult forceExpire(String name, String reason) throws InterruptedException;

    /**
     * Ends this tenure and no other: the lease may have changed hands since an operator looked at it.
     *
     * @param tenure the only one to be ended, as {@link LeaseState.Held} shows it
     * @param reason as of {@link #forceExpire(String, String)}
     * @return {@link Granted} with the tenure that this call ended, or {@link Refusal} if the lease is not held under it any more
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    LeaseResult forceExpire(Tenure tenure, String reason) throws InterruptedException;

    /**
     * Keeps a lease from being taken, whether it is vacant or past its expiry. A present holder goes on: it may renew
     * and release. Each entity has a pin of its own, and the lease is pinned as long as there is one.
     *
     * @param name the lease; only one that was held before has a document to be pinned
     * @param entity whose pin it is, shown in refusals: 1 to 512 bytes of UTF-8, not blank, without control characters
     * @return true if the lease is pinned by that entity now; false if there is no such lease
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    boolean pin(String name, String entity) throws InterruptedException;

    /**
     * Takes an entity's pin away.
     *
     * @param name the lease
     * @param entity whose pin it is
     * @return true if the lease is not pinned by that entity now; false if there is no such lease
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    boolean unpin(String name, String entity) throws InterruptedException;

    /**
     * Lists the records of the occurrences of a lease's work that were done.
     *
     * @param name the lease, whether it has a document or not
     * @param limit how many at most, 1 to 1,000
     * @return an unmodifiable list in descending order of the occurrences, as the database compares texts
     * @throws InterruptedException if the thread was interrupted
     */
    List<OccurrenceRecord> occurrences(String name, int limit) throws InterruptedException;

    /**
     * Removes the record of an occurrence, so that it can be done again. What the first run has done stays. A transaction that has read the
     * record before still counts it as done.
     *
     * @param name the lease
     * @param occurrence which occurrence
     * @param reason for people, 1 to 512 characters, not all of them blank and none a control character; logged
     * @return the record that was removed; empty if there was none
     * @throws LeaseOutcomeUnknownException if it may have been removed, or was made anew meanwhile, and stays. Before a repetition, look whether the
     *     occurrence was done again meanwhile
     * @throws InterruptedException if the thread was interrupted; it may have been removed
     */
    Optional<OccurrenceRecord> forgetOccurrence(String name, String occurrence, String reason)
            throws InterruptedException;

    /**
     * Releases a lease on behalf of its holder, as {@link Tenures#release} does. A lease that another engine's session
     * keeps is refused; {@link #forceExpire(Tenure, String)} can end it. The holder may act as holder until its engine
     * has noticed.
     *
     * @param tenure what is to end, as a listing shows it
     * @return {@link Granted} with the tenure that this call ended, or {@link Refusal}
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    LeaseResult release(Tenure tenure) throws InterruptedException;
}
