package dev.leasehold.engine.internal.commit;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.rules.Decision;
import dev.leasehold.engine.internal.rules.DecisionContext;
import dev.leasehold.engine.internal.rules.LeaseCache;
import dev.leasehold.engine.internal.rules.LeaseRules;
import dev.leasehold.engine.internal.rules.LeaseStates;
import dev.leasehold.engine.internal.rules.LocalKnowledge;
import dev.leasehold.engine.internal.rules.ObservedLease;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.session.ValidityTracker;
import dev.leasehold.engine.internal.session.WriterRegistration;
import dev.leasehold.engine.internal.time.StampClock;
import dev.leasehold.engine.internal.time.Validity;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides the operations of a round, all at the same instant. Engine thread only. */
final class BatchPlanner {

    private final String namespace;
    private final StampClock clock;
    private final LeaseCache cache;
    private final ValidityTracker validities;
    private final WriterRegistration registration;
    private final OutcomeApplier applier;

    BatchPlanner(
            String namespace,
            StampClock clock,
            LeaseCache cache,
            ValidityTracker validities,
            WriterRegistration registration,
            OutcomeApplier applier) {
        this.namespace = namespace;
        this.clock = clock;
        this.cache = cache;
        this.validities = validities;
        this.registration = registration;
        this.applier = applier;
    }

    boolean knows(String name) {
        return cache.get(name) != null;
    }

    void forget(WriteBatch writeBatch) {
        cache.forget(
                writeBatch.operations().stream().map(PendingOperation::name).toList());
    }

    /**
     * Answers the operations that need no write, and returns the writes of the others.
     *
     * <p>No answer is given from the cache, since another engine may have ended the tenure. An operation that needs no
     * write, and whose lease was not read in this round, stays in the queue and is read first.
     *
     * @param justRead the leases that were read in this round
     */
    WriteBatch plan(List<PendingOperation> batch, Set<String> justRead) {
        long nowNanos = clock.nowNanos();
        DecisionContext at = new DecisionContext(
                namespace,
                registration.writer(),
                nowNanos,
                clock.peekStampNanos(nowNanos),
                clock.wallNanos(),
                cache.tokenFloor());
        List<WriteBatch.Step> steps = new ArrayList<>();
        for (PendingOperation operation : batch) {
            ObservedLease observed = cache.get(operation.name());
            // A read may have made this engine a new writer, which empties the cache.
            if (observed != null && !operation.isOver()) {
                operation.decidedOn(LeaseStates.of(observed, at.nowNanos()).status());
                Decision decision = decide(operation.request(), observed, at);
                operation.intends(decision instanceof Decision.Write write ? write.tenure() : null);
                apply(decision, operation, justRead.contains(operation.name()), steps);
            }
        }
        return new WriteBatch(at, steps);
    }

    private void apply(Decision decision, PendingOperation operation, boolean justRead, List<WriteBatch.Step> steps) {
        if (decision instanceof Decision.Write write) {
            steps.add(new WriteBatch.Step(operation, write));
        } else if (!justRead) {
            operation.retryState().mustRead(true);
        } else if (decision instanceof Decision.AlreadySo already) {
            applier.granted(operation, already.tenure(), already.basis(), 0);
        } else if (decision instanceof Decision.Refused refused) {
            applier.refused(operation, refused.refusal());
        } else if (decision instanceof Decision.Impossible impossible) {
            operation.fail(impossible.cause());
        }
    }

    private Decision decide(Request request, ObservedLease observed, DecisionContext at) {
        if (observed instanceof ObservedLease.Lease lease && lease.isHeld()) {
            Tenure seen = lease.document().tenure();
            Validity validity = validities.get(seen);
            boolean ended = validities.isEnded(seen) || isOwnButLost(lease, validity);
            return LeaseRules.decide(request, observed, at, new LocalKnowledge(validity, ended));
        }
        return LeaseRules.decide(request, observed, at, LocalKnowledge.NOTHING);
    }

    /** The session may live on after a holder learned that its lease is lost; that holder must not get it back. */
    private static boolean isOwnButLost(ObservedLease.Lease lease, @Nullable Validity validity) {
        return lease.own() && lease.document().isSessionLease() && validity == null;
    }
}
