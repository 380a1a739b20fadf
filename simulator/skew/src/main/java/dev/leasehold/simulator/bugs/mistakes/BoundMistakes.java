package dev.leasehold.simulator.bugs.mistakes;

import dev.leasehold.engine.protocol.LeaseView;
import dev.leasehold.engine.protocol.Sighting;
import dev.leasehold.engine.protocol.Situation;
import dev.leasehold.engine.store.ClockDocument;
import dev.leasehold.engine.store.LeaseDocument;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.store.Snapshot;
import dev.leasehold.engine.store.WriterEntry;
import dev.leasehold.engine.time.Drift;
import dev.leasehold.engine.time.Observation;
import dev.leasehold.engine.time.SafeAfter;
import dev.leasehold.engine.time.StampClock;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.WeakHashMap;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.MemberSubstitution;
import org.jspecify.annotations.Nullable;

/** When another's time is taken to be over. */
public final class BoundMistakes {

    private static final long MILLION = 1_000_000;

    private BoundMistakes() {}

    /** How long the session of each engine, by its view, lasts. */
    private static final Map<LeaseView, Long> OWN_LENGTHS = new WeakHashMap<>();

    /** Notes how long one's own session lasts. */
    public static final class NoteOwnLength {
        @Advice.OnMethodEnter
        static void enter(@Advice.This LeaseView self, @Advice.Argument(1) long sessionNanos) {
            noteOwnLength(self, sessionNanos);
        }
    }

    /** Called with each acknowledgement. */
    public static void noteOwnLength(LeaseView view, long sessionNanos) {
        OWN_LENGTHS.put(view, sessionNanos);
    }

    /** What is read of another session is read with the length of one's own. */
    public static final class OwnLength {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.This LeaseView self, @Advice.Argument(value = 1, readOnly = false) WriterEntry entry) {
            entry = asLongAsOwn(self, entry);
        }
    }

    /** The entry, with the length of one's own session if there is one. */
    public static @Nullable WriterEntry asLongAsOwn(LeaseView view, @Nullable WriterEntry entry) {
        Long sessionNanos = OWN_LENGTHS.get(view);
        return entry instanceof WriterEntry.Sound other && other.sessionNanos() != null && sessionNanos != null
                ? new WriterEntry.Sound(
                        other.writer(),
                        other.timeNanos(),
                        other.transactionNanos(),
                        sessionNanos,
                        other.driverSession())
                : entry;
    }

    /** The bound of the newest read counts, however early that of another was. */
    public static final class NewestRead {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(1) long boundNanos, @Advice.Return(readOnly = false) long tightestNanos) {
            tightestNanos = boundNanos;
        }
    }

    /** The stored expiry is taken for an instant of one's own clock. */
    public static final class OwnClock {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(0) long xNanos, @Advice.Return(readOnly = false) long boundNanos) {
            boundNanos = xNanos;
        }
    }

    /** It is kept in milliseconds. */
    public static final class Milliseconds {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) long boundNanos) {
            boundNanos = Math.floorDiv(boundNanos, MILLION) * MILLION;
        }
    }

    /** The time that is left is an int of nanoseconds. */
    public static final class IntegerNanos {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 0, readOnly = false) long nanos) {
            nanos = Math.max(0, (int) nanos);
        }
    }

    /** It is computed in floating point, which has no single nanoseconds so long after the epoch. */
    public static final class FloatingPoint {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) long readEndedNanos,
                @Advice.Argument(1) long writerStampNanos,
                @Advice.Argument(2) long xNanos,
                @Advice.Argument(3) Drift drift,
                @Advice.Return(readOnly = false) long boundNanos) {
            double rho = drift.ppm() / 1e6;
            boundNanos = (long) (readEndedNanos + Math.max(0, xNanos - writerStampNanos) * ((1 + rho) / (1 - rho)));
        }
    }

    /** It is counted from the begin of the read. */
    public static final class BeginOfRead {
        @Advice.OnMethodExit
        static void exit(
                @Advice.This Observation self,
                @Advice.Argument(0) long xNanos,
                @Advice.Argument(1) Drift drift,
                @Advice.Return(readOnly = false) long boundNanos) {
            boundNanos = SafeAfter.nanos(self.readBeganNanos(), self.writerStampNanos(), xNanos, drift);
        }
    }

    /** All clocks are taken to run at the same rate. */
    public static final class NoMargin {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(0) long nanos, @Advice.Return(readOnly = false) long stretchedNanos) {
            stretchedNanos = nanos;
        }
    }

    /** Only one of the two clocks is taken to be wrong. */
    public static final class HalfMargin {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(0) long nanos, @Advice.Return(readOnly = false) long stretchedNanos) {
            stretchedNanos = nanos + (stretchedNanos - nanos) / 2;
        }
    }

    /** What was known of the writer before it wrote the lease again counts for the new term too. */
    public static final class OlderObservation {
        @Advice.OnMethodExit
        static void exit(
                @Advice.This LeaseView view,
                @Advice.Argument(0) LeaseDocument document,
                @Advice.FieldValue("drift") Drift drift,
                @Advice.Return(readOnly = false) long boundNanos) {
            boundNanos = Math.min(boundNanos, byOlderObservation(view.get(document.name()), document, drift));
        }
    }

    /** The bound that the observation behind an older one would give. */
    public static long byOlderObservation(@Nullable Sighting sighting, LeaseDocument document, Drift drift) {
        if (!(sighting instanceof Sighting.Lease known)
                || !known.document().writer().equals(document.writer())) {
            return SafeAfter.NEVER;
        }
        Long before = known.document().expiryNanos();
        Long now = document.expiryNanos();
        return before == null || now == null || now < before
                ? SafeAfter.NEVER
                : SafeAfter.laterNanos(known.safeAfterNanos(), drift.stretchNanos(now - before));
    }

    // ---- the clock before the leases ----

    private static @Nullable StampClock notedClock;
    private static long betweenNanos;

    /** The begin of the read; whose clock it was is needed in its middle. Nobody else runs until the read is sent. */
    public static long noteClock(@MemberSubstitution.This StampClock clock) {
        notedClock = clock;
        return clock.nowNanos();
    }

    /** Reads the clock document first, looks at the time, and then reads the leases. */
    public static Snapshot clockFirst(
            @MemberSubstitution.This LeaseStore store,
            @MemberSubstitution.Argument(0) Set<String> names,
            @MemberSubstitution.Argument(1) String writer) {
        StampClock clock = Objects.requireNonNull(notedClock);
        Collection<WriterEntry> entries = store.writers();
        long nowNanos = clock.nowNanos();
        Snapshot snapshot = store.read(names, writer);
        Map<String, WriterEntry> seen = new TreeMap<>();
        entries.forEach(entry -> seen.put(entry.writer(), entry));
        betweenNanos = nowNanos;
        return new Snapshot(
                snapshot.leases(),
                new ClockDocument(snapshot.clock().ticks(), snapshot.clock().tokenFloor(), seen));
    }

    /** The look between the two takes the place of that at the end. */
    public static long between() {
        return betweenNanos;
    }

    // ---- with the drift that all engines of a history are told ----

    private static long ppm;

    /** Called with the drift of each history. */
    public static void noteDrift(long driftPpm) {
        ppm = driftPpm;
    }

    /** Takes the margin off again. */
    private static long unstretched(long nanos) {
        return nanos / (MILLION + ppm) * (MILLION - ppm);
    }

    /** Remembers the drift. */
    public static final class NoteDrift {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(0) long driftPpm) {
            noteDrift(driftPpm);
        }
    }

    /** The old promise is carried over to another engine's clock without the margin. */
    public static long oldExpiryWithoutMargin(
            @MemberSubstitution.Argument(0) Sighting.Lease lease, @MemberSubstitution.FieldValue("at") Situation at) {
        long leftNanos = lease.safeAfterNanos() - at.nowNanos();
        return lease.own() || leftNanos < 0 ? lease.safeAfterNanos() : at.nowNanos() + unstretched(leftNanos) + 1;
    }
}
