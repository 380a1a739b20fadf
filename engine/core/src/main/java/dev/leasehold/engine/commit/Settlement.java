package dev.leasehold.engine.commit;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.protocol.LeaseView;
import dev.leasehold.engine.protocol.Request;
import dev.leasehold.engine.protocol.Situation;
import dev.leasehold.engine.store.LeaseWrite;
import dev.leasehold.engine.time.Belief;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a certain answer changes on this side: the view, the beliefs, and the caller who waits. */
final class Settlement {

    private static final Logger LOG = LoggerFactory.getLogger(Settlement.class);

    private final LeaseView view;
    private final Beliefs beliefs;
    private final Registration registration;

    Settlement(LeaseView view, Beliefs beliefs, Registration registration) {
        this.view = view;
        this.beliefs = beliefs;
        this.registration = registration;
    }

    /** A majority has acknowledged the transaction. */
    void applied(Planned planned) {
        registration.acknowledged(planned.at().stampNanos());
        for (Planned.Step step : planned.steps()) {
            see(step.decision().write());
            granted(step.operation(), step.decision().tenure(), planned.at());
        }
    }

    /** The answer is yes; a belief counts from the instant at which it was decided, before anything was sent. */
    void granted(PendingOperation operation, @Nullable Tenure tenure, Situation at) {
        if (!operation.settle()) {
            return;
        }
        Long durationNanos = durationNanos(operation.request());
        if (tenure != null && durationNanos != null) {
            beliefs.form(tenure, Belief.from(at.nowNanos(), at.wallNanos(), durationNanos));
        }
        operation.complete(Reply.yes(tenure));
    }

    void refused(PendingOperation operation, Refusal refusal) {
        if (operation.settle()) {
            LOG.debug("{}", refusal.message());
            operation.complete(Reply.no(refusal));
        }
    }

    private void see(LeaseWrite write) {
        if (write instanceof LeaseWrite.Insert insert) {
            view.wrote(insert.document());
        } else if (write instanceof LeaseWrite.Replace replace) {
            view.wrote(replace.document());
        } else if (write instanceof LeaseWrite.Remove remove) {
            view.removed(remove.name(), remove.token());
        }
    }

    private static @Nullable Long durationNanos(Request request) {
        if (request instanceof Request.Claim claim) {
            return claim.durationNanos();
        }
        if (request instanceof Request.TakeOver takeOver) {
            return takeOver.durationNanos();
        }
        return request instanceof Request.Extend extend ? extend.durationNanos() : null;
    }
}
