package dev.leasehold.engine.internal.recovery;

import dev.leasehold.engine.internal.store.IdleTransaction;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which open transactions an engine may end because they keep the clock document, or a lease, from everybody.
 *
 * <p>An engine's own, and of those the idle ones alone: whoever is merely slow tries again with a new stamp. A caller's
 * transaction is never ended; its driver session is registered by no writer.
 *
 * <p>The server tells how long a transaction has rested since it began, which is long for a slow one, too. So it takes two
 * looks: what no command has come to between them has rested all that time.
 */
public final class StuckTransactions {

    /** An engine sends its commit right after its update; who pauses for longer was paused itself, or is gone. */
    public static final long REST_NANOS_MAX = 1_000_000_000;

    /** As they were at the first look at the rest that they are in. */
    private Map<UUID, IdleTransaction> resting = Map.of();

    /** Nothing is stuck at a first look. */
    public StuckTransactions() {}

    /**
     * Looks again. Returns the driver sessions to end, each with the writer that registered it.
     *
     * @param idle the transactions that the server lists
     * @param writers all entries of the clock document
     */
    public Map<UUID, String> among(Collection<IdleTransaction> idle, Collection<WriterEntry> writers) {
        Map<UUID, IdleTransaction> rests = new HashMap<>();
        Map<UUID, String> stuck = new LinkedHashMap<>();
        for (IdleTransaction transaction : idle) {
            UUID driverSession = transaction.driverSession();
            IdleTransaction first = firstLookAt(transaction);
            rests.put(driverSession, first);
            String writer = registeredBy(driverSession, writers);
            if (writer != null && transaction.inactiveNanos() - first.inactiveNanos() > REST_NANOS_MAX) {
                stuck.put(driverSession, writer);
            }
        }
        resting = rests;
        return stuck;
    }

    /**
     * The driver sessions of those of the writers that have a transaction open, each with its writer. Their sessions are over, so however
     * short it has rested, nothing can come of it. Whose time has gone on since then lives, and is not evicted; nor does an engine end that
     * goes on under another name in the same driver session.
     *
     * @param evicted who are about to be evicted, each with the time from which its session was counted
     * @param idle the transactions that the server lists
     * @param entries all entries of the clock document
     */
    public static Map<UUID, String> leftBy(
            Map<String, Long> evicted, Collection<IdleTransaction> idle, Collection<WriterEntry> entries) {
        Map<Boolean, List<WriterEntry>> ended =
                entries.stream().collect(Collectors.partitioningBy(entry -> isOver(entry, evicted)));
        Map<UUID, String> left = new LinkedHashMap<>();
        for (IdleTransaction transaction : idle) {
            UUID driverSession = transaction.driverSession();
            String writer = registeredBy(driverSession, Objects.requireNonNull(ended.get(true)));
            if (writer != null && registeredBy(driverSession, Objects.requireNonNull(ended.get(false))) == null) {
                left.put(driverSession, writer);
            }
        }
        return left;
    }

    private static boolean isOver(WriterEntry entry, Map<String, Long> evicted) {
        return entry instanceof WriterEntry.Sound sound
                && Long.valueOf(sound.timeNanos()).equals(evicted.get(sound.writer()));
    }

    private IdleTransaction firstLookAt(IdleTransaction transaction) {
        IdleTransaction earlier = resting.get(transaction.driverSession());
        return earlier != null && transaction.hasRestedSince(earlier) ? earlier : transaction;
    }

    private static @Nullable String registeredBy(UUID driverSession, Collection<WriterEntry> writers) {
        for (WriterEntry entry : writers) {
            if (entry instanceof WriterEntry.Sound sound && driverSession.equals(sound.driverSession())) {
                return sound.writer();
            }
        }
        return null;
    }
}
