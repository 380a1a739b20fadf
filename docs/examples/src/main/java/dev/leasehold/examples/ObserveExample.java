package dev.leasehold.examples;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseObservation;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A process that sends its requests to the leader, and does not want to lead itself. */
final class ObserveExample {

    private ObserveExample() {}

    static LeaseObservation follow(LeaseEngine engine, AtomicReference<@Nullable String> leader) {
        // example:start who-leads
        LeaseObservation observation = engine.observe("leader", state -> {
            if (state instanceof LeaseState.Held held && held.status() == LeaseStatus.ACTIVE) {
                leader.set(held.comment()); // the leader's address: its request says .comment("10.0.0.7:8080")
            } else {
                leader.set(null);
            }
        });
        // example:end who-leads
        return observation;
    }
}
