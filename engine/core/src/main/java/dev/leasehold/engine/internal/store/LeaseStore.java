package dev.leasehold.engine.internal.store;

import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Stores the documents of one partition of a namespace. All I/O of the engine goes through this interface.
 *
 * <p>Engine thread of the partition only. Reads throw; writes return a {@link WriteOutcome}. A read sees only what a majority has, at least
 * everything that this store wrote or read before, and everything that made an earlier transaction of this store miss
 * or fail.
 *
 * <p>Reads throw
 * <ul>
 * <li>{@link LeaseUnavailableException} if a retry may help,
 * <li>{@link CorruptDocumentException} if the clock document is missing, foreign, corrupt, of a newer schema or made
 *     for another number of partitions,
 * <li>another {@link LeaseException} if a retry does not help.
 * </ul>
 */
public interface LeaseStore extends AutoCloseable {

    /**
     * Checks the deployment and creates the clock document if there is none, for the store's number of partitions.
     * Called first.
     */
    void open();

    /** Describes the servers as far as known without a request. Thread-safe, also before the store is open. */
    default String servers() {
        return "nothing is known of its servers";
    }

    /** The driver session of all transactions; known before the first of them. */
    UUID driverSession();

    /**
     * Reads leases, each with its queue after it, and then the clock document, with the entries of the leases' writers, of the first waiters and
     * of one more writer. The result contains each lease, absent ones too.
     */
    Snapshot read(Set<String> names, String writer);

    /**
     * Reads the next leases in descending order of their ids, and then the clock document.
     *
     * @param belowId the end of the previous page; null for the first page
     * @param limit the maximum size of the page
     */
    Page page(@Nullable String belowId, int limit, String writer);

    /**
     * Reads the next queues in descending order of their ids, each as of a moment of its own.
     *
     * @param belowId the end of the previous page; null for the first page
     * @param limit the maximum size of the page
     */
    QueuePage queues(@Nullable String belowId, int limit);

    /** Reads the whole clock document. */
    ClockSurvey survey();

    /** Reads the newest stamps of all writers, with the whole entry of one: far less than a survey. */
    ClockStamps stamps(String writer);

    /** Reads the record of one occurrence of the work of a lease; null if there is none. */
    @Nullable OccurrenceRecord occurrence(String lease, String occurrence);

    /**
     * Reads records of occurrences of a lease, in descending order of their ids.
     *
     * @param limit how many at most
     */
    List<OccurrenceRecord> occurrences(String lease, int limit);

    /**
     * Removes a record of an occurrence, if it is there and no newer one. Throws as reads do, and may be repeated. A failure does not tell
     * that it was not removed, unless the database has refused.
     *
     * @return whether this call has removed it
     */
    boolean forgetOccurrence(OccurrenceRecord record);

    /**
     * Looks at the next queues in descending order of their ids: takes tickets out whose writers have no entry in the clock document, which is
     * read afterwards, and removes what is empty. Throws as reads do, and may be repeated.
     *
     * @param belowId the end of the previous page; null for the first page
     * @param limit the maximum size of the page
     */
    Removal tidyQueues(@Nullable String belowId, int limit);

    /**
     * Looks at the next records of all leases in descending order of their ids, and removes those that are older than the retention, by the
     * server's clock. Throws as reads do, and may be repeated.
     *
     * @param belowId the end of the previous page; null for the first page
     * @param limit the maximum size of the page
     */
    Removal removeOldOccurrences(@Nullable String belowId, int limit, long retentionNanos);

    /**
     * Runs one transaction.
     *
     * @param mayCommit called once, after all guards held and before the commit is sent
     */
    WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit);

    /**
     * Resends the commit of the last transaction after an unknown outcome. Reads in between do not matter; after any
     * other write it is not sent, and the outcome stays unknown. Returns applied, unavailable (not applied, and never
     * will be) or unknown.
     */
    WriteOutcome commitAgain();

    /**
     * Writes the clock document alone. Behind an open transaction it waits for about a second at most, and then returns
     * a conflict.
     */
    WriteOutcome writeClock(ClockWrite write);

    /**
     * Writes leases independently of each other and without a transaction. A guard that misses does not stop the other
     * writes.
     *
     * <table>
     * <caption>Outcomes</caption>
     * <tr><td>applied</td><td>all were written</td></tr>
     * <tr><td>missed, conflict</td><td>each may have been written or not; a read shows which at once</td></tr>
     * <tr><td>unknown</td><td>each may have been written or not; a read shows which after a later write of this store was
     * done</td></tr>
     * <tr><td>others</td><td>none was written</td></tr>
     * </table>
     *
     * <p>If a caller's transaction holds a lease, the write waits only briefly, and then returns a conflict.
     *
     * <p>Writes of queues come first. If the server refuses one, as of a corrupt queue document, it counts as done, and the others are sent
     * without it: a queue never decides about its lease.
     *
     * @param writes one or more, at most one per lease; none that writes gate stripes, which need a transaction
     * @throws IllegalArgumentException if one of them writes gate stripes
     */
    WriteOutcome writeLeases(String writer, List<? extends LeaseWrite.Alone> writes);

    /** As {@link #changes(boolean)}, for what a waiter or holder has to know. */
    default LeaseChanges changes() {
        return changes(false);
    }

    /**
     * A change stream over all partitions of the namespace, for a thread of its own. Sends nothing yet.
     *
     * @param observing whether it also reports {@link LeaseChange.Described}
     */
    LeaseChanges changes(boolean observing);

    /** The open transactions of this database user, or of all users if there is no authentication. */
    List<IdleTransaction> idleTransactions();

    /**
     * Ends the open transactions of these driver sessions. A normal return proves little: only the progress of the
     * clock document shows that it worked.
     */
    void endTransactions(Collection<UUID> driverSessions);

    /** Closes the store. Never throws. */
    @Override
    void close();

    /**
     * One page of records that were looked at.
     *
     * @param removed how many of them were removed
     * @param lastId the end of the page; null for the last page
     */
    record Removal(int removed, @Nullable String lastId) {}

    /**
     * One page of leases.
     *
     * @param lastId the end of the page; null for the last page
     */
    record Page(Snapshot snapshot, @Nullable String lastId) {}

    /**
     * A page of queues.
     *
     * @param lastId the id to continue below; null at the end
     */
    record QueuePage(List<StoredQueue> queues, @Nullable String lastId) {}
}
