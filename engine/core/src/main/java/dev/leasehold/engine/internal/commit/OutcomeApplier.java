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
            if (decision.write() instanceof LeaseWrite.Replace replace) {
                if (replace.document().writer().equals(writeBatch.at().writer())) {
                    cache.wrote(replace);
                } else {
                    cache.shown(replace.document(), false);
                }
                validities.shown(replace.document());
            } else {
                cache.wrote(decision.write());
            }
            Tenure begun = decision.tenure();
            if (step.operation().request() instanceof Request.Acquire acquire
                    && acquire.supersede()
                    && begun != null
                    && begun.token() > 1) {
                // The superseded tenure may have been one of this engine, under an earlier writer.
                validities.lost(new Tenure(begun.namespace(), begun.name(), begun.holder(), begun.token() - 1));
            }
            granted(step.operation(), begun, decision.basis(), decision.stripes(), releaseOf(step, writeBatch));
        }
    }

    private static ReleaseOutcome releaseOf(WriteBatch.Step step, WriteBatch writeBatch) {
        if (!(step.operation().request() instanceof Request.Release release)
                || !(step.decision().write() instanceof LeaseWrite.Replace replace)
                || replace.document().isVacant()) {
            return ReleaseOutcome.VACANT;
        }
        String writer = replace.document().writer();
        if (writer.equals(writeBatch.at().writer())) {
            return ReleaseOutcome.NEXT;
        }
        return release.handOver() != null && release.handOver().asksFor(writer)
                ? ReleaseOutcome.GRANTED_AS_ASKED
                : ReleaseOutcome.GRANTED;
    }

    /** Grants what needed no write. */
    void granted(PendingOperation operation, Decision.AlreadySo already) {
        granted(operation, already.tenure(), already.basis(), already.stripes(), ReleaseOutcome.VACANT);
    }

    /** Grants the operation. There is no validity if the caller has cancelled or was detached. */
    private void granted(
            PendingOperation operation,
            @Nullable Tenure tenure,
            @Nullable HoldBasis basis,
            int stripes,
            ReleaseOutcome release) {
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
            operation.complete(new OperationResult(null, tenure, stripes, release));
        }
    }

    void refused(PendingOperation operation, Refusal refusal) {
        if (operation.request() instanceof Request.OfTenure asked && showsTenureEnded(refusal)) {
            if (asked instanceof Request.Extend || asked instanceof Request.UpdatePayload) {
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
