package dev.leasehold.engine.internal.queue;

import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Whether an attempt for a lease is worthwhile, as far as its state as read shows. Pure functions. */
final class TakeableLease {

    private TakeableLease() {}

    static boolean isTakeable(LeaseState state) {
        return switch (state.status()) {
            case FREE ->
                !(state instanceof LeaseState.Vacant vacant)
                        || vacant.pins().isEmpty() && vacant.keptFreeUntil() == null;
            case EXPIRED ->
                !(state instanceof LeaseState.Held held) || held.pins().isEmpty();
            case ACTIVE -> false;
            // The attempt fails and so tells the waiters.
            case CORRUPT -> true;
        };
    }

    /**
     * The first instant from which on time alone makes it takeable; null if only an event does. A bound that had passed when it was read did
     * not help.
     */
    static @Nullable Long fromNanos(LeaseState state, long nowNanos) {
        Instant last = lastInstant(state);
        if (last == null) {
            return null;
        }
        long boundNanos = Math.addExact(Math.multiplyExact(last.getEpochSecond(), 1_000_000_000L), last.getNano());
        return boundNanos < Long.MAX_VALUE && (boundNanos >= nowNanos || wasPending(state))
                ? (Long) (boundNanos + 1)
                : null;
    }

    /** The instant after which the lease may be taken; null if unknown. */
    private static @Nullable Instant lastInstant(LeaseState state) {
        if (state instanceof LeaseState.Held held) {
            return held.latestExpiry();
        }
        return state instanceof LeaseState.Vacant vacant ? vacant.keptFreeUntil() : null;
    }

    /** Whether the bound was in the future when the lease was read. The engine's own session stays active past its bound. */
    private static boolean wasPending(LeaseState state) {
        return !(state instanceof LeaseState.Held held) || held.status() == LeaseStatus.ACTIVE && !held.session();
    }

    static boolean isSessionLease(LeaseState state) {
        return state instanceof LeaseState.Held held && held.session();
    }
}
