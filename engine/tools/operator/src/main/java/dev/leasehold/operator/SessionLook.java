package dev.leasehold.operator;

import dev.leasehold.engine.LeaseInspector;
import dev.leasehold.engine.WriterState;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks at an engine until its stamp has moved, which shows that it lives. Nothing else does: no clocks are compared.
 *
 * @param writer as it was at the last look; empty if it has no entry
 * @param lookedFor how long it was looked at
 */
record SessionLook(Optional<WriterState> writer, Duration lookedFor) {

    private static final long PAUSE_MILLIS = 200;

    /** A heartbeat comes every third of the length of a session, by default. */
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /**
     * Looks at a writer.
     *
     * @param longest for how long at the most; null for as long as a heartbeat can take by default
     */
    static SessionLook at(String writer, LeaseInspector inspector, @Nullable Duration longest)
            throws InterruptedException {
        long beganNanos = System.nanoTime();
        while (true) {
            Optional<WriterState> found = inspector.writers().stream()
                    .filter(state -> state.writer().equals(writer))
                    .findFirst();
            Duration lookedFor = Duration.ofNanos(System.nanoTime() - beganNanos);
            if (!isWorthwhile(found, lookedFor, longest)) {
                return new SessionLook(found, lookedFor);
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private static boolean isWorthwhile(Optional<WriterState> found, Duration lookedFor, @Nullable Duration longest) {
        return found.orElse(null) instanceof WriterState.Known known
                && known.session() != null
                && !known.seenMoving()
                && lookedFor.compareTo(longest == null ? heartbeat(known.session()) : longest) < 0;
    }

    private static Duration heartbeat(Duration session) {
        Duration expected = session.dividedBy(5).multipliedBy(2).plusSeconds(1);
        return expected.compareTo(LONGEST) < 0 ? expected : LONGEST;
    }
}
