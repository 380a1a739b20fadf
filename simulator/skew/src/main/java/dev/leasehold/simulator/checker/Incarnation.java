package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Event;

/** One incarnation of an engine, from when it was built to when it was closed or killed, and its clock. */
final class Incarnation {

    static final long NEVER = Long.MAX_VALUE;

    /** Of stamps that were taken within one nanosecond each is one more than the one before, and so ahead of the clock. */
    private static final long STAMP_AHEAD_NANOS_MAX = 64;

    private static final long UNSEEN_NANOS_MAX = 1_000;

    final int machine;
    private final int number;
    private final MachineClock clock;
    private final Recording.WriterNames names;
    private final boolean clockStops;
    private final long startedNanos;
    private final long startLocalNanos;
    /** When it was closed or killed. */
    long stoppedNanos = NEVER;

    private long closingNanos = NEVER;

    Incarnation(Event.Started started, MachineClock clock, Recording.WriterNames names) {
        this.machine = started.machine();
        this.number = started.incarnation();
        this.clock = clock;
        this.names = names;
        this.clockStops = clock.stoppedNanos(0, NEVER) > 0;
        this.startedNanos = started.atNanos();
        this.startLocalNanos = started.localNanos();
    }

    boolean is(int ofMachine, int ofNumber) {
        return machine == ofMachine && number == ofNumber;
    }

    /** Whether a name, or what it begins with, is that of one of its writers. */
    boolean isWriter(String name) {
        return names.isOf(name, machine, number);
    }

    void stopped(long atNanos) {
        stoppedNanos = Math.min(stoppedNanos, atNanos);
    }

    boolean isAliveAt(long trueNanos) {
        return trueNanos < stoppedNanos;
    }

    void closing(long atNanos) {
        closingNanos = Math.min(closingNanos, atNanos);
    }

    /** When it was asked to close, or was killed. */
    long endsNanos() {
        return Math.min(closingNanos, stoppedNanos);
    }

    // ---- its clock ----

    /** What its clock shows: what it showed at the start, and from then on the monotonic clock alone. */
    long readingNanos(long trueNanos) {
        return startLocalNanos + clock.elapsedNanos(startedNanos, trueNanos);
    }

    /** The first instant at which its clock shows this much. */
    long whenItShowsNanos(long readingNanos) {
        return clock.afterElapsedNanos(startedNanos, readingNanos - startLocalNanos);
    }

    /** When its clock will have run so far from an instant on. */
    long afterElapsedNanos(long fromTrueNanos, long runNanos) {
        return clock.afterElapsedNanos(fromTrueNanos, runNanos);
    }

    /** By how much its clock runs between two instants. */
    long elapsedNanos(long fromTrueNanos, long toTrueNanos) {
        return clock.elapsedNanos(fromTrueNanos, toTrueNanos);
    }

    /** The same, with the time for which its machine was suspended: by assumption C3 its time of day tells it of that. */
    long passedNanos(long fromTrueNanos, long toTrueNanos) {
        return elapsedNanos(fromTrueNanos, toTrueNanos) + suspendedNanos(fromTrueNanos, toTrueNanos);
    }

    /**
     * Whether more of its time than this has passed since it took a stamp. What clocks show is rounded down, so that at equality it has if
     * the nanosecond that is shown did not begin just now.
     *
     * @param writtenNanos when the stamp had been written, in true time
     */
    boolean hasPassed(long trueNanos, long stampNanos, long writtenNanos, long runNanos) {
        long passedNanos = sinceStampNanos(trueNanos, stampNanos, writtenNanos);
        return passedNanos > runNanos || passedNanos == runNanos && !clock.isAtTick(trueNanos);
    }

    /** How much of its time has passed since it took a stamp. */
    long sinceStampNanos(long trueNanos, long stampNanos, long writtenNanos) {
        long takenNanos = Math.min(whenItShowsNanos(stampNanos - STAMP_AHEAD_NANOS_MAX), writtenNanos);
        return readingNanos(trueNanos)
                - Math.min(stampNanos, readingNanos(writtenNanos))
                + suspendedNanos(takenNanos, trueNanos);
    }

    private long suspendedNanos(long fromTrueNanos, long toTrueNanos) {
        return clockStops ? clock.stoppedNanos(fromTrueNanos, toTrueNanos) : 0;
    }

    /** How much time of day may pass on its machine without being shown. */
    long wallPrecisionNanos() {
        return clock.wallPrecisionNanos();
    }

    /** How late the end of a validity is seen at most: a wall clock that shows little of the time is not looked at all the time. */
    long unseenNanos() {
        return clock.wallPrecisionNanos() > UNSEEN_NANOS_MAX ? UNSEEN_NANOS_MAX : 0;
    }

    /** The name of the engine, for sentences. */
    @Override
    public String toString() {
        return "m" + machine + (number == 0 ? "" : "/" + number);
    }
}
