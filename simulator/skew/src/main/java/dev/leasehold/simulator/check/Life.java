package dev.leasehold.simulator.check;

import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.WriterName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One incarnation of an engine, from when it was built to when it was closed or killed, and its clock. */
final class Life {

    /**
     * Of stamps that were taken within one nanosecond each is one more than the one before. So a stamp may be this much ahead of
     * the clock that it was read from.
     */
    private static final long STAMP_AHEAD_NANOS_MAX = 64;

    private static final long UNSEEN_NANOS_MAX = 1_000;

    private final int machine;
    private final int incarnation;
    private final MachineClock clock;
    private final long startedNanos;
    private final long startLocalNanos;
    private final boolean clockStops;
    private final Instants sends;
    /** What it believes at present, as far as it was asked. */
    private final List<Belief> open = new ArrayList<>(4);
    /** What it believed when it fell asleep, and has not said anything of since. */
    private final List<Belief> sleptOver = new ArrayList<>(4);

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

    /** Whether a name, or what it begins with, is that of one of its writers. */
    boolean isWriter(String name) {
        return name.startsWith(WriterName.instance(machine) + "#" + machine + "i" + incarnation + "n");
    }

    /** When it was closed or killed; MAX_VALUE if it lives to the end. */
    long stoppedNanos() {
        return stoppedNanos;
    }

    boolean isAliveAt(long trueNanos) {
        return trueNanos < stoppedNanos;
    }

    void stopped(long atNanos) {
        cannotAct(atNanos);
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

    /** What it believes of a tenure up to an instant at least; null for nothing. */
    @Nullable Belief belief(HeldTenure tenure, long atNanos) {
        int index = indexOf(open, tenure);
        return index >= 0 && open.get(index).untilNanos() >= atNanos ? open.get(index) : null;
    }

    /** It begins to believe in a tenure, until then at least. */
    Belief begins(HeldTenure tenure, long atNanos, long untilNanos) {
        take(open, tenure);
        take(sleptOver, tenure);
        Belief begun = new Belief(this, tenure, atNanos, untilNanos);
        open.add(begun);
        return begun;
    }

    /** It believes in a tenure no longer. */
    void doubts(HeldTenure tenure, long atNanos) {
        Belief belief = take(open, tenure);
        Belief last = belief == null ? take(sleptOver, tenure) : belief;
        if (last != null) {
            last.doubtedAt(atNanos);
        }
    }

    private static @Nullable Belief take(List<Belief> beliefs, HeldTenure tenure) {
        int index = indexOf(beliefs, tenure);
        return index >= 0 ? beliefs.remove(index) : null;
    }

    private static int indexOf(List<Belief> beliefs, HeldTenure tenure) {
        for (int i = 0; i < beliefs.size(); i++) {
            if (beliefs.get(i).tenure().equals(tenure)) {
                return i;
            }
        }
        return -1;
    }

    /** What nobody can act on is nobody's belief. Whoever wakes up is asked again. */
    void cannotAct(long atNanos) {
        for (int i = 0; i < open.size(); i++) {
            open.get(i).cutAt(atNanos);
        }
        sleptOver.addAll(open);
        open.clear();
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
     * How much of its own time has passed since it took the stamp of a write. The time for which its machine was suspended since then, with
     * the monotonic clock standing still, counts too: its belief ends by wall time then.
     *
     * @param stampNanos of the write
     * @param sentLatestNanos when it was sent at the latest
     */
    long passedNanos(long trueNanos, long stampNanos, long sentLatestNanos) {
        long takenNanos = stampTakenNanos(stampNanos, sentLatestNanos);
        long fromNanos = Math.min(stampNanos, readingNanos(takenNanos));
        return readingNanos(trueNanos) - fromNanos + suspendedNanos(takenNanos, trueNanos);
    }

    /** Whether less of its own time, or exactly as much, has passed since it took the stamp of a write. What clocks show is rounded down. */
    boolean isNotPast(long trueNanos, long passedNanos, long runNanos) {
        return passedNanos < runNanos || passedNanos == runNanos && clock.isAtTick(trueNanos);
    }

    /** How late the end of a belief is seen at the most: where the wall clock shows little of the time, it is not looked at all the time. */
    long unseenNanos() {
        return clock.wallPrecisionNanos() > UNSEEN_NANOS_MAX ? UNSEEN_NANOS_MAX : 0;
    }

    /** How much time of day may pass on its machine without being shown. */
    long wallPrecisionNanos() {
        return clock.wallPrecisionNanos();
    }

    /** For how long the monotonic clock of its machine stood still between two instants. */
    long suspendedNanos(long fromTrueNanos, long toTrueNanos) {
        return clockStops ? clock.stoppedNanos(fromTrueNanos, toTrueNanos) : 0;
    }

    /**
     * When a stamp was taken, in true time. A clock that stood still showed the same for a while, and stamps may be ahead of it, so what
     * counts is that something was sent then.
     */
    long stampTakenNanos(long stampNanos, long sentLatestNanos) {
        long sentNanos = firstSentNanos(stampNanos - STAMP_AHEAD_NANOS_MAX);
        return Math.min(sentNanos == Long.MAX_VALUE ? whenItShowsNanos(stampNanos) : sentNanos, sentLatestNanos);
    }

    /** When something was first sent at that reading of the clock, or later; MAX_VALUE for never. */
    private long firstSentNanos(long readingNanos) {
        int from = 0;
        int to = sends.size();
        while (from < to) {
            int middle = (from + to) >>> 1;
            boolean isBefore = sends.get(middle) < startedNanos || readingNanos(sends.get(middle)) < readingNanos;
            from = isBefore ? middle + 1 : from;
            to = isBefore ? to : middle;
        }
        return from == sends.size() ? Long.MAX_VALUE : sends.get(from);
    }

    /** The name of the engine, for sentences. */
    @Override
    public String toString() {
        return "m" + machine + (incarnation == 0 ? "" : "/" + incarnation);
    }
}
