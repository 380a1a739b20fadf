package dev.leasehold.engine.commit;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.meters.EngineMeters;
import dev.leasehold.engine.protocol.Decision;
import dev.leasehold.engine.protocol.Hold;
import dev.leasehold.engine.protocol.LeaseView;
import dev.leasehold.engine.protocol.Request;
import dev.leasehold.engine.protocol.Sighting;
import dev.leasehold.engine.protocol.Situation;
import dev.leasehold.engine.store.LeaseDocument;
import dev.leasehold.engine.store.LeaseWrite;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a certain answer changes on this side: the view, the beliefs, and the caller who waits. */
final class Settlement {

    private static final Logger LOG = LoggerFactory.getLogger(Settlement.class);

    private final LeaseView view;
    private final Beliefs beliefs;
    private final Session session;
    private final EngineMeters meters;

    Settlement(LeaseView view, Beliefs beliefs, Session session, EngineMeters meters) {
        this.view = view;
        this.beliefs = beliefs;
        this.session = session;
        this.meters = meters;
    }

    /** Nothing is in doubt: what is granted from now on counts from a reading that is later than all stamps. */
    void roundBegins() {
        beliefs.forgetStamps();
    }

    /** A stamp is about to be sent. */
    void stamped(Situation at) {
        beliefs.stamped(at.nowNanos(), at.wallNanos());
    }

    /** A majority has acknowledged the transaction, and with it the writer's time. */
    void committed(Planned planned) {
        session.acknowledged(planned.at());
        granted(planned);
    }

    /** A majority has acknowledged the writes. */
    void granted(Planned planned) {
        for (Planned.Step step : planned.steps()) {
            Decision.Write decision = step.decision();
            see(decision.write());
            if (step.operation().request() instanceof Request.Release release) {
                // What stayed unknown for a while is not in the view any more.
                beliefs.over(release.tenure());
            }
            loseSuperseded(step.operation().request(), decision.tenure());
            granted(step.operation(), decision.tenure(), decision.hold(), decision.stripes());
        }
    }

    /** This engine may have been the one before, as another writer. */
    private void loseSuperseded(Request request, @Nullable Tenure begun) {
        if (request instanceof Request.Acquire acquire && acquire.supersede() && begun != null && begun.token() > 1) {
            beliefs.lost(new Tenure(begun.namespace(), begun.name(), begun.holder(), begun.token() - 1));
        }
    }

    /** Takes note of how a doubt ended, if it did. */
    void noted(Doubt.Finding finding, Doubt doubt) {
        switch (finding) {
            case KNOWN ->
                meters.resolved(
                        doubt.landed().isEmpty() ? EngineMeters.Resolution.NOT_LANDED : EngineMeters.Resolution.LANDED);
            case LOST -> meters.resolved(EngineMeters.Resolution.LOST);
            case OPEN -> {}
        }
    }

    /** The answer is yes. A caller who no longer listens forms no belief. */
    void granted(PendingOperation operation, @Nullable Tenure tenure, @Nullable Hold hold, int stripes) {
        boolean awaited = operation.settle();
        try {
            if (awaited && tenure != null && hold != null) {
                believe(operation, tenure, hold);
            }
            if (tenure != null && operation.request() instanceof Request.ForceExpire) {
                beliefs.lost(tenure);
            }
        } finally {
            // It is settled, so that nobody else would answer it any more.
            operation.complete(Reply.yes(tenure, stripes));
        }
    }

    private void believe(PendingOperation operation, Tenure tenure, Hold hold) {
        if (operation.isRenewal()) {
            beliefs.prolong(tenure, hold);
        } else {
            beliefs.form(tenure, hold);
        }
    }

    void refused(PendingOperation operation, Refusal refusal) {
        if (operation.request() instanceof Request.Extend extend && tellsTheEnd(refusal)) {
            beliefs.lost(extend.tenure());
            beliefs.over(extend.tenure());
        }
        if (operation.request() instanceof Request.Release release && tellsTheEnd(refusal)) {
            beliefs.over(release.tenure());
        }
        if (operation.settle()) {
            try {
                LOG.debug("{}: {}", operation.subject(), refusal.message());
            } finally {
                operation.complete(Reply.no(refusal));
            }
        }
    }

    /** A tenure that ended never comes back, since its token does not. */
    private static boolean tellsTheEnd(Refusal refusal) {
        return switch (refusal.reason()) {
            case NO_SUCH_LEASE, VACANT, NOT_THAT_TENURE -> true;
            case HELD, HELD_PAST_EXPIRY, NOT_EXPIRED, SESSION_LEASE, PINNED, NOT_YET -> false;
        };
    }

    private void seeEnd(LeaseWrite.Replace replace) {
        LeaseDocument document = replace.document();
        if (view.get(replace.name()) instanceof Sighting.Lease before && before.isHeld() && !isOlder(replace, before)) {
            Tenure tenure = before.document().tenure();
            if (document.isVacant() || !document.tenure().equals(tenure)) {
                beliefs.over(tenure);
            }
        }
    }

    /** What was in doubt may be found to have landed when something later has been seen. */
    private static boolean isOlder(LeaseWrite.Replace replace, Sighting.Lease seen) {
        return !replace.guard().equals(seen.document().guard());
    }

    private void see(LeaseWrite write) {
        if (write instanceof LeaseWrite.Insert insert) {
            view.wrote(insert.document());
        } else if (write instanceof LeaseWrite.Replace replace) {
            seeEnd(replace);
            view.wrote(replace.document());
        } else if (write instanceof LeaseWrite.Remove remove) {
            view.removed(remove.name(), remove.token());
        } else {
            view.wrote((LeaseWrite.Pin) write);
        }
    }
}
