package dev.leasehold.simulator.bugs.mistakes;

import dev.leasehold.engine.store.ClockWrite;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.store.WriteOutcome;
import dev.leasehold.engine.store.WriterEntry;
import dev.leasehold.engine.time.EngineClock;
import java.util.Set;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.MemberSubstitution;

/** Under which name an engine writes, which stamps, and what its entry must be. */
public final class WriterMistakes {

    private WriterMistakes() {}

    /** Local time is the time of day. */
    public static final class WallClock {
        @Advice.OnMethodExit
        static void exit(
                @Advice.FieldValue("clock") EngineClock clock, @Advice.Return(readOnly = false) long nowNanos) {
            nowNanos = clock.wallNanos();
        }
    }

    /** An instance always writes under the same name: that of its first writer. */
    public static final class SameName {
        @Advice.OnMethodExit
        static void exit(
                @Advice.FieldValue("instance") String instance, @Advice.Return(readOnly = false) String writer) {
            writer = instance + "#" + instance.substring(1) + "i0n0";
        }
    }

    /** An entry that is there already is taken for one's own. */
    public static final class AnyEntry {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(
                @Advice.FieldValue("store") LeaseStore store,
                @Advice.FieldValue("writer") String writer,
                @Advice.FieldValue(value = "acknowledgedNanos", readOnly = false) long acknowledgedNanos) {
            if (store.read(Set.of(), writer).clock().writers().get(writer) instanceof WriterEntry.Sound entry) {
                acknowledgedNanos = entry.timeNanos();
                return true;
            }
            return false;
        }
    }

    /** Nothing is too old or too new. */
    public static final class AnyTime {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(value = 2, readOnly = false) long leastNanos,
                @Advice.Argument(value = 3, readOnly = false) long belowNanos) {
            leastNanos = Long.MIN_VALUE;
            belowNanos = Long.MAX_VALUE;
        }
    }

    /** A heartbeat that finds no entry makes one. */
    public static WriteOutcome beatOrRegister(
            @MemberSubstitution.This LeaseStore store,
            @MemberSubstitution.Argument(0) ClockWrite write,
            @MemberSubstitution.FieldValue("lengthNanos") long sessionNanos) {
        WriteOutcome outcome = store.writeClock(write);
        return outcome.verdict() == WriteOutcome.Verdict.MISSED && write instanceof ClockWrite.Heartbeat beat
                ? store.writeClock(new ClockWrite.Register(
                        beat.writer(), beat.stampNanos(), store.driverSession(), sessionNanos))
                : outcome;
    }
}
