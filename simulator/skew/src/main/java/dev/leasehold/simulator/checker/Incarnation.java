package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Event;
import java.util.ArrayList;
import java.util.List;

/** One incarnation of an engine, from when it was built to when it was closed or killed, and its clock. */
final class Incarnation {

    static final long NEVER = Long.MAX_VALUE;

    /** Of stamps that were taken within one nanosecond each is one more than the one before, and so ahead of the clock. */
    static final long STAMP_AHEAD_NANOS_MAX = 64;

    private static final long UNSEEN_NANOS_MAX = 1_000;

    final int machine;
    final int number;
    final MachineClock clock;
    private final Recording.WriterNames names;
    private final boolean clockStops;
    private final Event.Started started;
    /** In the order in which it began to write under them. */
    private final List<WrittenName> written = new ArrayList<>(1);
    /** When it was closed or killed. */
    long stoppedNanos = NEVER;
    /** When it was asked to close. */
    long closingNanos = NEVER;

    /** The name of a writer, of which it wrote the entry from an instant on. */
    private record WrittenName(String writer, long fromNanos) {}

    Incarnation(Event.Started started, MachineClock clock, Recording.WriterNames names) {
        this.machine = started.machine();
        this.number = started.incarnation();
        this.clock = clock;
        this.names = names;
        this.clockStops = clock.stoppedNanos(0, NEVER) > 0;
        this.started = started;
    }

    /** When it was started. */
    long startedNanos() {
        return started.atNanos();
    }

    /** Whether a name, or what it begins with, is that of one of its writers. */
    boolean isWriter(String name) {
        return names.isOf(name, machine, number);
    }

    /** It wrote the entry of a writer: its own, or that of the engine of which it is a clone. */
    void wroteEntry(String writer, long atNanos) {
        if (!writesAs(writer, atNanos)) {
            written.add(new WrittenName(writer, atNanos));
        }
    }

    /** Whether the newest entry that it had written by then is that of a writer. */
    boolean writesAs(String writer, long atNanos) {
        WrittenName newest = Model.newest(written, name -> name.fromNanos() <= atNanos);
        return newest != null && newest.writer().equals(writer);
    }

    /**
     * Whether it may have made up a holder for a call that named none. That begins with the name of its writer, and where it is a clone, with the
     * instance of the engine that it was cloned from.
     */
    boolean mayHaveNamed(String holder) {
        return isWriter(holder)
                || written.stream()
                        .map(WrittenName::writer)
                        .anyMatch(writer -> !isWriter(writer)
                                && holder.startsWith(writer.substring(0, writer.lastIndexOf('#') + 1)));
    }

    void stopped(long atNanos) {
        stoppedNanos = Math.min(stoppedNanos, atNanos);
    }

    boolean isAliveAt(long trueNanos) {
        return trueNanos < stoppedNanos;
    }

    /** When it was asked to close, or was killed. */
    long endsNanos() {
        return Math.min(closingNanos, stoppedNanos);
    }

    // ---- its clock ----

    /** What its clock shows: what it showed at the start, and from then on the monotonic clock alone. */
    long readingNanos(long trueNanos) {
        return started.localNanos() + clock.elapsedNanos(started.atNanos(), trueNanos);
    }

    /** The first instant at which its clock shows this much. */
    long whenItShowsNanos(long readingNanos) {
        return clock.afterElapsedNanos(started.atNanos(), readingNanos - started.localNanos());
    }

    /**
     * By how much its clock runs between two instants, and for how long its machine was suspended: by assumption C3 its time of day tells it
     * of that.
     */
    long passedNanos(long fromTrueNanos, long toTrueNanos) {
        return clock.elapsedNanos(fromTrueNanos, toTrueNanos) + suspendedNanos(fromTrueNanos, toTrueNanos);
    }

    /** How much of its time has passed since it took a stamp, which had been written at an instant of true time. */
    long sinceStampNanos(long trueNanos, long stampNanos, long writtenNanos) {
        long takenNanos = Math.min(whenItShowsNanos(stampNanos - STAMP_AHEAD_NANOS_MAX), writtenNanos);
        return readingNanos(trueNanos)
                - Math.min(stampNanos, readingNanos(writtenNanos))
                + suspendedNanos(takenNanos, trueNanos);
    }

    private long suspendedNanos(long fromTrueNanos, long toTrueNanos) {
        return clockStops ? clock.stoppedNanos(fromTrueNanos, toTrueNanos) : 0;
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
