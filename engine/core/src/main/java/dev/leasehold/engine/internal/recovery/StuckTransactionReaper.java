package dev.leasehold.engine.internal.recovery;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.metrics.EngineEvent.StuckTransactionEnded;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.store.IdleTransaction;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the server end the transactions of engines that block the clock document or a lease, and reports it. Engine thread
 * only.
 *
 * <p>Only transactions of engines, and of those only idle ones, are ended; a slow engine retries with a new stamp. A
 * caller's transaction is never ended: no writer has registered its driver session.
 *
 * <p>The server reports the sum of all idle times of a transaction since it began, which is long for a slow one too. So
 * it takes two listings: a transaction that no command has reached between them was idle all that time.
 */
final class StuckTransactionReaper {

    private static final Logger LOG = LoggerFactory.getLogger(StuckTransactionReaper.class);

    /** An engine sends its commit right after its update. One that is idle for longer was paused or killed. */
    private static final long IDLE_NANOS_MAX = 1_000_000_000;

    /** More than the longest idle time, since the listings themselves take time. */
    static final long LISTING_INTERVAL_NANOS = IDLE_NANOS_MAX + 50_000_000;

    private final String namespace;
    private final LeaseStore store;
    private final StampClock clock;
    private final EngineMetrics metrics;

    /** Driver sessions whose transaction was ended since a write last succeeded. */
    private final Set<UUID> ended = new HashSet<>();

    /** Each idle transaction as it was at the first listing of its present idle time. */
    private Map<UUID, IdleTransaction> firstListings = Map.of();

    private @Nullable Long listedNanos;
    private boolean warned;

    StuckTransactionReaper(String namespace, LeaseStore store, StampClock clock, EngineMetrics metrics) {
        this.namespace = namespace;
        this.store = store;
        this.clock = clock;
        this.metrics = metrics;
    }

    /** A write succeeded, or at least was not blocked at the clock document. A later blockage is a new case. */
    void onProgress() {
        ended.clear();
        warned = false;
    }

    /** Lists without ending anything. It takes two listings to find what is stuck, so the first is made early. */
    void list(String writer) {
        try {
            findStuck();
        } catch (LeaseException e) {
            logFailure(writer, e);
        }
    }

    void listUnlessRecent(String writer) {
        if (listedNanos == null || clock.nowNanos() - listedNanos >= LISTING_INTERVAL_NANOS) {
            list(writer);
        }
    }

    private Map<UUID, String> findStuck() {
        listedNanos = clock.nowNanos();
        List<UUID> resting = restingAmong(store.idleTransactions());
        // A first listing finds none, and the read of all writers would delay what waits for it.
        return resting.isEmpty() ? Map.of() : ofEngines(resting, store.survey().writers());
    }

    /**
     * Lists, and ends the transactions that have been stuck since an earlier listing.
     *
     * @return whether there was any
     * @throws LeaseException if they could not be listed or ended
     */
    boolean endStuck(String writer, String blockedDocument) {
        Map<UUID, String> stuck = findStuck();
        if (stuck.isEmpty()) {
            return false;
        }
        store.endTransactions(stuck.keySet());
        stuck.forEach((driverSession, stuckWriter) -> report(writer, driverSession, stuckWriter, blockedDocument));
        return true;
    }

    private void report(String writer, UUID driverSession, String stuckWriter, String blockedDocument) {
        if (ended.add(driverSession)) {
            reportEnded(stuckWriter, "its transaction blocked " + blockedDocument);
        } else {
            warnOnce(writer, "the transaction of writer " + LeaseNames.quote(stuckWriter) + " could not be ended");
        }
    }

    private void reportEnded(String stuckWriter, String what) {
        metrics.record(new StuckTransactionEnded());
        LOG.warn(
                "namespace '{}', writer {}: {} and was ended; that writer was killed, or paused in the middle of it, or its"
                        + " abort was lost",
                namespace,
                LeaseNames.quote(stuckWriter),
                what);
    }

    /**
     * Ends the transactions of writers that are about to be evicted. Without their entries no engine could tell any
     * more that the transactions are those of engines.
     *
     * @param evicted each with the time from which its session was counted
     */
    void endLeftBy(Map<String, Long> evicted, String writer) {
        if (!evicted.isEmpty()) {
            try {
                Map<UUID, String> left =
                        leftBy(evicted, store.idleTransactions(), store.survey().writers());
                if (!left.isEmpty()) {
                    store.endTransactions(left.keySet());
                    left.values()
                            .forEach(leftBy ->
                                    reportEnded(leftBy, "its session is over, and its transaction was still open"));
                }
            } catch (LeaseException e) {
                logFailure(writer, e);
            }
        }
    }

    void logFailure(String writer, LeaseException failure) {
        LOG.debug(
                "namespace '{}', writer '{}': could not look into what is blocked: {}",
                namespace,
                writer,
                failure.getMessage());
    }

    /** Warns that the clock document stays blocked, once until {@link #onProgress}. */
    void warnOnce(String writer, String why) {
        if (!warned) {
            warned = true;
            LOG.warn(
                    "namespace '{}', writer '{}': the clock document is blocked, so that no engine can write leases: by a transaction, until"
                            + " the server ends it, or because the server takes no writes, as under fsyncLock: {}",
                    namespace,
                    writer,
                    why);
        }
    }

    // ---- which transactions may be ended ----

    /** The driver sessions whose transaction has rested for long since an earlier listing; none at the first listing. */
    List<UUID> restingAmong(Collection<IdleTransaction> idle) {
        Map<UUID, IdleTransaction> listings = new HashMap<>();
        List<UUID> resting = new ArrayList<>();
        for (IdleTransaction transaction : idle) {
            IdleTransaction first = firstListingOf(transaction);
            listings.put(transaction.driverSession(), first);
            if (transaction.inactiveNanos() - first.inactiveNanos() > IDLE_NANOS_MAX) {
                resting.add(transaction.driverSession());
            }
        }
        firstListings = listings;
        return resting;
    }

    /** Those that a writer has registered, each with that writer. */
    static Map<UUID, String> ofEngines(List<UUID> driverSessions, Collection<WriterEntry> writers) {
        Map<UUID, String> ofEngines = new LinkedHashMap<>();
        for (UUID driverSession : driverSessions) {
            usersOf(driverSession, writers).stream()
                    .findFirst()
                    .ifPresent(user -> ofEngines.put(driverSession, user.writer()));
        }
        return ofEngines;
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
        IdleTransaction earlier = firstListings.get(transaction.driverSession());
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
