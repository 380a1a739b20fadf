package dev.leasehold.simulator.report;

import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.History;
import dev.leasehold.simulator.history.WriterName;
import java.util.Map;
import java.util.TreeMap;

/**
 * At which instant of true time the clock of a writer shows a stamp. A stamp is the wall time at which the engine was made, and how far the
 * monotonic clock has run since. An engine is made no later than its first message is sent, and for the picture that is near enough.
 */
final class StampClock {

    private final History history;
    private final Map<String, Long> madeNanos = new TreeMap<>();

    StampClock(History history) {
        this.history = history;
        long[] firstSentNanos = new long[history.clocks().size()];
        for (int i = 0; i < firstSentNanos.length; i++) {
            firstSentNanos[i] = -1;
        }
        for (Event event : history.events()) {
            if (event instanceof Event.Message it && it.leg() == Event.Leg.SENT && firstSentNanos[it.machine()] < 0) {
                firstSentNanos[it.machine()] = it.atNanos();
            } else if (event instanceof Event.Started it) {
                long sentNanos = firstSentNanos[it.machine()];
                madeNanos.put(key(it.machine(), it.incarnation()), sentNanos < 0 ? it.atNanos() : sentNanos);
            } else if (event instanceof Event.Stopped it) {
                firstSentNanos[it.machine()] = -1;
            }
        }
    }

    private static String key(int machine, int incarnation) {
        return machine + "/" + incarnation;
    }

    /** {@link Long#MAX_VALUE} when the clock never shows it, or it is not known whose it is. */
    long trueNanos(String writer, long stampNanos) {
        WriterName name = WriterName.of(writer);
        Long made = madeNanos.get(key(name.machine(), name.incarnation()));
        if (made == null) {
            return Long.MAX_VALUE;
        }
        MachineClock clock = history.clocks().get(name.machine());
        return clock.afterElapsedNanos(made, stampNanos - clock.wallNanos(made));
    }
}
