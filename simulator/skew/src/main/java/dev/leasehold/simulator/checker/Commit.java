package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Event;
import org.jspecify.annotations.Nullable;

/** A write that the primary carried out and that was not taken back. */
final class Commit {

    private final Event.Committed event;
    private final @Nullable Incarnation by;
    private long majorityNanos = Incarnation.NEVER;

    Commit(Event.Committed event, @Nullable Incarnation by) {
        this.event = event;
        this.by = by;
    }

    Event.Committed event() {
        return event;
    }

    long atNanos() {
        return event.atNanos();
    }

    Event.Author author() {
        return event.author();
    }

    /** The engine that wrote it; null for callers and for people. */
    @Nullable Incarnation by() {
        return by;
    }

    boolean isByHand() {
        return event.author().kind() == Event.Author.Kind.HAND;
    }

    /** When a majority had it; NEVER if that never was. */
    long majorityNanos() {
        return majorityNanos;
    }

    void majorityHasIt(long atNanos) {
        majorityNanos = atNanos;
    }

    /** Whether a majority had it by then. */
    boolean isSureAt(long atNanos) {
        return majorityNanos <= atNanos;
    }

    /** Who wrote it, for sentences. */
    @Override
    public String toString() {
        return switch (event.author().kind()) {
            case TRANSACTION, SINGLE_WRITE -> String.valueOf(by);
            case CALLER -> "a caller on m" + event.author().machine();
            case HAND -> "somebody by hand";
        };
    }
}
