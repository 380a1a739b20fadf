package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G6;
import static dev.leasehold.simulator.checker.Guarantee.LIM;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Handlers;
import dev.leasehold.simulator.history.Marks;
import org.jspecify.annotations.Nullable;

/**
 * G6: an engine never ends a transaction of application code. LIM: it ends that of another engine only after it was idle for a second, unless
 * the session of that one is certainly over.
 */
record RescueInvariant(Model history, Violations violations) implements Invariant {

    private static final long IDLE_NANOS_MIN = 1_000_000_000;

    @Override
    public void check() {
        history.tell(new Handlers<Event>().on(Event.Reached.class, this::reached));
    }

    private void reached(Event.Reached reached) {
        Event.Rest rest = reached.rest();
        if (reached.mark().equals(Marks.CALLER_ENDED)) {
            violations.add(
                    G6, reached.atNanos(), null, "the engine on m%s ended a caller's transaction", reached.machine());
        } else if (rest != null
                && rest.nanos() < IDLE_NANOS_MIN
                && history.isInside()
                && !mayBeOver(history.writer(rest.writer()), reached.atNanos())) {
            String what =
                    "the engine on m%s ended the transaction of %s, whose session went on, and which was idle for %s";
            violations.add(LIM, reached.atNanos(), null, what, reached.machine(), rest.writer(), rest.nanos());
        }
    }

    /** Whether a session was over by any sign of life that was the newest which a majority had within the last second. */
    private static boolean mayBeOver(@Nullable WriterLog writer, long atNanos) {
        for (int i = writer == null ? -1 : writer.versions.size() - 1; writer != null && i >= 0; i--) {
            WriterLog.Version version = writer.versions.get(i);
            if (version.commit().atNanos <= atNanos) {
                if (isOver(version, atNanos)) {
                    return true;
                }
                if (version.commit().isSureAt(atNanos - IDLE_NANOS_MIN)) {
                    return false;
                }
            }
        }
        return writer == null;
    }

    private static boolean isOver(WriterLog.Version entry, long atNanos) {
        StoredTime session = StoredTime.ofSession(entry);
        return entry.row() == null || entry.commit().by == null || session != null && session.isOver(atNanos);
    }
}
