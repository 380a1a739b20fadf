package dev.leasehold.simulator.bugs.mistakes;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.engine.protocol.Decision;
import dev.leasehold.engine.protocol.Sighting;
import dev.leasehold.engine.protocol.Situation;
import dev.leasehold.engine.store.LeaseDocument;
import dev.leasehold.engine.store.LeaseGuard;
import dev.leasehold.engine.time.SafeAfter;
import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.MemberSubstitution;
import org.jspecify.annotations.Nullable;

/** What may be done to a tenure, and under which guard. */
public final class TenureMistakes {

    private TenureMistakes() {}

    /** What is added, or compared with, is forgotten. */
    public static long first(@MemberSubstitution.Argument(0) long first) {
        return first;
    }

    /** A condition that is not looked at. */
    public static boolean yes() {
        return true;
    }

    /** A document can be written without the clock, so the clock is left out. */
    public static Decision.Rests onTheLeaseAlone() {
        return new Decision.Rests.OnTheLeaseAlone();
    }

    /** A first document rests on what every document does. */
    public static final class WithoutTheFloor {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) Decision decision) {
            decision = onOwnEntry(decision);
        }
    }

    /** The same write, which rests on the engine's own entry. */
    public static Decision onOwnEntry(Decision decision) {
        return decision instanceof Decision.Write it
                ? new Decision.Write(it.write(), it.tenure(), it.hold(), new Decision.Rests.OnOwnEntry())
                : decision;
    }

    /** Whoever holds the lease may give it up, under whichever token. */
    public static @Nullable Reason objectionToHolder(
            @MemberSubstitution.Argument(0) Tenure tenure, @MemberSubstitution.Argument(1) Sighting.Lease lease) {
        if (!lease.isHeld()) {
            return Reason.VACANT;
        }
        return tenure.holder().equals(lease.document().holder()) ? null : Reason.NOT_THAT_TENURE;
    }

    /** What ends at the earliest then, for all that is known here, is taken to end then. */
    public static final class EarliestExpiry {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) Sighting.Lease held,
                @Advice.Argument(2) Situation at,
                @Advice.Argument(3) long durationNanos,
                @Advice.Return(readOnly = false) boolean longEnough) {
            longEnough =
                    held.safeAfterNanos() != SafeAfter.NEVER && at.nowNanos() <= held.safeAfterNanos() - durationNanos;
        }
    }

    /** The guard names the writer, and not which of its writes. */
    public static final class GuardOnWriter {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) LeaseDocument document,
                @Advice.Argument(1) LeaseGuard guard,
                @Advice.Return(readOnly = false) boolean holds) {
            holds = document.writer().equals(guard.writer());
        }
    }

    /** The old time and the new one on top of it. */
    public static long added(
            @MemberSubstitution.FieldValue("at") Situation at,
            @MemberSubstitution.Argument(0) long expiryNanos,
            @MemberSubstitution.Argument(1) long oldExpiryNanos) {
        return Math.max(expiryNanos, oldExpiryNanos + (expiryNanos - at.stampNanos()));
    }

    /** Whoever comes after the expiry has no tenure any more. */
    public static @Nullable Reason objectionToTheLate(
            @MemberSubstitution.FieldValue("at") Situation at,
            @MemberSubstitution.Argument(0) Tenure tenure,
            @MemberSubstitution.Argument(1) Sighting.Lease lease) {
        if (!lease.isHeld()) {
            return Reason.VACANT;
        }
        boolean stands =
                tenure.equals(lease.document().tenure()) && !SafeAfter.hasPassed(at.nowNanos(), lease.safeAfterNanos());
        return stands ? null : Reason.NOT_THAT_TENURE;
    }

    /** What is past its expiry is not held any more. */
    public static boolean heldAndNotOver(
            @MemberSubstitution.This Sighting.Lease lease, @MemberSubstitution.FieldValue("at") Situation at) {
        return lease.isHeld() && !SafeAfter.hasPassed(at.nowNanos(), lease.safeAfterNanos());
    }

    /** Only what somebody holds may not be ended. */
    public static @Nullable Reason objectionToTheHeld(
            @MemberSubstitution.FieldValue("at") Situation at, @MemberSubstitution.Argument(0) Sighting.Lease lease) {
        return heldAndNotOver(lease, at) ? Reason.NOT_EXPIRED : null;
    }

    /** Pins are not looked at. */
    public static boolean notPinned(@MemberSubstitution.Argument(0) Sighting.Lease lease) {
        return false;
    }

    /** Until when a lease is kept free is not looked at. */
    public static boolean notKeptFree(@MemberSubstitution.Argument(0) Sighting.Lease lease) {
        return false;
    }

    /** Whoever is evicted is not looked at once more. */
    public static Map<String, Long> nobody() {
        return Map.of();
    }
}
