package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.internal.rules.ObservedLease.Lease;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.time.ExpiryBound;
import dev.leasehold.engine.internal.time.LocalInstant;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Converts an observation to the public {@link LeaseState}. */
public final class LeaseStates {

    private LeaseStates() {}

    /** The state of the lease at an instant of this engine's clock. */
    public static LeaseState of(ObservedLease observed, long nowNanos) {
        if (observed instanceof ObservedLease.Unusable bad) {
            return new LeaseState.Corrupt(bad.name(), bad.documentId(), bad.field(), bad.found());
        }
        if (observed instanceof Lease lease) {
            return lease.isHeld() ? held(lease, nowNanos) : vacant(lease, nowNanos);
        }
        return new LeaseState.Absent(observed.name());
    }

    private static LeaseState vacant(Lease lease, long nowNanos) {
        LeaseDocument document = lease.document();
        return new LeaseState.Vacant(
                document.name(),
                document.token(),
                document.isVacant() ? document.comment() : null,
                document.pins(),
                Preconditions.isKeptFree(lease, nowNanos) ? LocalInstant.of(lease.freeAfterNanos()) : null);
    }

    private static LeaseState held(Lease lease, long nowNanos) {
        LeaseDocument document = lease.document();
        boolean expired = Preconditions.hasCertainlyExpired(lease, nowNanos);
        return new LeaseState.Held(
                document.tenure(),
                expired ? LeaseStatus.EXPIRED : LeaseStatus.ACTIVE,
                latest(lease.safeAfterNanos()),
                document.since(),
                document.comment(),
                document.isSessionLease(),
                document.pins());
    }

    private static @Nullable Instant latest(long safeAfterNanos) {
        return safeAfterNanos == ExpiryBound.NEVER ? null : LocalInstant.of(safeAfterNanos);
    }
}
