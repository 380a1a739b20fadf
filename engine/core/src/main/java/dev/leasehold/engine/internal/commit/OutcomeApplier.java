package dev.leasehold.engine.internal.commit;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.metrics.EngineEvent.Resolution;
import dev.leasehold.engine.internal.metrics.EngineEvent.UnknownResolved;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.rules.Decision;
import dev.leasehold.engine.internal.rules.DecisionContext;
import dev.leasehold.engine.internal.rules.HoldBasis;
import dev.leasehold.engine.internal.rules.LeaseCache;
import dev.leasehold.engine.internal.rules.ObservedLease;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.session.Session;
import dev.leasehold.engine.internal.session.ValidityTracker;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseWrite;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies a known outcome: updates the cache and the validities, and answers the caller. Engine thread only. */
final class OutcomeApplier {

    private static final Logger LOG = LoggerFactory.getLogger(OutcomeApplier.class);

    private final LeaseCache cache;
    private final ValidityTracker validities;
    private final Session session;
    private final EngineMetrics metrics;

    OutcomeApplier(LeaseCache cache, ValidityTracker validities, Session session, EngineMetrics metrics) {
        this.cache = cache;
        this.validities = validities;
        this.session = session;
        this.metrics = metrics;
    }

    /** No outcome is unknown, so what is granted from now on counts from a reading later than all stamps sent. */
    void onRoundBegin() {
        validities.forgetStamps();
    }

    /** A stamp is about to be sent. */
    void onStamped(DecisionContext at) {
        validities.stamped(at.nowNanos(), at.wallNanos());
    }

    /** A majority has acknowledged the transaction, and with it the writer's stamp. */
    void committed(WriteBatch writeBatch) {
        session.acknowledged(writeBatch.at());
        granted(writeBatch);
    }

    /** A majority has acknowledged the writes. */
    void granted(WriteBatch writeBatch) {
        for (WriteBatch.Step step : writeBatch.steps()) {
            Decision.Write decision = step.decision();
            updateCache(decision.write());
            if (step.operation().request() instanceof Request.Release release) {
                // After an unknown outcome the lease is not in the cache, so the cache update does not see the end.
                validities.tenureOver(release.tenure());
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

    /** Records how an unknown outcome was resolved; nothing while it is open. */
    void recordResolution(UnknownOutcome.Finding finding, UnknownOutcome unknown) {
        switch (finding) {
            case KNOWN ->
                metrics.record(
                        new UnknownResolved(unknown.landed().isEmpty() ? Resolution.NOT_LANDED : Resolution.LANDED));
            case FOREVER_UNKNOWN -> metrics.record(new UnknownResolved(Resolution.LOST));
            case OPEN -> {}
        }
    }

    /** Grants the operation. There is no validity if the caller has cancelled or was detached. */
    void granted(PendingOperation operation, @Nullable Tenure tenure, @Nullable HoldBasis basis, int stripes) {
        boolean awaited = operation.claimAnswer();
        try {
            if (awaited && tenure != null && basis != null) {
                if (operation.isRenewal()) {
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
        if (operation.request() instanceof Request.Extend extend && showsTenureEnded(refusal)) {
            validities.lost(extend.tenure());
            validities.tenureOver(extend.tenure());
        }
        if (operation.request() instanceof Request.Release release && showsTenureEnded(refusal)) {
            validities.tenureOver(release.tenure());
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

    /** Other engines may have written these leases since. */
    void forget(WriteBatch writeBatch) {
        cache.forget(
                writeBatch.operations().stream().map(PendingOperation::name).toList());
    }

    private void noteEndedTenure(LeaseWrite.Replace replace) {
        LeaseDocument after = replace.document();
        // An unknown write may be found to have landed after a later state of the lease was observed.
        if (cache.get(replace.name()) instanceof ObservedLease.Lease before
                && before.isHeld()
                && replace.guard().equals(before.document().guard())) {
            Tenure tenure = before.document().tenure();
            if (after.isVacant() || !after.tenure().equals(tenure)) {
                validities.tenureOver(tenure);
            }
        }
    }

    private void updateCache(LeaseWrite write) {
        if (write instanceof LeaseWrite.Replace replace) {
            noteEndedTenure(replace);
        }
        cache.wrote(write);
    }
}
