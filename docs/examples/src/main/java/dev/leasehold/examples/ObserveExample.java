package dev.leasehold.examples;

import dev.leasehold.engine.LeaderElection;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseObservation;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A process that sends its requests to the leader, and does not want to lead itself. */
final class ObserveExample {

    private ObserveExample() {}

    static LeaderElection lead(LeaseEngine engine, String address) {
        // example:start publish
        LeaderElection election =
                engine.elect(LeaseRequest.of("leader").payload(address)).start();
        // example:end publish
        return election;
    }

    static void move(Lease lease, String newAddress) throws InterruptedException {
        // example:start update
        lease.updatePayload(newAddress); // neither the token nor the time of the lease changes
        // example:end update
    }

    static LeaseObservation follow(LeaseEngine engine, AtomicReference<@Nullable String> leader) {
        // example:start which-process-leads
        LeaseObservation observation = engine.observe("leader", state -> {
            if (state instanceof LeaseState.Held held && held.status() == LeaseStatus.ACTIVE) {
                leader.set(held.payload()); // the leader's address
            } else {
                leader.set(null);
            }
        });
        // example:end which-process-leads
        return observation;
    }
}
