package dev.leasehold.simulator.report;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Handlers;
import dev.leasehold.simulator.plan.History;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** How fast the monotonic clock of a machine ran, and how far it was ahead of true time at the end of each piece. */
final class ClockLane {

    private ClockLane() {}

    static List<TimelineBar> of(History history, int machine) {
        MachineClock clock = history.clocks().get(machine);
        List<TimelineBar> bars = new ArrayList<>();
        List<Long> bounds = bounds(history, machine);
        long fromNanos = 0;
        for (int i = 1; i < bounds.size(); i++) {
            long toNanos = bounds.get(i);
            boolean goesOn =
                    i + 1 < bounds.size() && ppm(clock, toNanos, bounds.get(i + 1)) == ppm(clock, fromNanos, toNanos);
            if (!goesOn) {
                bars.add(bar(clock, fromNanos, toNanos));
                fromNanos = toNanos;
            }
        }
        return bars;
    }

    /** The instants at which the rate may have changed. */
    private static List<Long> bounds(History history, int machine) {
        List<Event> events = history.events();
        long endNanos = events.isEmpty() ? 0 : events.get(events.size() - 1).atNanos();
        TreeSet<Long> bounds = new TreeSet<>(List.of(0L, endNanos));
        for (Machine.Rate rate : history.plan().machines().get(machine).rates()) {
            bounds.add(rate.fromNanos());
        }
        Handlers<Event> faults = new Handlers<Event>().on(Event.Fault.class, it -> {
            if (it.machine() == machine) {
                bounds.addAll(List.of(it.atNanos(), it.untilNanos()));
            }
        });
        events.forEach(faults::handle);
        return List.copyOf(bounds.headSet(endNanos, true));
    }

    private static TimelineBar bar(MachineClock clock, long fromNanos, long toNanos) {
        long ppm = ppm(clock, fromNanos, toNanos);
        String label = (ppm > 0 ? "+" : "") + ppm + " ppm, ahead " + TimeText.brief(clock.ranNanos(toNanos) - toNanos);
        String style = "rate " + (ppm == 0 ? "" : ppm > 0 ? "fast" : "slow");
        String tip = label + "\nwall clock " + wall(clock, fromNanos) + " to " + wall(clock, toNanos);
        return TimelineBar.from(fromNanos, style, label, tip).until(toNanos);
    }

    private static long ppm(MachineClock clock, long fromNanos, long toNanos) {
        double spanNanos = toNanos - fromNanos;
        return Math.round((clock.elapsedNanos(fromNanos, toNanos) - spanNanos) / spanNanos * 1_000_000);
    }

    private static Instant wall(MachineClock clock, long atNanos) {
        return Instant.EPOCH.plusNanos(clock.wallNanos(atNanos));
    }
}
