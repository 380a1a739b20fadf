package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.HeldTenure;

/** A span of true time during which an engine said, or would have said, that a tenure is held. */
final class Belief {

    private final Life life;
    private final HeldTenure tenure;
    private final long fromNanos;
    private long untilNanos;
    private long statedNanos;
    private long doubtedNanos = Trial.NEVER;

    Belief(Life life, HeldTenure tenure, long fromNanos, long untilNanos) {
        this.life = life;
        this.tenure = tenure;
        this.fromNanos = fromNanos;
        this.untilNanos = untilNanos;
        this.statedNanos = untilNanos;
    }

    Life life() {
        return life;
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

    void untilNanos(long nanos) {
        untilNanos = nanos;
        statedNanos = nanos;
    }

    /** The first instant that was not to be in it, as was last said while it lasted. */
    long statedNanos() {
        return statedNanos;
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

    void cutAt(long atNanos) {
        untilNanos = Math.min(untilNanos, atNanos);
    }
}
