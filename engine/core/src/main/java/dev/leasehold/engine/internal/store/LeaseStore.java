package dev.leasehold.engine.internal.store;

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
 * Where the documents of one namespace, or of one partition of it, are kept. All input and output of the engine goes through here.
 *
 * <p>Used by one thread, the engine's own. Reads throw; writes answer with a {@link WriteOutcome}. A read sees only
 * what a majority has, at least all that this store wrote or read before, and everything that made an earlier
 * transaction of this store miss or fail.
 *
 * <p>Reads throw {@link LeaseUnavailableException} when trying again may help, {@link CorruptDocumentException} when
 * the clock document is missing, foreign, corrupt, of a newer schema or made for another number of partitions, and another {@link LeaseException} when trying
 * again does not help.
 */
public interface LeaseStore extends AutoCloseable {

    /**
     * Checks the deployment and makes sure that the clock document exists, made for as many partitions as this store is. To be
     * called first.
     */
    void open();

    /** What is known of the servers without asking them, in words. Any thread may ask, also before the store is open. */
    default String servers() {
        return "nothing is known of its servers";
    }

    /** The driver session in which all transactions run; known before the first of them. */
    UUID driverSession();

    /**
     * Reads leases and then the clock document, with the entries of the leases' writers and of one more.
     *
     * @param names the leases; each is answered, absent ones too
     * @param writer the writer whose entry is wanted in any case
     */
    Snapshot read(Set<String> names, String writer);

    /**
     * Reads the next leases in the order of their ids, from the highest down, and then the clock document.
     *
     * @param belowId where the page before ended; null for the first page
     * @param limit the longest page
     * @param writer the writer whose entry is wanted in any case
     */
    Page page(@Nullable String belowId, int limit, String writer);

    /** All entries of the clock document. */
    Collection<WriterEntry> writers();

    /** Reads the whole clock document, for those who watch how it grows. */
    ClockSurvey survey();

    /**
     * Runs one transaction.
     *
     * @param transaction the guarded writes
     * @param mayCommit asked once, after all guards held and before the commit is sent
     */
    WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit);

    /**
     * Sends the commit of the last transaction again, after its outcome was unknown. Reads in between do not matter; after
     * any other write it is not sent, and the outcome stays unknown. Answers that it was applied, that it was not and never
     * will be (unavailable), or that it is still unknown.
     */
    WriteOutcome commitAgain();

    /**
     * Writes the clock document alone. It waits behind an open transaction, and for about a second at the most: then it is a
     * conflict.
     */
    WriteOutcome writeClock(ClockWrite write);

    /**
     * Writes leases, each for itself and without a transaction. A guard that does not hold stops none of the others.
     *
     * <p>Applied means all of them. After missed, conflict and unknown each may have been written or not, and reading them
     * tells: after missed and conflict at once, after unknown only when a later write of this store was done. The others
     * mean none. A lease that a caller's transaction holds is waited for only briefly; then it is a conflict.
     *
     * @param writer who writes
     * @param writes at most one for each lease, at least one; none that writes gate stripes, which belong into a transaction
     * @throws IllegalArgumentException if one writes gate stripes
     */
    WriteOutcome writeLeases(String writer, List<LeaseWrite.Replace> writes);

    /**
     * Begins to watch for leases that become free, in all partitions of the namespace. Sends nothing yet. The result is used
     * by a thread of its own, beside the one of this store.
     */
    LeaseChanges changes();

    /** The open transactions of this database user, or of all users if there is no authentication. */
    List<IdleTransaction> idleTransactions();

    /**
     * Ends the transactions that are open in these driver sessions. No complaint means little: that it worked shows only in
     * the progress of the clock document.
     */
    void endTransactions(Collection<UUID> driverSessions);

    /** Ends what is open. Never throws. */
    @Override
    void close();

    /**
     * A part of the leases.
     *
     * @param snapshot the leases of the page
     * @param lastId where it ended; null when it was the last page
     */
    record Page(Snapshot snapshot, @Nullable String lastId) {}
}
