package dev.leasehold.simulator.bugs.mistakes;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.commit.Beliefs;
import dev.leasehold.engine.store.ClockWrite;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.store.WriteOutcome;
import dev.leasehold.engine.store.WriterEntry;
import dev.leasehold.engine.time.EngineClock;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.MemberSubstitution;
import net.bytebuddy.implementation.bytecode.assign.Assigner;

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

    // ---- the session that comes back ----

    private static boolean cameBack;

    /** By the beliefs of each engine, what it has lost of the leases that its session kept. */
    private static final Map<Beliefs, Set<Tenure>> LOST = new WeakHashMap<>();

    /** A heartbeat that finds no entry makes one. */
    public static WriteOutcome beatOrRegister(
            @MemberSubstitution.This LeaseStore store,
            @MemberSubstitution.Argument(0) ClockWrite write,
            @MemberSubstitution.FieldValue("lengthNanos") long sessionNanos) {
        WriteOutcome outcome = store.writeClock(write);
        if (outcome.verdict() != WriteOutcome.Verdict.MISSED || !(write instanceof ClockWrite.Heartbeat beat)) {
            return outcome;
        }
        WriteOutcome again = store.writeClock(
                new ClockWrite.Register(beat.writer(), beat.stampNanos(), store.driverSession(), sessionNanos));
        cameBack = again.verdict() == WriteOutcome.Verdict.APPLIED;
        return again;
    }

    /** Remembers what was lost, and not what was given up by who held it. */
    public static final class NoteLost {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.This Beliefs self,
                @Advice.Argument(0) Tenure tenure,
                @Advice.FieldValue("spans") Map<Tenure, Object> spans,
                @Advice.FieldValue(value = "session", typing = Assigner.Typing.DYNAMIC) Object session) {
            if (session != null && spans.get(tenure) == session && self.remainingNanos(tenure) == 0) {
                noteLost(self, tenure);
            }
        }
    }

    /** Called with each loss. */
    public static void noteLost(Beliefs beliefs, Tenure tenure) {
        LOST.computeIfAbsent(beliefs, each -> new LinkedHashSet<>()).add(tenure);
    }

    /** Who goes on under another name has nothing to get back. */
    public static final class ForgetLost {
        @Advice.OnMethodExit
        static void exit(@Advice.This Beliefs self) {
            takeLost(self);
        }
    }

    /** What was lost counts as held again when the session comes back, and at any other acknowledgement it stays lost. */
    public static final class BelieveAgain {
        @Advice.OnMethodExit
        static void exit(
                @Advice.This Beliefs self,
                @Advice.FieldValue("spans") Map<Tenure, Object> spans,
                @Advice.FieldValue("givenUp") Set<Tenure> givenUp,
                @Advice.FieldValue(value = "session", typing = Assigner.Typing.DYNAMIC) Object session) {
            boolean back = takeCameBack();
            for (Tenure tenure : takeLost(self)) {
                if (back) {
                    givenUp.remove(tenure);
                    spans.put(tenure, session);
                }
            }
        }
    }

    /** Whether the session has come back since this was asked last. */
    public static boolean takeCameBack() {
        boolean came = cameBack;
        cameBack = false;
        return came;
    }

    /** What was lost since this was asked last. */
    public static Set<Tenure> takeLost(Beliefs beliefs) {
        Set<Tenure> lost = LOST.remove(beliefs);
        return lost == null ? Set.of() : lost;
    }
}
