package dev.leasehold.simulator.report;

import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.WriterName;
import dev.leasehold.simulator.plan.History;
import java.util.ArrayList;
import java.util.List;

/** At which instant of true time the clock of a writer shows a stamp. */
final class StampClock {

    private final History history;
    private final List<Event.Started> starts = new ArrayList<>();

    StampClock(History history) {
        this.history = history;
        for (Event event : history.events()) {
            if (event instanceof Event.Started started) {
                starts.add(started);
            }
        }
    }

    /** {@link Long#MAX_VALUE} when the clock never shows it, or the writer's engine is not known. */
    long trueNanos(String writer, long stampNanos) {
        WriterName name = WriterName.of(writer);
        for (Event.Started started : starts) {
            if (started.machine() == name.machine() && started.incarnation() == name.incarnation()) {
                MachineClock clock = history.clocks().get(name.machine());
                return clock.afterElapsedNanos(started.atNanos(), stampNanos - started.localNanos());
            }
        }
        return Long.MAX_VALUE;
    }
}
