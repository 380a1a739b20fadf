package dev.leasehold.engine.protocol;

import dev.leasehold.engine.store.IdleTransaction;
import dev.leasehold.engine.store.WriterEntry;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which open transactions an engine may end because they keep the clock document from everybody.
 *
 * <p>An engine's own, and of those the idle ones alone: whoever is merely slow tries again with a new stamp. A caller's
 * transaction is never ended; its driver session is registered by no writer.
 */
public final class StuckTransactions {

    /** An engine sends its commit right after its update; who pauses for longer was paused itself, or is gone. */
    public static final long INACTIVE_NANOS_MAX = 1_000_000_000;

    private StuckTransactions() {}

    /**
     * The driver sessions to end, each with the writer that registered it.
     *
     * @param idle the transactions that the server lists
     * @param writers all entries of the clock document
     */
    public static Map<UUID, String> among(Collection<IdleTransaction> idle, Collection<WriterEntry> writers) {
        Map<UUID, String> stuck = new LinkedHashMap<>();
        for (IdleTransaction transaction : idle) {
            String writer = registeredBy(transaction.driverSession(), writers);
            if (writer != null && transaction.inactiveNanos() > INACTIVE_NANOS_MAX) {
                stuck.put(transaction.driverSession(), writer);
            }
        }
        return stuck;
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
