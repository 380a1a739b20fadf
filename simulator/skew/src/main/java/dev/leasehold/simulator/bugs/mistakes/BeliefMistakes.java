package dev.leasehold.simulator.bugs.mistakes;

import dev.leasehold.engine.protocol.Hold;
import dev.leasehold.engine.protocol.Request;
import dev.leasehold.engine.protocol.Situation;
import dev.leasehold.engine.time.Belief;
import dev.leasehold.engine.time.StampClock;
import java.util.Map;
import java.util.WeakHashMap;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.MemberSubstitution;

/** For how long a holder believes. */
public final class BeliefMistakes {

    /** When each engine, by its clock, has decided last. */
    private static final Map<StampClock, Situation> DECIDED = new WeakHashMap<>();

    private BeliefMistakes() {}

    /** Notes when the engine decides. */
    public static void decides(StampClock clock, Situation at) {
        DECIDED.put(clock, at);
    }

    /** The belief that begins now instead of when it was decided. */
    public static Hold fromNow(StampClock clock, Hold hold) {
        Situation at = DECIDED.get(clock);
        if (at == null || !(hold instanceof Hold.Term term)) {
            return hold;
        }
        return new Hold.Term(new Belief(
                term.belief().untilNanos() + clock.nowNanos() - at.nowNanos(),
                term.belief().wallUntilNanos() + clock.wallNanos() - at.wallNanos(),
                term.belief().lengthNanos()));
    }

    /** Notes when the engine decides. */
    public static final class NoteDecision {
        @Advice.OnMethodExit
        static void exit(@Advice.FieldValue("clock") StampClock clock, @Advice.Return Situation at) {
            decides(clock, at);
        }
    }

    /** The belief begins with the reply. */
    public static final class FromTheReply {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.FieldValue("clock") StampClock clock, @Advice.Argument(value = 1, readOnly = false) Hold hold) {
            hold = fromNow(clock, hold);
        }
    }

    /** As if no stamp had been sent since the belief was granted. */
    public static Belief asGranted(@MemberSubstitution.Argument(0) Belief granted) {
        return granted;
    }

    /** What was granted last. */
    public static Belief newer(@MemberSubstitution.Argument(0) Belief granted) {
        return granted;
    }

    /** The later of both ends by each clock. */
    public static Belief mixed(@MemberSubstitution.This Belief one, @MemberSubstitution.Argument(0) Belief other) {
        return new Belief(
                Math.max(one.untilNanos(), other.untilNanos()),
                Math.max(one.wallUntilNanos(), other.wallUntilNanos()),
                Math.max(one.lengthNanos(), other.lengthNanos()));
    }

    /** The belief in the session begins with the reply. */
    public static Belief sessionFromTheReply(
            @MemberSubstitution.FieldValue("clock") StampClock clock,
            @MemberSubstitution.Argument(2) long sessionNanos) {
        return Belief.from(clock.nowNanos(), clock.wallNanos(), sessionNanos);
    }

    /** The caller of a claim always listens. */
    public static final class ForsakenClaimCounts {
        @Advice.OnMethodExit
        static void exit(
                @Advice.FieldValue("request") Request request, @Advice.Return(readOnly = false) boolean awaited) {
            awaited |= request instanceof Request.Claim;
        }
    }

    /** What is to be given up is kept. */
    public static final class Nothing {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }
    }
}
