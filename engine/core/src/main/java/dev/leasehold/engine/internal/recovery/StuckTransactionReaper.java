package dev.leasehold.engine.internal.recovery;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.metrics.EngineEvent.StuckTransactionEnded;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lists idle transactions, has the server end those of engines that are stuck, and reports it. Engine thread only. */
final class StuckTransactionReaper {

    private static final Logger LOG = LoggerFactory.getLogger(StuckTransactionReaper.class);

    /** More than the longest idle time, since the listings themselves take time. */
    static final long LISTING_INTERVAL_NANOS = StuckTransactions.IDLE_NANOS_MAX + 50_000_000;

    private final String namespace;
    private final LeaseStore store;
    private final StampClock clock;
    private final EngineMetrics metrics;
    private final StuckTransactions stuckTransactions = new StuckTransactions();

    /** Driver sessions whose transaction was ended since a write last succeeded. */
    private final Set<UUID> ended = new HashSet<>();

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
        return stuckTransactions.among(store.idleTransactions(), store.survey().writers());
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
            warnOnce(writer, "the transaction of writer '" + stuckWriter + "' could not be ended");
        }
    }

    private void reportEnded(String stuckWriter, String what) {
        metrics.record(new StuckTransactionEnded());
        LOG.warn(
                "namespace '{}', writer '{}': {} and was ended; that writer was killed, or paused in the middle of it, or its"
                        + " abort was lost",
                namespace,
                stuckWriter,
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
                Map<UUID, String> left = StuckTransactions.leftBy(
                        evicted, store.idleTransactions(), store.survey().writers());
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
}
