package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Event;
import org.jspecify.annotations.Nullable;

/** A write that the primary carried out, and what became of it. */
final class Commit {

    private final Event.Committed event;
    private final @Nullable Life life;
    private long majorityNanos = Long.MAX_VALUE;
    private boolean rolledBack;

    Commit(Event.Committed event, @Nullable Life life) {
        this.event = event;
        this.life = life;
    }

    long atNanos() {
        return event.atNanos();
    }

    long version() {
        return event.version();
    }

    Event.Author author() {
        return event.author();
    }

    /** The engine that wrote it; null for callers and for people. */
    @Nullable Life life() {
        return life;
    }

    boolean isByHand() {
        return event.author().kind() == Event.Author.Kind.HAND;
    }

    /** Whether it changed a document that a call can ask to be changed. */
    boolean changesMoreThanClock() {
        for (int i = 0; i < event.changes().size(); i++) {
            if (!(event.changes().get(i) instanceof Change.OfClock)) {
                return true;
            }
        }
        return false;
    }

    /** When a majority had it; MAX_VALUE if that never was. */
    long majorityNanos() {
        return majorityNanos;
    }

    void majorityHasIt(long atNanos) {
        majorityNanos = atNanos;
    }

    boolean isRolledBack() {
        return rolledBack;
    }

    void rolledBack() {
        rolledBack = true;
    }

    /** Who wrote it, for sentences. */
    String who() {
        return switch (event.author().kind()) {
            case TRANSACTION, SINGLE_WRITE -> String.valueOf(life);
            case CALLER -> "a caller on m" + event.author().machine();
            case HAND -> "somebody by hand";
        };
    }
}
