package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import java.util.ArrayList;
import java.util.List;

/** A span of true time during which an engine said, or would have said, that a tenure is held. */
final class ValidityWindow {

    final Incarnation by;
    final HeldTenure tenure;
    final long fromNanos;
    /** Until when it was said to last, each time that this was asked. */
    final List<Event.ValidUntil> said = new ArrayList<>(2);
    /** The first instant that is not in it. */
    long untilNanos;
    /** When its engine said that it is over; NEVER if it has not. */
    long saidOverNanos = Incarnation.NEVER;

    /** Whether what is said next is of another one. */
    boolean brokenOff;

    ValidityWindow(Incarnation by, Event.ValidUntil first) {
        this.by = by;
        this.tenure = first.tenure();
        this.fromNanos = first.atNanos();
        says(first);
    }

    void says(Event.ValidUntil event) {
        said.add(event);
        untilNanos = event.untilNanos();
    }

    /** Until when it was last said to last. */
    long saidUntilNanos() {
        return said.get(said.size() - 1).untilNanos();
    }

    /** No step of its machine can rest on it any more. */
    void breaksOff(long atNanos) {
        untilNanos = Math.min(untilNanos, atNanos);
        brokenOff = true;
    }

    /** Its engine has said that it is over, maybe only when its machine woke. */
    void saysOver(long atNanos) {
        if (saidOverNanos == Incarnation.NEVER) {
            breaksOff(atNanos);
            saidOverNanos = atNanos;
        }
    }

    boolean isOf(Incarnation engine, HeldTenure held) {
        return by == engine && tenure.equals(held);
    }

    boolean contains(long atNanos) {
        return fromNanos < atNanos && untilNanos > atNanos;
    }

    /** Whether any instant of it, or its end, is between two instants, these included. */
    boolean touches(long firstNanos, long lastNanos) {
        return fromNanos <= lastNanos && untilNanos >= firstNanos;
    }
}
