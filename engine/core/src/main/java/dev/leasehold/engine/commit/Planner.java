package dev.leasehold.engine.commit;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.protocol.Decide;
import dev.leasehold.engine.protocol.Decision;
import dev.leasehold.engine.protocol.LeaseView;
import dev.leasehold.engine.protocol.Memory;
import dev.leasehold.engine.protocol.Request;
import dev.leasehold.engine.protocol.Sighting;
import dev.leasehold.engine.protocol.Situation;
import dev.leasehold.engine.protocol.Standing;
import dev.leasehold.engine.time.Belief;
import dev.leasehold.engine.time.StampClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides the operations of a round, all at one instant. Used by the engine's own thread alone. */
final class Planner {

    private final String namespace;
    private final StampClock clock;
    private final LeaseView view;
    private final Beliefs beliefs;
    private final Registration registration;
    private final Settlement settlement;

    Planner(
            String namespace,
            StampClock clock,
            LeaseView view,
            Beliefs beliefs,
            Registration registration,
            Settlement settlement) {
        this.namespace = namespace;
        this.clock = clock;
        this.view = view;
        this.beliefs = beliefs;
        this.registration = registration;
        this.settlement = settlement;
    }

    boolean knows(String name) {
        return view.get(name) != null;
    }

    void forget(Planned planned) {
        view.forget(planned.operations().stream().map(PendingOperation::name).toList());
    }

    /**
     * Answers what needs no write, and collects the writes.
     *
     * <p>Neither a no nor a yes is ever given from memory: what would be answered without a write and without having been read now
     * stays in the queue to be read first. Others may have ended the tenure since.
     *
     * @param justRead the leases that were read in this round
     */
    Planned plan(List<PendingOperation> batch, Set<String> justRead) {
        Situation at = situation();
        List<Planned.Step> steps = new ArrayList<>();
        for (PendingOperation operation : batch) {
            Sighting sighting = view.get(operation.name());
            // A read may have found that this engine is a new writer, and emptied the view.
            if (sighting != null && !operation.isOver()) {
                operation.found(Standing.of(sighting, at.nowNanos()).status());
                Decision decision = decide(operation.request(), sighting, at);
                operation.aims(decision instanceof Decision.Write write ? write.tenure() : null);
                follow(decision, operation, justRead.contains(operation.name()), steps);
            }
        }
        return new Planned(at, steps);
    }

    private void follow(Decision decision, PendingOperation operation, boolean justRead, List<Planned.Step> steps) {
        if (decision instanceof Decision.Write write) {
            steps.add(new Planned.Step(operation, write));
        } else if (!justRead) {
            operation.tries().requireRead();
        } else if (decision instanceof Decision.AlreadySo already) {
            settlement.granted(operation, already.tenure(), already.hold(), 0);
        } else if (decision instanceof Decision.Refused refused) {
            settlement.refused(operation, refused.refusal());
        } else if (decision instanceof Decision.Impossible impossible) {
            operation.fail(impossible.cause());
        }
    }

    private Situation situation() {
        long nowNanos = clock.nowNanos();
        return new Situation(
                namespace,
                registration.writer(),
                nowNanos,
                clock.peekStampNanos(nowNanos),
                clock.wallNanos(),
                view.tokenFloor());
    }

    private Decision decide(Request request, Sighting sighting, Situation at) {
        if (sighting instanceof Sighting.Lease lease && lease.isHeld()) {
            Tenure seen = lease.document().tenure();
            Belief belief = beliefs.get(seen);
            boolean over = beliefs.isGivenUp(seen) || isKeptForNobody(lease, belief);
            return Decide.decide(request, sighting, at, new Memory(belief, over));
        }
        return Decide.decide(request, sighting, at, Memory.NOTHING);
    }

    /** The session may live on after a holder was told that its lease is lost; that holder must not get it back. */
    private static boolean isKeptForNobody(Sighting.Lease lease, @Nullable Belief belief) {
        return lease.own() && lease.document().isSessionLease() && belief == null;
    }
}
