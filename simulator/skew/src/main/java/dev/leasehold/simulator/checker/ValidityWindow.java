package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import java.util.ArrayList;
import java.util.List;

/** A span of true time during which an engine said, or would have said, that a tenure is held. */
final class ValidityWindow {

    private final Incarnation by;
    private final HeldTenure tenure;
    private final long fromNanos;
    private final List<Event.Believed> said = new ArrayList<>(2);
    private long untilNanos;
    private long doubtedNanos = Incarnation.NEVER;

    ValidityWindow(Incarnation by, Event.Believed first) {
        this.by = by;
        this.tenure = first.tenure();
        this.fromNanos = first.atNanos();
        says(first);
    }

    void says(Event.Believed event) {
        said.add(event);
        untilNanos = event.untilNanos();
    }

    Incarnation by() {
        return by;
    }

    HeldTenure tenure() {
        return tenure;
    }

    long fromNanos() {
        return fromNanos;
    }

    /** The first instant that is not in it. */
    long untilNanos() {
        return untilNanos;
    }

    /** Until when it was said to last, each time that this was asked. */
    List<Event.Believed> said() {
        return said;
    }

    /** What was said last until an instant of its end, while it lasted. */
    long statedNanos(long atNanos) {
        for (int i = said.size() - 1; i > 0; i--) {
            if (said.get(i).atNanos() <= atNanos) {
                return said.get(i).untilNanos();
            }
        }
        return said.get(0).untilNanos();
    }

    void cutAt(long atNanos) {
        untilNanos = Math.min(untilNanos, atNanos);
    }

    /** Its engine has said that it is over, maybe only when its machine woke. */
    void doubtedAt(long atNanos) {
        cutAt(atNanos);
        doubtedNanos = atNanos;
    }

    /** When its engine said that it is over; NEVER if it has not. */
    long doubtedNanos() {
        return doubtedNanos;
    }
}
