package dev.leasehold.simulator.bugs.mistakes;

import dev.leasehold.engine.protocol.Sighting;
import dev.leasehold.engine.protocol.Situation;
import dev.leasehold.engine.time.Drift;
import dev.leasehold.engine.time.Observation;
import dev.leasehold.engine.time.SafeAfter;
import net.bytebuddy.asm.Advice;

/** When another's time is taken to be over. */
public final class BoundMistakes {

    private static final long MILLION = 1_000_000;

    private BoundMistakes() {}

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

    // ---- with the drift that all engines of a history are told ----

    private static volatile long ppm;

    /** Called with the drift of each history. */
    public static void note(long driftPpm) {
        ppm = driftPpm;
    }

    /** Takes the margin off again. */
    public static long unstretched(long nanos) {
        return nanos / (MILLION + ppm) * (MILLION - ppm);
    }

    /** Remembers the drift. */
    public static final class NoteDrift {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(0) long driftPpm) {
            note(driftPpm);
        }
    }

    /** The old promise is carried over to another engine's clock without the margin. */
    public static final class PaddingWithoutMargin {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) Sighting.Lease lease,
                @Advice.FieldValue("at") Situation at,
                @Advice.Return(readOnly = false) long paddedNanos) {
            if (!lease.own() && paddedNanos > at.nowNanos()) {
                paddedNanos = at.nowNanos() + unstretched(paddedNanos - at.nowNanos());
            }
        }
    }
}
