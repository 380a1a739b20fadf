package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Event;
import org.jspecify.annotations.Nullable;

/** A write that the primary carried out and that was not taken back. */
final class Commit {

    final Event.Committed event;
    final long atNanos;
    final Event.Author author;
    /** The engine that wrote it; null for callers and operators. */
    final @Nullable Incarnation by;
    /** When a majority had it; NEVER if that never was. */
    long majorityNanos = Incarnation.NEVER;

    Commit(Event.Committed event, @Nullable Incarnation by) {
        this.event = event;
        this.atNanos = event.atNanos();
        this.author = event.author();
        this.by = by;
    }

    boolean isByHand() {
        return author.kind() == Event.Author.Kind.HAND;
    }

    /** Whether a call may have asked its engine for it: which one did is not known, or it is this one. */
    boolean mayBeOf(Call call) {
        return by == call.by && call.calledNanos <= atNanos && (author.call() < 0 || author.call() == call.number);
    }

    /** Whether a majority had it by then. */
    boolean isSureAt(long atNanos) {
        return majorityNanos <= atNanos;
    }

    /** What wrote it, for sentences. */
    @Override
    public String toString() {
        return switch (author.kind()) {
            case TRANSACTION, SINGLE_WRITE -> String.valueOf(by);
            case CALLER -> "a caller on m" + author.machine();
            case HAND -> "an operator by hand";
        };
    }
}
