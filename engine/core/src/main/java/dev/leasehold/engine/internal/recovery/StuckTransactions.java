package dev.leasehold.engine.internal.recovery;

import dev.leasehold.engine.internal.store.IdleTransaction;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Which open transactions an engine may end because they block the clock document or a lease.
 *
 * <p>Only transactions of engines, and of those only idle ones, are ended; a slow engine retries with a new stamp. A
 * caller's transaction is never ended: no writer has registered its driver session.
 *
 * <p>The server reports the sum of all idle times of a transaction since it began, which is long for a slow one too. So
 * it takes two listings: a transaction that no command has reached between them was idle all that time.
 */
final class StuckTransactions {

    /** An engine sends its commit right after its update. One that is idle for longer was paused or killed. */
    static final long IDLE_NANOS_MAX = 1_000_000_000;

    /** Each transaction as it was at the first listing of its present idle time. */
    private Map<UUID, IdleTransaction> previous = Map.of();

    /**
     * Adds a listing. Returns the driver sessions to end, each with the writer that registered it; none at the first
     * listing.
     */
    Map<UUID, String> among(Collection<IdleTransaction> idle, Collection<WriterEntry> writers) {
        Map<UUID, IdleTransaction> firstListings = new HashMap<>();
        Map<UUID, String> stuck = new LinkedHashMap<>();
        for (IdleTransaction transaction : idle) {
            UUID driverSession = transaction.driverSession();
            IdleTransaction first = firstListingOf(transaction);
            firstListings.put(driverSession, first);
            List<WriterEntry.Sound> users = usersOf(driverSession, writers);
            if (!users.isEmpty() && transaction.inactiveNanos() - first.inactiveNanos() > IDLE_NANOS_MAX) {
                stuck.put(driverSession, users.get(0).writer());
            }
        }
        previous = firstListings;
        return stuck;
    }

    /**
     * The driver sessions of evicted writers that have a transaction open, each with its writer. The sessions are over,
     * so it cannot be committed any more. A writer whose time has advanced since is alive, and so is an engine that uses
     * the driver session under another name: neither is returned.
     *
     * @param evicted the writers about to be evicted, each with the time from which its session was counted
     */
    static Map<UUID, String> leftBy(
            Map<String, Long> evicted, Collection<IdleTransaction> idle, Collection<WriterEntry> entries) {
        Map<UUID, String> left = new LinkedHashMap<>();
        for (IdleTransaction transaction : idle) {
            List<WriterEntry.Sound> users = usersOf(transaction.driverSession(), entries);
            if (!users.isEmpty() && users.stream().allMatch(user -> isOver(user, evicted))) {
                left.put(transaction.driverSession(), users.get(0).writer());
            }
        }
        return left;
    }

    private static boolean isOver(WriterEntry.Sound entry, Map<String, Long> evicted) {
        return Long.valueOf(entry.timeNanos()).equals(evicted.get(entry.writer()));
    }

    private IdleTransaction firstListingOf(IdleTransaction transaction) {
        IdleTransaction earlier = previous.get(transaction.driverSession());
        return earlier != null && transaction.wasIdleSince(earlier) ? earlier : transaction;
    }

    /** The writers that have registered the driver session: one engine, under several names. */
    private static List<WriterEntry.Sound> usersOf(UUID driverSession, Collection<WriterEntry> writers) {
        return writers.stream()
                .filter(WriterEntry.Sound.class::isInstance)
                .map(WriterEntry.Sound.class::cast)
                .filter(entry -> driverSession.equals(entry.driverSession()))
                .toList();
    }
}
