package dev.leasehold.simulator.check;

import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Event;
import java.util.ArrayList;
import java.util.List;

/** One incarnation of an engine, from when it was built to when it was closed or killed, and its clock. */
final class Life {

    /**
     * Of stamps that were taken within one nanosecond each is one more than the one before. So a stamp may be this much ahead of
     * the clock that it was read from.
     */
    private static final long STAMP_AHEAD_NANOS_MAX = 64;

    private final int machine;
    private final int incarnation;
    private final MachineClock clock;
    private final long startedNanos;
    private final long startLocalNanos;
    private final boolean clockStops;
    private final Instants sends;
    private final List<Belief> open = new ArrayList<>(4);
    private long stoppedNanos = Long.MAX_VALUE;
    private long closingNanos = Long.MAX_VALUE;

    Life(Event.Started started, MachineClock clock, boolean clockStops, Instants sends) {
        this.machine = started.machine();
        this.incarnation = started.incarnation();
        this.clock = clock;
        this.startedNanos = started.atNanos();
        this.startLocalNanos = started.localNanos();
        this.clockStops = clockStops;
        this.sends = sends;
    }

    int machine() {
        return machine;
    }

    int incarnation() {
        return incarnation;
    }

    /** When it was closed or killed; MAX_VALUE if it lives to the end. */
    long stoppedNanos() {
        return stoppedNanos;
    }

    boolean isAliveAt(long trueNanos) {
        return trueNanos < stoppedNanos;
    }

    void stopped(long atNanos) {
        stoppedNanos = atNanos;
    }

    /** Whether somebody has asked it to close. */
    boolean isClosing() {
        return closingNanos < Long.MAX_VALUE;
    }

    void closing(long atNanos) {
        closingNanos = Math.min(closingNanos, atNanos);
    }

    /** When it was asked to close, or was killed; MAX_VALUE if neither. */
    long endsNanos() {
        return Math.min(closingNanos, stoppedNanos);
    }

    /** What it believes at present, as far as it was asked. */
    List<Belief> open() {
        return open;
    }

    /** What its clock shows: what it showed at the start, and from then on the monotonic clock alone. */
    long readingNanos(long trueNanos) {
        return startLocalNanos + clock.elapsedNanos(startedNanos, trueNanos);
    }

    /** By how much its clock runs between two instants. */
    long elapsedNanos(long fromTrueNanos, long toTrueNanos) {
        return clock.elapsedNanos(fromTrueNanos, toTrueNanos);
    }

    /** When its clock will have run so far from an instant on. */
    long afterElapsedNanos(long fromTrueNanos, long runNanos) {
        return clock.afterElapsedNanos(fromTrueNanos, runNanos);
    }

    /** The first instant at which its clock shows this much. */
    long whenItShowsNanos(long readingNanos) {
        return clock.afterElapsedNanos(startedNanos, readingNanos - startLocalNanos);
    }

    /**
     * What its clock shows, and with it the time for which the machine was suspended with its monotonic clock standing still. Its belief
     * ends by wall time then, so it is judged as if the clock had run on.
     *
     * @param stampNanos of its last write, before which no time is credited
     * @param sentLatestNanos when that write was sent at the latest
     */
    long creditedNanos(long trueNanos, long stampNanos, long sentLatestNanos) {
        return readingNanos(trueNanos) + suspendedNanos(stampTakenNanos(stampNanos, sentLatestNanos), trueNanos);
    }

    /** For how long the monotonic clock of its machine stood still between two instants. */
    long suspendedNanos(long fromTrueNanos, long toTrueNanos) {
        return clockStops ? clock.stoppedNanos(fromTrueNanos, toTrueNanos) : 0;
    }

    /**
     * When a stamp was taken, in true time. A clock that stood still showed the same for a while, so what counts is that something was
     * sent then.
     */
    long stampTakenNanos(long stampNanos, long sentLatestNanos) {
        if (!clockStops) {
            return sentLatestNanos;
        }
        long aboutNanos = stampNanos - STAMP_AHEAD_NANOS_MAX;
        for (int i = 0; i < sends.size(); i++) {
            long sentNanos = sends.get(i);
            if (sentNanos >= startedNanos && readingNanos(sentNanos) >= aboutNanos) {
                return Math.min(sentNanos, sentLatestNanos);
            }
        }
        return Math.min(whenItShowsNanos(aboutNanos), sentLatestNanos);
    }

    /** The name of the engine, for sentences. */
    @Override
    public String toString() {
        return "m" + machine + (incarnation == 0 ? "" : "/" + incarnation);
    }
}
