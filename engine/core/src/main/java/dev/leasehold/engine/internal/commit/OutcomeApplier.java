package dev.leasehold.engine.internal.commit;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.rules.Decision;
import dev.leasehold.engine.internal.rules.HoldBasis;
import dev.leasehold.engine.internal.rules.LeaseCache;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.session.LossListener;
import dev.leasehold.engine.internal.session.ValidityTracker;
import dev.leasehold.engine.internal.store.LeaseWrite;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies a known outcome: updates the cache and the validities, and answers the caller. Engine thread only. */
final class OutcomeApplier {

    private static final Logger LOG = LoggerFactory.getLogger(OutcomeApplier.class);

    private final LeaseCache cache;
    private final ValidityTracker validities;

    OutcomeApplier(LeaseCache cache, ValidityTracker validities) {
        this.cache = cache;
        this.validities = validities;
    }

    /** A majority has acknowledged the writes. */
    void granted(WriteBatch writeBatch) {
        for (WriteBatch.Step step : writeBatch.steps()) {
            Decision.Write decision = step.decision();
            cache.wrote(decision.write());
            if (decision.write() instanceof LeaseWrite.Replace replace) {
                validities.wrote(replace.document());
            }
            Tenure begun = decision.tenure();
            if (step.operation().request() instanceof Request.Acquire acquire
                    && acquire.supersede()
                    && begun != null
                    && begun.token() > 1) {
                // The superseded tenure may have been one of this engine, under an earlier writer.
                validities.lost(new Tenure(begun.namespace(), begun.name(), begun.holder(), begun.token() - 1));
            }
            granted(step.operation(), begun, decision.basis(), decision.stripes());
        }
    }

    /** Grants the operation. There is no validity if the caller has cancelled or was detached. */
    void granted(PendingOperation operation, @Nullable Tenure tenure, @Nullable HoldBasis basis, int stripes) {
        boolean awaited = operation.claimAnswer();
        try {
            if (awaited && tenure != null && basis != null) {
                if (operation.request() instanceof Request.Extend extend && extend.renewal()) {
                    validities.prolong(tenure, basis);
                } else {
                    validities.begin(tenure, basis);
                }
            }
            if (tenure != null && operation.request() instanceof Request.ForceExpire) {
                validities.lost(tenure);
            }
        } finally {
            // Nothing else would answer it after claimAnswer.
            operation.complete(OperationResult.yes(tenure, stripes));
        }
    }

    void refused(PendingOperation operation, Refusal refusal) {
        if (operation.request() instanceof Request.OfTenure asked && showsTenureEnded(refusal)) {
            if (asked instanceof Request.Extend) {
                validities.lost(asked.tenure(), LossListener.reasonOf(refusal));
            }
            validities.tenureOver(asked.tenure());
        }
        if (operation.claimAnswer()) {
            try {
                LOG.debug("{}: {}", operation.logContext(), refusal.message());
            } finally {
                operation.complete(OperationResult.no(refusal));
            }
        }
    }

    /** A tenure that ended never comes back, since its token is never used again. */
    private static boolean showsTenureEnded(Refusal refusal) {
        return switch (refusal.reason()) {
            case NO_SUCH_LEASE, VACANT, NOT_THAT_TENURE -> true;
            case HELD, HELD_PAST_EXPIRY, NOT_EXPIRED, SESSION_LEASE, PINNED, NOT_YET -> false;
        };
    }
}
