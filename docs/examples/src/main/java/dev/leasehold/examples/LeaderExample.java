package dev.leasehold.examples;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseRequest;
import java.time.Duration;
import java.util.function.Consumer;

/** A process that wants to lead whenever nobody else does. */
final class LeaderExample {

    private LeaderExample() {}

    static void standBy(LeaseEngine engine, Consumer<Lease> term, Consumer<String> log) throws InterruptedException {
        // example:start leader
        while (true) {
            try {
                Acquisition answer = engine.tryAcquire(LeaseRequest.of("leader"), Duration.ofHours(1));
                if (answer instanceof Acquisition.Acquired acquired) {
                    try (Lease lease = acquired.lease()) {
                        term.accept(lease); // returns soon after the lease was lost
                    }
                }
            } catch (LeaseEngineClosedException e) {
                return; // this process is shutting down
            } catch (LeaseException e) {
                log.accept("trying again: " + e.getMessage());
                Thread.sleep(1_000);
            }
        }
        // example:end leader
    }
}
